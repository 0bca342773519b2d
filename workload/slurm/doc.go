// Package slurm reads the output of Slurm's commands about jobs: the accounting records of
// sacct, as text or JSON, and the listings of squeue and scontrol. It does not write these
// formats.
//
// The formats (Sacct, SacctJSON, Squeue, SqueueJSON, Scontrol) read logs. ReadQueue and
// ReadEnded return the jobs of one listing in memory, with details for which the job table has
// no column.
//
// The form of a text is recognised by its beginning (form.go, header.go). All forms share one
// table of fields (fields.go). A source of lines (lines.go, with cut.go for separators inside
// texts, and scontrol.go) or of JSON (json.go, with json_record.go for the members of a job)
// fills a record with the texts of a job's fields. A parser interprets the record, in the same
// way for all forms (job.go, times.go, amounts.go, values.go). accounting.go combines the
// records of one job; queue.go those of the queue at one moment, with the reasons why jobs wait
// (reasons.go) and the tasks of arrays (tasks.go).
package slurm
