// Package slurm reads what Slurm prints about jobs: the accounting records of sacct,
// as text or JSON, and the listings of squeue and scontrol. It writes neither.
//
// A sacct record passes through a cutter (cut), which finds the columns even
// where a text has bars in it, a parser (one row), and a table, which puts the
// records of one job together; a squeue listing is held in memory.
package slurm
