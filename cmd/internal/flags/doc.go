// Package flags binds options to the flags of a command: Bind adds a flag for each field that
// has tags of package opt and lays out the help by their groups; Check checks the options. It also
// has kinds of values (a time zone, a mapping of columns, named classes, a small file), and the
// errors of a command line.
//
// An error of a flag is a UsageError. The library returns a workload.OptionError for an option,
// and OptionFaultOr rewrites it to name the flag. Help is one screen, with the
// options that are marked as common; --help-all has all of them.
package flags
