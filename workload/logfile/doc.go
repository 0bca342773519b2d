// Package logfile opens and creates files of jobs in every format.
//
//	file --Open--> workload.Log        batches --Create, Commit--> file
//
// formats.go has the one ordered list of formats: a content is of the first that
// it fits. Compression is read through and written by extension; a file that is
// written appears whole, under its name, or not at all (File). To add a format of your
// own, write a workload.Format and give Open and Create a list with it in
// workload.Options.Formats and workload.WriteOptions.Formats.
package logfile
