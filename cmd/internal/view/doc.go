// Package view writes results for people and programs, from what their types declare (package
// field): tables and CSV, JSON and its schemas, numbers, times, messages, and the prose around
// tables, which are templates.
package view
