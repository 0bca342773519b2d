// Package flags has what the command's flags have in common: kinds of values
// (words of a list, ways of sorting jobs into classes, a time zone, a mapping of
// columns, a small file), flags that several commands have, the faults of a
// command line, and the help.
//
// A fault of a flag is a UsageError. The library checks options
// (workload.OptionError) and OptionFault names the flag. Help is one screen, with
// flags in Groups and those that Common names; --help-all has all of them.
package flags
