// Package swf reads and writes the Standard Workload Format (SWF) of the Parallel
// Workloads Archive.
//
// Package logfile takes a text for SWF if no other format fits, because only its
// lines of numbers identify it. Open cuts the text into chunks of whole lines, which
// are decoded on several cores in one pass over the bytes each; Append writes the
// jobs of a batch and Losses reports what the format cannot hold.
//
// Related packages: workload/gwf, whose first sixteen fields are the same, and
// workload/logfile, which opens and creates files of every format.
package swf
