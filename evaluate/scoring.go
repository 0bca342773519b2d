package evaluate

import (
	"fmt"
	"iter"
	"strconv"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Scoring contains the options that RunTimes and Waits share.
type Scoring struct {
	// By adds scores of parts of the log. It contains names from RunTimesParts or WaitsParts.
	By []string `opt:"by" common:"true" help:"also score parts of the log"`
	// Replicates is the number of bootstrap replicates for the confidence intervals
	// (IntervalLevel), at least 2/(1-IntervalLevel)-1; 0 for no intervals. Each replicate
	// draws users or, for waits, weeks or days.
	Replicates int `opt:"replicates" in:"0|[39,100000]" usual:"1000" want:"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval" help:"draws of the bootstrap by %s, 39 or more; 0 for none"`
	// Seed is the seed of the bootstrap, and of a sample. The same seed gives the same
	// intervals.
	Seed uint64 `opt:"seed" usual:"1" help:"seed of the bootstrap"`
	// Watch, if not nil, wraps each pass over the jobs in order of submission, for example
	// to show progress. n is the number of jobs, 0 if unknown. Waits calls it from several
	// goroutines.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
}

// IntervalLevel is the level of the confidence intervals.
const IntervalLevel = 0.95

func (o *Scoring) watched(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
	if o.Watch == nil {
		return jobs
	}
	return o.Watch(jobs, n)
}

// leastScored is the number of scored jobs below which there is a warning. With 100, a share
// near one half is known to within 0.1 (95 % interval), if the jobs are independent.
const leastScored = 100

// fewJobs warns if n, the number of scored jobs, is small; 0 has a warning of its own. what
// names their scored quantity in the plural, such as "run times".
func fewJobs(n int, what string) []workload.Warning {
	if n == 0 || n >= leastScored {
		return nil
	}
	text := fmt.Sprintf("few %s are scored (%d): with more jobs the scores may differ much (want %d or more)", what, n, leastScored)
	return []workload.Warning{{Rule: "few-jobs", Text: text, Count: 1}}
}

// cut is a way of cutting a log into parts.
type cut struct {
	by    string // length, site or month
	clock workload.Clock
}

func (c cut) months() workload.Calendar { return workload.Calendar{Word: "month", Clock: c.clock} }

// part returns the number of the part to which a job belongs. run is its run time in seconds,
// used only for lengths.
func (c cut) part(q *workload.Request, run float64) int64 {
	switch c.by {
	case "length":
		return score.LengthOf(run)
	case "site":
		return q.Partition
	}
	return c.months().Number(q.Submit)
}

func (c cut) name(part int64) string {
	switch {
	case c.by == "length":
		return []string{"short", "medium", "long"}[part]
	case part == workload.Unknown:
		return "unknown"
	case c.by == "site":
		return strconv.FormatInt(part, 10)
	}
	return c.months().Label(part)
}
