package reshape

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Window removes the jobs that were not submitted between two instants, and
// those of which the submission is unknown. It streams: it holds one job.
type Window struct {
	// From is the first instant that belongs to the window and To the first
	// after it: seconds from the log's start (also 15m, 2h, 1.5d, 1w), or a
	// date at the site such as 2024-02-01 or 2024-02-01T15:04:05. Empty is no
	// bound.
	From, To string
}

var _ Filter = (*Window)(nil)

func windowKind() FilterKind {
	return FilterKind{
		Name:    "window",
		Meaning: "jobs not submitted in a window of time: only from <= submission < to stays",
		Parameters: []FilterParameter{
			{"from", "", "first instant inside: seconds from the log's start, 3d, or a date at the site such as 2024-02-01 or 2024-02-01T15:04:05",
				stringParameter(func(w *Window) *string { return &w.From })},
			{"to", "", "first instant behind it", stringParameter(func(w *Window) *string { return &w.To })},
		},
		new: func() parsable { return new(Window) },
	}
}

// Validate checks what can be checked without a log.
func (w *Window) Validate() error {
	if w.From == "" && w.To == "" {
		return fmt.Errorf("want from= or to=")
	}
	h := workload.Header{Lines: []string{"UnixStartTime: 0"}}
	_, _, err := w.bounds(h)
	return err
}

// String implements Filter.
func (w *Window) String() string {
	s := "window"
	if w.From != "" {
		s += " from=" + w.From
	}
	if w.To != "" {
		s += " to=" + w.To
	}
	return s
}

func (w *Window) bounds(h workload.Header) (from, to float64, err error) {
	from, to = math.Inf(-1), math.Inf(1)
	clock, _ := h.Clock()
	if w.From != "" {
		if from, err = parseInstant(w.From, clock); err != nil {
			return 0, 0, fmt.Errorf("from=%w", err)
		}
	}
	if w.To != "" {
		if to, err = parseInstant(w.To, clock); err != nil {
			return 0, 0, fmt.Errorf("to=%w", err)
		}
	}
	return from, to, nil
}

// Apply implements Filter. Dates in a log without a start time are an error.
func (w *Window) Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		from, to, err := w.bounds(h)
		if err == nil && from >= to {
			err = fmt.Errorf("from is not before to")
		}
		if err != nil {
			yield(workload.Job{}, fmt.Errorf("filter %q: %w", w.String(), err))
			return
		}
		for j, err := range jobs {
			if err == nil && !(j.Submit >= from && j.Submit < to) {
				o.Remove(&j, windowReason(j.Submit, from))
				continue
			}
			if !yield(j, err) {
				return
			}
		}
	}
}

func windowReason(submit, from float64) string {
	at := strconv.FormatFloat(submit, 'f', -1, 64)
	switch {
	case math.IsNaN(submit):
		return "submission unknown"
	case submit < from:
		return "submitted at " + at + " s, before the window"
	default:
		return "submitted at " + at + " s, behind the window"
	}
}
