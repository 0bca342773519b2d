// Package logfile opens and creates files of jobs in every format.
//
//	file --Open--> workload.Log        batches --Create, Commit--> file
//
// A log is opened, read once and closed; its jobs come as values, or in batches:
//
//	log, err := logfile.Open("kth.swf.gz", workload.Options{})
//	if err != nil { ... }
//	defer log.Close()
//	for job, err := range log.Jobs() { ... }
//
// A file is created, written and committed; Optional says which of the columns that not
// every log has it gets:
//
//	out, err := logfile.Create("kth.parquet", log.Header, workload.WriteOptions{Columns: log.Optional()})
//	if err != nil { ... }
//	defer out.Abort() // does nothing after Commit
//	err = out.WriteAll(log.Batches())
//	if err == nil { err = out.Commit() }
//
// Formats returns the one ordered list of formats: a content is of the first that
// it fits. Compression is read through and written by extension; a file that is
// written appears whole, under its name, or not at all (File). To add a format of your
// own, write a workload.Format and give Open and Create a list with it in
// workload.Options.Formats and workload.WriteOptions.Formats.
package logfile
