// Package cli is the command loadstone: one file a subcommand, with an options struct
// whose method run calls the library and returns findings. verb.go has the list of
// subcommands, binds their options to flags, checks them, and prints the findings.
//
// app holds what the subcommands share in one run: the streams, the context and the
// files being written. input.go opens logs and passes on what was odd in them;
// output.go, jobs.go and files.go write results, job tables, and other tables and
// pictures; status.go maps errors to exit codes. Results go to standard
// output, words about them (warnings, what was lost, where a file is) to standard
// error.
//
// Its neighbours: flags has kinds of flag values and the help, tables says what is
// read of each result, thresholds has --require and --baseline, output the files of
// a command, progress the line on a terminal. The algorithms are in the packages
// below; a number that a subcommand prints is computed there.
package cli
