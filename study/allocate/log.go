package allocate

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// LogOptions are the options of FromLog.
type LogOptions struct {
	Processors int // of the machine, at least 1
	// Days divides submissions into days of 24 hours, as in the preset
	// downey1997, for a machine whose nights depend on the schedule. Without
	// it the submission times do not change, for a Machine with Open.
	Days bool
	// Sigma, if not NaN, makes rigid jobs malleable; it is at least 0. A is
	// the job's size in the log, and L follows from its run time on that size.
	// This is the user's assumption; nothing in a log supports it. Jobs that
	// are malleable in the log do not change.
	Sigma float64

	most int // jobs; 0 is mostJobs
}

// ErrRigid is the error of FromLog for a log without a job that it can use.
var ErrRigid = errors.New("no job of the log can be malleable")

// FromLog reads the jobs of a log, in any order. Left out are jobs without a
// submission time, those with a run time that is not above 0, those larger than
// the machine, and, without Sigma, those that are not malleable; warnings, which
// may be nil, counts them. More than 4 million are an error.
func FromLog(log iter.Seq2[workload.Job, error], o LogOptions, warnings *workload.Warnings) ([]Job, error) {
	if o.Sigma < 0 || math.IsInf(o.Sigma, 0) {
		return nil, fmt.Errorf("sigma of the log's jobs is %g, want a number of 0 or more", o.Sigma)
	}
	if warnings == nil {
		warnings = new(workload.Warnings)
	}
	type submitted struct {
		Job
		at float64
	}
	var all []submitted
	read := 0
	for j, err := range log {
		if err != nil {
			return nil, err
		}
		read++
		if why, text := o.unfit(&j); why != "" {
			warnings.Add(why, text, 0, j.Label())
			continue
		}
		m := Job{ID: j.ID, Sequential: j.SequentialTime, Parallelism: j.AverageParallelism, Sigma: j.Sigma}
		if !malleable(&j) {
			a := float64(j.Size)
			m.Sequential, m.Parallelism, m.Sigma = j.Run*model.DowneyS(a, a, o.Sigma), a, o.Sigma
		}
		if all = append(all, submitted{m, j.Submit}); len(all) > cmp.Or(o.most, mostJobs) {
			return nil, fmt.Errorf("job %d is beyond the %d jobs that a study can hold: study a part of the log", j.ID, cmp.Or(o.most, mostJobs))
		}
	}
	if len(all) == 0 {
		want := "jobs with sequential times, parallelism and sigma, or a sigma for those that have a size and a run time"
		if !math.IsNaN(o.Sigma) {
			want = "jobs with a submission, a size that fits the machine and a run time"
		}
		return nil, fmt.Errorf("%w, of %d, want %s", ErrRigid, read, want)
	}
	slices.SortStableFunc(all, func(a, b submitted) int { return cmp.Compare(a.at, b.at) })
	jobs := make([]Job, len(all))
	first := all[0].at
	if o.Days {
		first = math.Floor(first/(2*HalfDay)) * 2 * HalfDay
	}
	for i, x := range all {
		jobs[i] = x.Job
		jobs[i].Offset = x.at - first
		if o.Days {
			day := math.Floor(jobs[i].Offset / (2 * HalfDay))
			if day > maxDay {
				return nil, fmt.Errorf("job %d is submitted %g days after the first, want at most %d", x.ID, day, maxDay)
			}
			jobs[i].Day = int(day)
			jobs[i].Offset -= day * 2 * HalfDay
		}
		if err := jobs[i].Validate(); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

func malleable(j *workload.Job) bool {
	return j.SequentialTime > 0 && j.AverageParallelism >= 1 && j.Sigma >= 0
}

// unfit says why a job is left out.
func (o LogOptions) unfit(j *workload.Job) (code, why string) {
	rigid := !malleable(j)
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		return "no-submit", "jobs left out: they have no submission time"
	case rigid && math.IsNaN(o.Sigma):
		return "rigid", "jobs left out: they are not malleable, and no sigma is given for those that are not"
	case rigid && !(j.Size > 0):
		return "no-size", "jobs left out: they have no size"
	case rigid && (!(j.Run > 0) || math.IsInf(j.Run, 1)):
		return "no-run-time", "jobs left out: they have no run time above 0"
	case rigid && j.Size > int64(o.Processors):
		return "too-large", "jobs left out: they are larger than the machine"
	}
	return "", ""
}
