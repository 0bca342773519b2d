// Package flags binds options to the flags of a command: Bind adds a flag for each field that
// has tags of package opt, lays out the help by their groups, and has the command check what
// relates them. It has kinds of values beside (a time zone, a mapping of columns, named
// classes, a small file), and the faults of a command line.
//
// A fault of a flag is a UsageError. The library checks options
// (workload.OptionError) and OptionFault names the flag. Help is one screen, with the
// options that are marked as common; --help-all has all of them.
package flags
