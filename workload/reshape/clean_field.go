package reshape

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// fieldKind says how a field's values are written in a condition.
type fieldKind int

const (
	wholeField    fieldKind = iota // a whole number
	nameField                      // a number, or a name that the header gives it
	numberField                    // a number
	durationField                  // seconds, or a number with s, m, h, d or w behind it
	instantField                   // seconds from the log's start, or a date
	weekdayField                   // mon to sun
)

// field is what a condition can ask of a job. Exactly one of ints and floats
// is set.
type field struct {
	names   []string // the first is the one that is shown
	meaning string
	kind    fieldKind
	key     string // header keyword of the names of a nameField
	ints    func(*workload.Job, workload.Clock) int64
	floats  func(*workload.Job, workload.Clock) float64
}

// fields are all of them, in the order of the help: every column of the job table, by
// its name and its words, and what derives from columns. A column's meaning is the
// table's unless it stands here.
var fields = []field{
	column("job", wholeField, ""),
	{names: []string{"row"}, meaning: "the job's record in the log, from 1", kind: wholeField, ints: ignoreClock(func(j *workload.Job) int64 { return j.Row + 1 })},
	column("status", wholeField, "0 failed, 1 completed, 2 to 4 partial, 5 cancelled"),
	column("size", wholeField, ""),
	column("proc", wholeField, "processors allocated"),
	column("requested", wholeField, "processors requested"),
	column("submit", instantField, "instant of submission"),
	{names: []string{"start"}, meaning: "submission and wait", kind: instantField, floats: ignoreClock((*workload.Job).Start)},
	{names: []string{"end"}, meaning: "submission, wait and run time", kind: instantField, floats: ignoreClock((*workload.Job).End)},
	{names: []string{"hour"}, meaning: "hour of the submission at the site, 0 to 23", kind: wholeField, ints: atSite(func(t time.Time) int64 { return int64(t.Hour()) })},
	{names: []string{"weekday"}, meaning: "day of the submission at the site", kind: weekdayField,
		ints: atSite(func(t time.Time) int64 { return int64(t.Weekday()+6) % 7 })},
	column("wait", durationField, ""),
	column("run", durationField, "run time"),
	column("time", durationField, "requested time"),
	column("cpu", durationField, "CPU time, mean per processor"),
	column("think", durationField, "think time from the preceding job"),
	column("used_memory", numberField, "memory used, KB per processor"),
	column("memory", numberField, "memory requested, KB per processor"),
	column("user", nameField, ""),
	column("group", nameField, "number of the group"),
	column("app", nameField, "number of the application, or executable"),
	column("queue", nameField, "number of the queue"),
	column("partition", nameField, "number of the partition, or site of a grid"),
	column("preceding", wholeField, "job that had to end first"),
	column("sequential", durationField, ""),
	column("parallelism", numberField, ""),
	column("sigma", numberField, ""),
	column("nodes", wholeField, ""),
	column("requested_nodes", wholeField, ""),
	column("allocated_nodes", wholeField, ""),
	column("gpus", wholeField, ""),
	column("requested_gpus", wholeField, ""),
	column("allocated_gpus", wholeField, ""),
	column("gpu_type", nameField, "number of the kind of GPU"),
	column("gpu_share", wholeField, "thousandths of each GPU requested"),
	column("memory_total", numberField, "memory requested, KB of the whole job"),
	column("used_memory_total", numberField, "memory used, KB of the whole job"),
	column("energy", numberField, "energy used, J"),
	column("account", nameField, "number of the account or project"),
	column("qos", nameField, "number of the quality of service"),
	column("array", wholeField, "number of the job array"),
	column("eligible", instantField, "instant from which the job could start"),
}

// column is a field that is a column of the table, or its size, by one of its
// words, which is the one that is shown; meaning stands in place of the column's.
func column(word string, kind fieldKind, meaning string) field {
	c := workload.FindColumn(word)
	others := slices.DeleteFunc(append(slices.Clone(c.Words), c.Name), func(w string) bool { return w == word })
	f := field{names: append([]string{word}, others...), meaning: cmp.Or(meaning, c.Meaning), kind: kind, key: c.NameKey}
	if c.Float() {
		f.floats = ignoreClock(func(j *workload.Job) float64 { return c.Number(j) })
	} else {
		f.ints = ignoreClock(func(j *workload.Job) int64 { return c.Int(j) })
	}
	return f
}

func ignoreClock[T any](get func(*workload.Job) T) func(*workload.Job, workload.Clock) T {
	return func(j *workload.Job, _ workload.Clock) T { return get(j) }
}

// atSite is a field of the wall clock at submission.
func atSite(get func(time.Time) int64) func(*workload.Job, workload.Clock) int64 {
	return func(j *workload.Job, c workload.Clock) int64 {
		if !(math.Abs(j.Submit) < 1<<52) {
			return workload.Unknown
		}
		return get(c.At(j.Submit))
	}
}

// findField returns the field of that name, or nil.
func findField(name string) *field {
	for i := range fields {
		for _, n := range fields[i].names {
			if n == name {
				return &fields[i]
			}
		}
	}
	return nil
}

// form says how the field's values are written, for help and errors.
func (f *field) form() string {
	switch f.kind {
	case nameField:
		return "a number, or a name from the header"
	case numberField:
		return "a number"
	case durationField:
		return "seconds, or 15m, 2h, 1.5d, 1w"
	case instantField:
		return "seconds from the log's start, or a date such as 2024-02-01 or 2024-02-01T15:04:05"
	case weekdayField:
		return "mon, tue, wed, thu, fri, sat or sun"
	default:
		return "a whole number"
	}
}
