// Package tables says what people and programs read of each result: the table,
// the CSV and the JSON, by the library's result (RunTimes, Waits, Fit, Answers, ...).
//
// The types of a result say what the columns of its rows are (internal/field), from which
// package view makes the table for people and the CSV; what stands around the tables is a
// template in the folder prose. JSON is the result itself. Remarks are what is told besides a
// result. Nothing is computed here.
package tables
