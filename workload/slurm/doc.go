// Package slurm reads what Slurm prints of its jobs: sacct's records with -P or
// -p, and squeue's listing of one moment. Both are read only.
//
// A sacct record passes through a cutter (cut), which finds the columns even
// where a text has bars in it, a parser (one row), and a table, which puts the
// records of one job together; a squeue listing is held in memory.
package slurm
