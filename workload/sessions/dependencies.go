package sessions

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

func optionError(name string, saw float64, want string) error {
	return &workload.OptionError{Option: name, Saw: fmt.Sprintf("%g", saw), Want: want}
}

// Dependencies passes jobs on with Preceding and Think (fields 17 and 18 of the
// standard workload format) as their users' work tells them. What stood there
// is replaced. Jobs come by submission, those out of order see only what came
// before them in the stream.
//
// Counted in w, which may be nil: jobs without a user ("no-user"), jobs whose
// end is unknown, so that nothing can wait for them ("no-end"), jobs without a
// number, which no other can name ("no-job-id"), and values that were replaced
// ("dependency-replaced"). The error of an option that cannot be used is the
// first thing that the stream yields.
func Dependencies(jobs workload.JobSeq, o Options, w *workload.Warnings) workload.JobSeq {
	if w == nil {
		w = new(workload.Warnings)
	}
	return func(yield func(workload.Job, error) bool) {
		if err := o.Validate(); err != nil {
			yield(workload.Job{}, err)
			return
		}
		t := NewTracker(o)
		for j, err := range jobs {
			if err != nil {
				yield(j, err)
				return
			}
			t.link(&j, w)
			if !yield(j, nil) {
				return
			}
		}
	}
}

// link places a job and gives it its dependency.
func (t *Tracker) link(j *workload.Job, w *workload.Warnings) {
	p := t.Add(j)
	warn(j, &p, w)
	j.Preceding, j.Think = p.PrecedingID, p.Think
	if j.Preceding == workload.Unknown {
		j.Think = math.NaN()
	}
}

func warn(j *workload.Job, p *Place, w *workload.Warnings) {
	switch {
	case j.User == workload.Unknown:
		w.Add("no-user", "jobs without a dependency: their user is unknown", 0, j.Label())
	case p.Session == workload.Unknown:
		w.Add("no-submit-time", "jobs without a dependency: their submission time is unknown", 0, j.Label())
	case math.IsNaN(End(j)):
		w.Add("no-end", "jobs that no job can wait for: their wait or run time is unknown ('simulate' gives waits)", 0, j.Label())
	case j.ID == workload.Unknown:
		w.Add("no-job-id", "jobs that no job can wait for: they have no number", 0, j.Label())
	}
	if j.Preceding != workload.Unknown && j.Preceding != p.PrecedingID || !math.IsNaN(j.Think) && j.Think != p.Think {
		w.Add("dependency-replaced", "jobs whose own preceding job or think time was replaced", 0, j.Label())
	}
}
