// Package slurm reads what Slurm prints about jobs: the accounting records of sacct, as
// text or JSON, and the listings of squeue and scontrol. It does not write these formats.
//
// The formats (Sacct, SacctJSON, Squeue, SqueueJSON, Scontrol) read logs.
// ReadQueue and ReadEnded return the jobs of one listing in memory, with details for which
// the job table has no column.
//
// A record of sacct passes through cut, which finds the columns even if a text contains the
// separator, a parser, which reads one row, and a table, which combines the records of one
// job.
package slurm
