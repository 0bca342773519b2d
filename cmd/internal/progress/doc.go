// Package progress shows on a terminal how far a command is: the part of a log
// that has been read, the jobs written, the replicates drawn.
//
// A Line holds the tasks under way and draws one of them. It is nil where there
// is no terminal, and all its methods may be called then. What prints to the same
// terminal takes the line away first (Aside, End).
package progress
