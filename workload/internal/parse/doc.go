// Package parse holds what the text formats share: chunks of whole lines, parsing and formatting
// of numbers and times, names in bounded memory, the writer of lines, and the errors.
package parse
