// Package output provides the outputs of a command: its files, which appear together
// when it has succeeded (Files), and its standard output (Standard). It also checks
// whether a file can be written (Place, NoPlace, FolderFault).
package output
