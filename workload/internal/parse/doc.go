// Package parse holds what the text formats share: chunks of whole lines, numbers
// and times as they are read and written, names in bounded memory, the writer of
// lines, and the errors.
package parse
