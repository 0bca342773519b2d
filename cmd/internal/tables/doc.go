// Package tables presents each result of the library (RunTimes, Waits, Fit, Answers, ...)
// in three forms: text with tables for people, CSV, and JSON.
//
// The types of a result declare the columns of its rows (internal/field), from which package view
// makes the tables for people and the CSV. The text around the tables is a template in the folder
// prose. The JSON is the result itself. Remarks are warnings and notes printed with a result.
// Nothing is computed here.
package tables
