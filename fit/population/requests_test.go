package population

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Requests by hand: user 1 requests 600 s for the bags (run times of 100, 100 and 500 s) and 1000
// s for the job of 1000 s, which reaches its estimate; user 2 requests nothing. Queue 7 has the
// bags, queue 3 the longer job, queue 9 the jobs of user 2.
func TestRequests(t *testing.T) {
	jobs := twoUsers()
	for i := range jobs {
		j := &jobs[i]
		j.Status = workload.StatusCompleted
		switch {
		case j.User == 2:
			j.Queue = 9
		case j.Size == 4:
			j.Time, j.Memory, j.Queue, j.Application = 600, 1024, 7, 5
		default:
			j.Time, j.Memory, j.Queue, j.Application, j.Status = 1000, 1024, 3, 6, workload.StatusFailed
		}
	}
	m, _ := fitted(t, jobs, &workload.Header{}, 8)
	e := &m.Estimates
	if !slices.Equal(e.Values, []float64{0, 600, 1000}) || !slices.Equal(e.Shares, []float64{.2, .6, .2}) || e.Jobs != 16 {
		t.Errorf("estimates %v with shares %v, %d jobs", e.Values, e.Shares, e.Jobs)
	}
	// One job of four a week runs from 600 s to an hour; the job of 500 s is in the class below.
	if want := []population.ReachedClass{{Class: population.Class{From: 60, Jobs: 12}}, {Class: population.Class{From: 600, Jobs: 4}, Share: 1}}; !slices.Equal(e.Reached, want) {
		t.Errorf("reached %v, want %v", e.Reached, want)
	}
	if e.Early != 0 || e.Overrun.P != nil || e.Late.At(.5) != 0 {
		t.Errorf("early %g, overrun %v, late %v", e.Early, e.Overrun, e.Late)
	}
	if !slices.Equal(m.Memory.Values, []float64{0, 1024}) || !slices.Equal(m.Memory.Shares, []float64{.2, .8}) {
		t.Errorf("memory %v %v", m.Memory.Values, m.Memory.Shares)
	}
	// Scores of run times are within a class of sizes, and the log has too few jobs for more than
	// one class: 1 s, 100 and 500 s, 1000 s.
	if !slices.Equal(m.Queues.Values, []float64{9, 7, 3}) || !slices.Equal(m.Queues.Shares, []float64{.2, .6, .2}) {
		t.Errorf("queues %v %v", m.Queues.Values, m.Queues.Shares)
	}
	if m.Applications.Count != 2 || m.Applications.Jobs != 16 {
		t.Errorf("applications %+v", m.Applications)
	}
	s := &m.Statuses
	if !slices.Equal(s.Values, []int64{0, 1, -1}) || !slices.Equal(s.Reached, []float64{1, 0, 0}) || len(s.Classes) != 2 || !slices.Equal(s.Classes[1].Shares, []float64{0, 1, 0}) {
		t.Errorf("statuses %+v", s)
	}
	// User 1's templates alternate between two: in 7 changes, none keeps the estimate, and one is
	// to a new application.
	one := &m.Users.Strata[0].Margins
	checkTraits(t, []traitCase{
		{"estimate_same", one.EstimateSame, 0}, {"memory_same", one.MemorySame, 1}, {"queue_same", one.QueueSame, 0}, {"estimate_reached", one.EstimateReached, .25},
		{"application_new", one.ApplicationNew, 1. / 7}, {"application_same", one.ApplicationSame, 0},
	})
}

// A log without requests gives a model without these parts, and without their traits.
func TestNoRequests(t *testing.T) {
	m, _ := fitted(t, twoUsers(), &workload.Header{}, 8)
	if m.Estimates.Values != nil || m.Memory.Values != nil || m.Queues.Values != nil || m.Applications.Count != 0 || m.Statuses.Values != nil {
		t.Errorf("%+v %+v %+v %+v %+v", m.Estimates, m.Memory, m.Queues, m.Applications, m.Statuses)
	}
	for trait, q := range m.Users.Strata[0].Margins.All() {
		if has := q != nil; has != m.Has(trait) || m.Has(trait) != (trait < 38) {
			t.Errorf("the model has %s: %v", population.TraitName(trait), has)
		}
	}
}
