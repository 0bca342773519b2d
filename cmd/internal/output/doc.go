// Package output has what a command writes to: the files of a command, which
// appear together when it has succeeded (Files), its standard output (Standard),
// and where a file can be written (Place, NoPlace, FolderFault).
package output
