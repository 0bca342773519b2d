// Package tables says what people and programs read of each result: the table,
// the CSV and the JSON, by the library's result (RunTimes, Waits, Fit, Answer, ...).
//
// A result's rows are written by one list of columns (present.Column), from which
// come the table for people, the CSV and the names of --require. JSON is the
// result itself. Nothing is computed here.
//
// Its neighbours: package present knows tables, numbers and words, but no result;
// package figure draws the same results.
package tables
