// Package parse holds what the text formats share: chunks of whole lines, numbers
// and times as they are read and written, names in bounded memory, the columns of
// a batch as they are filled, the counts of odd values, and the errors.
package parse
