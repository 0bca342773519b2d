package live

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Request is a hypothetical job. Zero values and "" mean unknown; Size is required.
type Request struct {
	Size      int64   `opt:"size" in:"[1,)" required:"true" help:"processors" json:"size"`
	Time      float64 `opt:"time" common:"true" unit:"seconds" in:"(0,)" help:"requested time: <seconds>, or a time such as 2:00:00, 1-12:00 or 90m" json:"time_s,omitzero"`
	Partition string  `opt:"partition" common:"true" help:"<name> of the partition; the default one if absent" json:"partition,omitempty"`
	Queue     string  `opt:"queue" help:"<name> of the queue (QOS in Slurm), where jobs have one beside the partition" json:"queue,omitempty"`
	User      string  `opt:"user" help:"<name> of the user" json:"user,omitempty"`
}

// job returns the workload.Request that corresponds to q, submitted at the given time. An unknown
// partition or queue is an error; an unknown user is not.
func (q *Request) job(names *watch.Names, at float64, row int64) (workload.Request, error) {
	r := workload.UnknownJob().Request
	if err := opt.Check(q); err != nil {
		return r, err
	}
	r.Submit, r.Row, r.Processors, r.Size = at, row, q.Size, q.Size
	if q.Time > 0 {
		r.Time = q.Time
	}
	var err error
	if r.Partition, err = numberOf(names, "partition", "Partition", q.Partition); err != nil {
		return r, err
	}
	if r.Queue, err = numberOf(names, "queue", "Queue", q.Queue); err != nil {
		return r, err
	}
	if user, err := numberOf(names, "user", "User", q.User); err == nil {
		r.User = user
	}
	return r, nil
}

// unseen returns a warning if the user is set but has no jobs.
func (q *Request) unseen(r *workload.Request) (all []workload.Warning) {
	if q.User != "" && r.User == workload.Unknown {
		all = append(all, workload.Warning{Rule: "unseen-user", Text: "no job of this user is known: the answer is for any user", Count: 1})
	}
	return all
}

// numberOf returns the number of a name under the header keyword key. If there are no names, the
// text must be a number. The error is a *workload.OptionError.
func numberOf(names *watch.Names, option, key, text string) (int64, error) {
	if text == "" {
		return workload.Unknown, nil
	}
	if number, ok := names.Find(key, text); ok {
		return number, nil
	}
	known := names.Texts(key)
	if len(known) == 0 {
		if number, err := strconv.ParseInt(text, 10, 64); err == nil {
			return number, nil
		}
		return workload.Unknown, workload.OptionFault(option, strconv.Quote(text), "a number: no name is known")
	}
	const most = 8
	if len(known) > most {
		known = append(known[:most:most], "...")
	}
	return workload.Unknown, workload.OptionFault(option, strconv.Quote(text), "one of %s", strings.Join(known, ", "))
}

// nameOf is the inverse of numberOf. It returns "" for workload.Unknown.
func nameOf(names *watch.Names, key string, number int64) string {
	text, ok := names.Text(key, number)
	if !ok && number != workload.Unknown {
		return strconv.FormatInt(number, 10)
	}
	return text
}

// nameable lists the columns of a request whose values may have names in a log.
var nameable = []struct {
	column int
	of     func(*workload.Request) *int64
}{
	{workload.ColUser, func(r *workload.Request) *int64 { return &r.User }},
	{workload.ColGroup, func(r *workload.Request) *int64 { return &r.Group }},
	{workload.ColApplication, func(r *workload.Request) *int64 { return &r.Application }},
	{workload.ColQueue, func(r *workload.Request) *int64 { return &r.Queue }},
	{workload.ColPartition, func(r *workload.Request) *int64 { return &r.Partition }},
}

// translator returns a function that replaces the numbers in requests of the log with the header
// of by those of a dictionary, in the columns for which any of the logs has names. The name of a
// number without one is its decimal form.
func translator(names *watch.Names, of *workload.Header, logs ...*workload.Header) func(*workload.Request) {
	texts := make([]map[int64]string, len(nameable)) // nil if no log has names for the column
	for i, c := range nameable {
		key := workload.NameKey(c.column)
		if slices.ContainsFunc(logs, func(h *workload.Header) bool { return len(h.Names(key)) > 0 }) {
			texts[i] = of.Names(key)
		}
	}
	return func(r *workload.Request) {
		for i, c := range nameable {
			number := c.of(r)
			if texts[i] == nil || *number == workload.Unknown {
				continue
			}
			text, ok := texts[i][*number]
			if !ok {
				text = strconv.FormatInt(*number, 10)
			}
			*number = names.Number(c.column, text)
		}
	}
}
