// Package progress shows the progress of a command on a terminal: the part of a log
// that has been read, the jobs written, the replicates drawn.
//
// A Line holds the tasks under way and shows one of them. It is nil if there is no
// terminal. Other output to the same terminal must remove the line first (Aside, End).
package progress
