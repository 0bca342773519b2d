// Package present writes tables, numbers, times and messages for people and programs.
//
// Its neighbours: package view makes the tables of what a result's types declare; the
// command chooses between the forms of a Result.
package present
