package workload

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
)

// Column describes one column of the job table, or an attribute derived from
// it. Every column is nullable: null is "unknown".
type Column struct {
	Name    string
	Unit    string
	Meaning string
	SWF     int // field number in the standard workload format, 0 for none
	Use     Use

	// Words are the short names that classes, conditions and messages use for
	// the column, the one that is shown first.
	Words []string
	// NameKey is the header keyword of the names of its numbers; "" where they
	// have none.
	NameKey string

	// Exactly one of these is set: where a job has the column. What a Request
	// has is known at submission.
	requestInt   func(*Request) *int64
	requestFloat func(*Request) *float64
	jobInt       func(*Job) *int64
	jobFloat     func(*Job) *float64
}

// Use says what the values of a column stand for.
type Use uint8

// The uses of columns.
const (
	Measured   Use = iota // a time or another number that is measured or drawn
	Amount                // something asked for or given; ranges of it can be classes
	Identifier            // a number that stands for a user, a queue or the like
	Code                  // a number with a fixed meaning
	JobNumber             // the number of a job
)

// columns are those of the table.
var columns = attributes[:NumColumns]

// attributes has one row a column of the table, in the order of the constants,
// and behind them the size, which derives from two of them.
var attributes = [NumColumns + 1]Column{
	{Name: "job_id", Unit: "1", Meaning: "the log's number of the job", SWF: 1,
		Use: JobNumber, Words: []string{"job"}, requestInt: func(r *Request) *int64 { return &r.ID }},
	{Name: "submit_time_s", Unit: "s", Meaning: "submission, from the log's start", SWF: 2,
		Words: []string{"submit"}, requestFloat: func(r *Request) *float64 { return &r.Submit }},
	{Name: "wait_time_s", Unit: "s", Meaning: "from submission to start", SWF: 3,
		Words: []string{"wait"}, jobFloat: func(j *Job) *float64 { return &j.Wait }},
	{Name: "run_time_s", Unit: "s", Meaning: "wall clock time from start to end; 0 is less than half a second", SWF: 4,
		Words: []string{"run", "runtime"}, jobFloat: func(j *Job) *float64 { return &j.Run }},
	{Name: "allocated_processors", Unit: "processors", Meaning: "processors given to the job", SWF: 5,
		Use: Amount, Words: []string{"proc", "procs", "allocated"}, jobInt: func(j *Job) *int64 { return &j.Allocated }},
	{Name: "cpu_time_s", Unit: "s", Meaning: "user and system time used, mean over the processors", SWF: 6,
		Words: []string{"cpu"}, jobFloat: func(j *Job) *float64 { return &j.CPUTime }},
	{Name: "used_memory_kb", Unit: "KB", Meaning: "memory used, mean per processor", SWF: 7,
		Use: Amount, Words: []string{"used_memory"}, jobFloat: func(j *Job) *float64 { return &j.UsedMemory }},
	{Name: "requested_processors", Unit: "processors", Meaning: "processors asked for", SWF: 8,
		Use: Amount, Words: []string{"processors", "requested"}, requestInt: func(r *Request) *int64 { return &r.Processors }},
	{Name: "requested_time_s", Unit: "s", Meaning: "the user's estimate or limit: wall clock, or CPU time per processor where the header says so", SWF: 9,
		Use: Amount, Words: []string{"estimate", "time"}, requestFloat: func(r *Request) *float64 { return &r.Time }},
	{Name: "requested_memory_kb", Unit: "KB", Meaning: "memory asked for, per processor", SWF: 10,
		Use: Amount, Words: []string{"memory"}, requestFloat: func(r *Request) *float64 { return &r.Memory }},
	{Name: "status", Unit: "1", Meaning: "0 failed, 1 completed, 2 partial, 3 last part of a completed job, 4 last part of a failed job, 5 cancelled", SWF: 11,
		Use: Code, Words: []string{"status"}, jobInt: func(j *Job) *int64 { return &j.Status }},
	{Name: "user_id", Unit: "1", Meaning: "number of the user", SWF: 12,
		Use: Identifier, Words: []string{"user"}, NameKey: "User", requestInt: func(r *Request) *int64 { return &r.User }},
	{Name: "group_id", Unit: "1", Meaning: "number of the user's group", SWF: 13,
		Use: Identifier, Words: []string{"group"}, NameKey: "Group", requestInt: func(r *Request) *int64 { return &r.Group }},
	{Name: "application_id", Unit: "1", Meaning: "number of the executable", SWF: 14,
		Use: Identifier, Words: []string{"application", "app", "executable", "executable_id"}, NameKey: "Application", requestInt: func(r *Request) *int64 { return &r.Application }},
	{Name: "queue_id", Unit: "1", Meaning: "number of the queue; names are in the header", SWF: 15,
		Use: Identifier, Words: []string{"queue"}, NameKey: "Queue", requestInt: func(r *Request) *int64 { return &r.Queue }},
	{Name: "partition_id", Unit: "1", Meaning: "number of the partition, or site of a grid; names are in the header", SWF: 16,
		Use: Identifier, Words: []string{"partition", "site"}, NameKey: "Partition", requestInt: func(r *Request) *int64 { return &r.Partition }},
	{Name: "preceding_job_id", Unit: "1", Meaning: "job that had to end before this one was submitted", SWF: 17,
		Use: JobNumber, Words: []string{"preceding"}, requestInt: func(r *Request) *int64 { return &r.Preceding }},
	{Name: "think_time_s", Unit: "s", Meaning: "from the end of the preceding job to submission", SWF: 18,
		Words: []string{"think"}, requestFloat: func(r *Request) *float64 { return &r.Think }},
	{Name: "sequential_time_s", Unit: "s", Meaning: "malleable jobs: run time on one processor",
		Words: []string{"sequential"}, requestFloat: func(r *Request) *float64 { return &r.SequentialTime }},
	{Name: "average_parallelism", Unit: "processors", Meaning: "malleable jobs: average parallelism A of Downey's speedup model",
		Words: []string{"parallelism"}, requestFloat: func(r *Request) *float64 { return &r.AverageParallelism }},
	{Name: "sigma", Unit: "1", Meaning: "malleable jobs: variance of parallelism in Downey's speedup model",
		Words: []string{"sigma"}, requestFloat: func(r *Request) *float64 { return &r.Sigma }},
	{Name: "size", Unit: "processors", Meaning: "processors allocated, else requested",
		Use: Amount, Words: []string{"size"}, requestInt: func(r *Request) *int64 { return &r.Size }},
}

// Columns returns the description of every column of the table, in schema
// order.
func Columns() []Column { return slices.Clone(columns) }

// ColumnAt returns the description of column i, which is not to be altered.
func ColumnAt(i int) *Column { return &columns[i] }

// ColumnNames returns the names of columns.
func ColumnNames(at []int) []string {
	var names []string
	for _, i := range at {
		names = append(names, columns[i].Name)
	}
	return names
}

// ColumnIndex returns the position of the column with that name, or -1.
func ColumnIndex(name string) int {
	return slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
}

// FindColumn returns the column, or the derived size, with that name or word,
// nil where there is none. It is not to be altered.
func FindColumn(word string) *Column {
	for i := range attributes {
		if c := &attributes[i]; c.Name == word || slices.Contains(c.Words, word) {
			return c
		}
	}
	return nil
}

// ColumnsOf returns the positions of the table's columns of some uses, in
// schema order.
func ColumnsOf(uses ...Use) []int {
	var at []int
	for i := range columns {
		if slices.Contains(uses, columns[i].Use) {
			at = append(at, i)
		}
	}
	return at
}

// Kind is arrow.FLOAT64 or arrow.INT64.
func (c *Column) Kind() arrow.Type {
	if c.Float() {
		return arrow.FLOAT64
	}
	return arrow.INT64
}

// Float says whether the column holds float64 values; otherwise it holds
// int64 values.
func (c *Column) Float() bool { return c.requestFloat != nil || c.jobFloat != nil }

// ranged says whether ranges of the column's values can be classes.
func (c *Column) ranged() bool { return c.Use == Amount || c.Use == Measured }

// Submitted says whether the column is known when a job is submitted.
func (c *Column) Submitted() bool { return c.requestInt != nil || c.requestFloat != nil }

// KnownIn says whether a request has a value of the column.
func (c *Column) KnownIn(r *Request) bool {
	switch {
	case c.requestInt != nil:
		return *c.requestInt(r) != Unknown
	case c.requestFloat != nil:
		return !math.IsNaN(*c.requestFloat(r))
	}
	return false
}

// NumberIn returns the value of a column in a request, NaN where it is unknown or not
// known at submission.
func (c *Column) NumberIn(r *Request) float64 {
	switch {
	case c.requestFloat != nil:
		return *c.requestFloat(r)
	case c.requestInt != nil:
		if x := *c.requestInt(r); x != Unknown {
			return float64(x)
		}
	}
	return math.NaN()
}

// IntIn returns where a job has a column of int64 values. It is a programmer's
// error to ask a column of others.
func (c *Column) IntIn(j *Job) *int64 {
	if c.requestInt != nil {
		return c.requestInt(&j.Request)
	}
	return c.jobInt(j)
}

// FloatIn returns where a job has a column of float64 values. It is a
// programmer's error to ask a column of others.
func (c *Column) FloatIn(j *Job) *float64 {
	if c.requestFloat != nil {
		return c.requestFloat(&j.Request)
	}
	return c.jobFloat(j)
}

// UnknownJob returns a job of which nothing is known.
func UnknownJob() Job { return unknownJob }

var unknownJob = func() (j Job) {
	for i := range attributes {
		if c := &attributes[i]; c.Float() {
			*c.FloatIn(&j) = math.NaN()
		} else {
			*c.IntIn(&j) = Unknown
		}
	}
	return j
}()
