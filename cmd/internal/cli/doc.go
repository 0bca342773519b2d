// Package cli is the command loadstone: one file a subcommand, each an options
// struct, newXCmd, which turns arguments into options, and runX, which turns
// options into output.
//
// What all subcommands share is here too: app holds the streams, the context
// and the files being written; input.go opens logs and passes on what was odd
// in them; result.go holds a result in its three forms, and output.go and
// pictures.go write it; status.go maps errors to exit codes. Results go to
// standard output, words about them (warnings, what was lost, where a file is)
// to standard error.
//
// This is the only layer that prints, reads flags and names files for people.
// The algorithms are in the packages below; a number that a subcommand prints
// is computed there.
package cli
