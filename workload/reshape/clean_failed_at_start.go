package reshape

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// FailedAtStart removes the jobs that did nothing: status failed or
// cancelled, and a run time of at most Run seconds, or unknown. It streams: it
// holds one job.
type FailedAtStart struct {
	Run float64 // s; 0 by default, which in a log of whole seconds is less than half a second
}

var _ Filter = (*FailedAtStart)(nil)

func failedAtStartKind() FilterKind {
	return FilterKind{
		Name:    "failed-at-start",
		Meaning: "jobs that failed or were cancelled (status 0 or 5) before they ran: run time 0 or unknown",
		Parameters: []FilterParameter{
			{"run", "0s", "also those that ran at most so long", secondsParameter(func(f *FailedAtStart) *float64 { return &f.Run })},
		},
		new: func() parsable { return new(FailedAtStart) },
	}
}

// Validate checks that Run is a length of time.
func (f *FailedAtStart) Validate() error {
	if !(f.Run >= 0) || math.IsInf(f.Run, 0) {
		return fmt.Errorf("run: %v: want 0 or more seconds", f.Run)
	}
	return nil
}

// String implements Filter.
func (f *FailedAtStart) String() string {
	if f.Run == 0 {
		return "failed-at-start"
	}
	return "failed-at-start run=" + formatSeconds(f.Run)
}

// Apply implements Filter.
func (f *FailedAtStart) Apply(_ workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			failed := j.Status == workload.StatusFailed || j.Status == workload.StatusCancelled
			if err == nil && failed && !(j.Run > f.Run) {
				o.Remove(&j, failedReason(&j))
				continue
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

func failedReason(j *workload.Job) string {
	what := "failed"
	if j.Status == workload.StatusCancelled {
		what = "cancelled"
	}
	if math.IsNaN(j.Run) {
		return what + ", run time unknown"
	}
	return what + ", run time " + strconv.FormatFloat(j.Run, 'f', -1, 64) + " s"
}
