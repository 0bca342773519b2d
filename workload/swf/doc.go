// Package swf reads and writes the standard workload format.
//
// It is the format that is left where no other fits, since nothing but its
// lines of numbers shows it. Open cuts the text into chunks of whole lines,
// which are decoded on several cores in one pass over the bytes each; Append
// writes the jobs of a batch and Losses says what the format cannot hold.
//
// Its neighbours: workload/gwf, whose first sixteen fields are the same, and
// workload/logfile, which opens and creates files of every format.
package swf
