// Package swf reads and writes the Standard Workload Format (SWF), version 2.2, of the
// Parallel Workloads Archive.
//
// Package logfile tries SWF last, because only its lines of numbers identify it. Format.Open
// splits the text into chunks of whole lines, which are decoded on several cores. Append
// writes the jobs of a batch, and Losses reports what the format cannot hold.
//
// Related package: workload/logfile, which opens and creates files of every format.
package swf
