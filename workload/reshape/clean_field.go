package reshape

import (
	"math"
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

// fields are all of them, in the order of the help.
var fields = []field{
	whole("the log's number of the job", func(j *workload.Job) int64 { return j.ID }, "job"),
	whole("the job's record in the log, from 1", func(j *workload.Job) int64 { return j.Row + 1 }, "row"),
	whole("0 failed, 1 completed, 2 to 4 partial, 5 cancelled", func(j *workload.Job) int64 { return j.Status }, "status"),
	whole("processors allocated, else requested", func(j *workload.Job) int64 { return j.Size }, "size"),
	whole("processors allocated", func(j *workload.Job) int64 { return j.Allocated }, "proc", "procs", "allocated"),
	whole("processors requested", func(j *workload.Job) int64 { return j.Processors }, "requested"),
	instant("instant of submission", func(j *workload.Job) float64 { return j.Submit }, "submit"),
	instant("submission and wait", func(j *workload.Job) float64 { return j.Start() }, "start"),
	instant("submission, wait and run time", func(j *workload.Job) float64 { return j.End() }, "end"),
	{names: []string{"hour"}, meaning: "hour of the submission at the site, 0 to 23", kind: wholeField, ints: atSite(func(t time.Time) int64 { return int64(t.Hour()) })},
	{names: []string{"weekday"}, meaning: "day of the submission at the site", kind: weekdayField,
		ints: atSite(func(t time.Time) int64 { return int64(t.Weekday()+6) % 7 })},
	duration("from submission to start", func(j *workload.Job) float64 { return j.Wait }, "wait"),
	duration("run time", func(j *workload.Job) float64 { return j.Run }, "run", "runtime"),
	duration("requested time", func(j *workload.Job) float64 { return j.Time }, "time", "estimate"),
	duration("CPU time, mean per processor", func(j *workload.Job) float64 { return j.CPUTime }, "cpu"),
	duration("think time from the preceding job", func(j *workload.Job) float64 { return j.Think }, "think"),
	number("memory used, KB per processor", func(j *workload.Job) float64 { return j.UsedMemory }, "used_memory"),
	number("memory requested, KB per processor", func(j *workload.Job) float64 { return j.Memory }, "memory"),
	named("number of the user", "User", func(j *workload.Job) int64 { return j.User }, "user"),
	named("number of the group", "Group", func(j *workload.Job) int64 { return j.Group }, "group"),
	named("number of the application, or executable", "Application", func(j *workload.Job) int64 { return j.Application }, "app", "application"),
	named("number of the queue", "Queue", func(j *workload.Job) int64 { return j.Queue }, "queue"),
	named("number of the partition, or site of a grid", "Partition", func(j *workload.Job) int64 { return j.Partition }, "partition"),
	whole("job that had to end first", func(j *workload.Job) int64 { return j.Preceding }, "preceding"),
}

func whole(meaning string, get func(*workload.Job) int64, names ...string) field {
	return field{names: names, meaning: meaning, kind: wholeField, ints: ignoreClock(get)}
}

func named(meaning, key string, get func(*workload.Job) int64, names ...string) field {
	return field{names: names, meaning: meaning, kind: nameField, key: key, ints: ignoreClock(get)}
}

func instant(meaning string, get func(*workload.Job) float64, names ...string) field {
	return field{names: names, meaning: meaning, kind: instantField, floats: ignoreClock(get)}
}

func duration(meaning string, get func(*workload.Job) float64, names ...string) field {
	return field{names: names, meaning: meaning, kind: durationField, floats: ignoreClock(get)}
}

func number(meaning string, get func(*workload.Job) float64, names ...string) field {
	return field{names: names, meaning: meaning, kind: numberField, floats: ignoreClock(get)}
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
