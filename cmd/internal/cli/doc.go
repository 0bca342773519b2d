// Package cli implements the command loadstone: one file per subcommand, with an options
// struct whose method run calls the library and returns findings. verb.go lists the
// subcommands, binds their options to flags, checks them, and prints the findings.
//
// app holds the state that subcommands share in one run: the streams, the context and the
// files being written. input.go opens logs and reports their warnings;
// output.go, jobs.go and files.go write results, job tables, and other tables and
// pictures; status.go maps errors to exit codes. Results go to standard
// output; remarks about them (warnings, values lost, names of files) go to standard
// error.
//
// Its neighbours: flags has the kinds of flag values and the help, tables presents
// results, thresholds has --require and --baseline, output the files of
// a command, progress the line on a terminal. The library has the algorithms and computes
// every number that a subcommand prints.
package cli
