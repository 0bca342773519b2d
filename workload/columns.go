package workload

import (
	"slices"
)

// Column describes one column of the job table, or an attribute derived from
// it. Every column is nullable: null is "unknown".
type Column struct {
	Name    string // with its unit, where it has one: "run_time_s"
	Unit    string // "s", "KB", "processors", ...; "1" for a number without a unit
	Meaning string // a phrase for people
	SWF     int    // field number in the standard workload format, 0 for none
	Use     Use    // what its values stand for

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
	askedInt     func(*Asked) *int64
	askedFloat   func(*Asked) *float64
	givenInt     func(*Given) *int64
	givenFloat   func(*Given) *float64

	row func(*View, int) int64 // of an attribute that derives from columns
}

// Use says what the values of a column mean.
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
// and behind them what derives from two of them: size, nodes and GPUs.
var attributes = [NumColumns + 3]Column{
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
	{Name: "requested_nodes", Unit: "nodes", Meaning: "nodes asked for",
		Use: Amount, Words: []string{"requested_nodes"}, askedInt: func(a *Asked) *int64 { return &a.Nodes }},
	{Name: "allocated_nodes", Unit: "nodes", Meaning: "nodes given to the job",
		Use: Amount, Words: []string{"allocated_nodes"}, givenInt: func(g *Given) *int64 { return &g.Nodes }},
	{Name: "requested_gpus", Unit: "GPUs", Meaning: "GPUs asked for; 0 is none",
		Use: Amount, Words: []string{"requested_gpus"}, askedInt: func(a *Asked) *int64 { return &a.GPUs }},
	{Name: "allocated_gpus", Unit: "GPUs", Meaning: "GPUs given to the job; 0 is none",
		Use: Amount, Words: []string{"allocated_gpus"}, givenInt: func(g *Given) *int64 { return &g.GPUs }},
	{Name: "gpu_type_id", Unit: "1", Meaning: "number of the kind of GPU asked for, else given; names are in the header",
		Use: Identifier, Words: []string{"gpu_type"}, NameKey: "GPUType", askedInt: func(a *Asked) *int64 { return &a.GPUType }},
	{Name: "gpu_share_milli", Unit: "1/1000", Meaning: "thousandths of each GPU asked for, where GPUs are shared",
		Use: Amount, Words: []string{"gpu_share"}, askedInt: func(a *Asked) *int64 { return &a.GPUShare }},
	{Name: "requested_memory_total_kb", Unit: "KB", Meaning: "memory asked for, by the whole job",
		Use: Amount, Words: []string{"memory_total"}, askedFloat: func(a *Asked) *float64 { return &a.Memory }},
	{Name: "used_memory_total_kb", Unit: "KB", Meaning: "memory used by the whole job",
		Use: Amount, Words: []string{"used_memory_total"}, givenFloat: func(g *Given) *float64 { return &g.Memory }},
	{Name: "energy_j", Unit: "J", Meaning: "energy used by the whole job",
		Words: []string{"energy"}, givenFloat: func(g *Given) *float64 { return &g.Energy }},
	{Name: "account_id", Unit: "1", Meaning: "number of the account or project; names are in the header",
		Use: Identifier, Words: []string{"account"}, NameKey: "Account", askedInt: func(a *Asked) *int64 { return &a.Account }},
	{Name: "qos_id", Unit: "1", Meaning: "number of the quality of service; names are in the header",
		Use: Identifier, Words: []string{"qos"}, NameKey: "QOS", askedInt: func(a *Asked) *int64 { return &a.QOS }},
	{Name: "array_id", Unit: "1", Meaning: "number of the job array that the job is of",
		Use: JobNumber, Words: []string{"array"}, askedInt: func(a *Asked) *int64 { return &a.Array }},
	{Name: "eligible_time_s", Unit: "s", Meaning: "when the job could start, from the log's start; a held job could when it was released",
		Words: []string{"eligible"}, givenFloat: func(g *Given) *float64 { return &g.Eligible }},
	{Name: "size", Unit: "processors", Meaning: "processors allocated, else requested",
		Use: Amount, Words: []string{"size"}, requestInt: func(r *Request) *int64 { return &r.Size }, row: (*View).Size},
	{Name: "nodes", Unit: "nodes", Meaning: "nodes allocated, else requested",
		Use: Amount, Words: []string{"nodes", "node"}, askedInt: func(a *Asked) *int64 { return &a.TakesNodes }, row: (*View).Nodes},
	{Name: "gpus", Unit: "GPUs", Meaning: "GPUs allocated, else requested",
		Use: Amount, Words: []string{"gpus", "gpu"}, askedInt: func(a *Asked) *int64 { return &a.TakesGPUs }, row: (*View).GPUs},
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

// FindColumn returns the column with a name such as "run_time_s", or a word such as
// "run"; or an attribute derived from columns: size, nodes or gpus. It is nil if there is
// none. The column is not to be altered.
func FindColumn(word string) *Column {
	for i := range attributes {
		if c := &attributes[i]; c.Name == word || slices.Contains(c.Words, word) {
			return c
		}
	}
	return nil
}

// AskedColumns returns the identifiers and amounts that a request has in Asked, by
// which requests are alike or not. Nodes and GPUs are those that the job takes (see
// Asked.TakesNodes), which stand for those requested.
func AskedColumns() []*Column {
	derived := attributes[NumColumns:]
	var asked []*Column
	for i := range attributes {
		c := &attributes[i]
		stoodFor := slices.ContainsFunc(derived, func(d Column) bool { return c.Name == "requested_"+d.Name })
		if (c.askedInt != nil || c.askedFloat != nil) && (c.Use == Identifier || c.Use == Amount) && !stoodFor {
			asked = append(asked, c)
		}
	}
	return asked
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
