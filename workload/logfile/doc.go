// Package logfile opens and creates job logs in every supported format.
//
//	file --Open--> workload.Log        batches --Create, Commit--> file
//
// A log is opened, read once and closed. Its jobs come one by one, or in batches:
//
//	log, err := logfile.Open("kth.swf.gz", workload.Options{})
//	if err != nil { ... }
//	defer log.Close()
//	for job, err := range log.Jobs() { ... }
//
// A file is created, written and committed. Columns selects the optional columns to write;
// Optional returns those that the log has:
//
//	out, err := logfile.Create("kth.parquet", log.Header, workload.WriteOptions{Columns: log.Optional()})
//	if err != nil { ... }
//	defer out.Abort() // does nothing after Commit
//	err = out.WriteAll(log.Batches())
//	if err == nil { err = out.Commit() }
//
// When reading, format and compression are recognised by content; Formats returns the
// formats in the order in which they are tried. When writing, the file's extension selects
// both. A file appears under its name when it is complete, or not at all (File).
//
// To add a format, write a workload.Format and give Open and Create a list that contains it
// in workload.Options.Formats and workload.WriteOptions.Formats.
package logfile
