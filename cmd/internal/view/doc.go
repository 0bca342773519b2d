// Package view writes results for people and programs, according to the declarations of their types
// (package field): tables and CSV, JSON and its schemas, numbers, times, messages, and the prose
// around tables, which is in templates.
package view
