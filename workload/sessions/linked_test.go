package sessions

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// linkedTo returns the preceding job of each job.
func linkedTo(t *testing.T, jobs workload.JobSeq, w *workload.Warnings) (preceding []int64, found Links) {
	t.Helper()
	for _, j := range jobtest.Collect(t, Linked(jobs, w, &found)) {
		preceding = append(preceding, j.Preceding)
	}
	return preceding, found
}

func TestLinked(t *testing.T) {
	none := workload.Unknown
	derived := []int64{none, none, none, 1, 3, 5, 6, none, 7, 8, 2, 2} // as in TestPlaces
	own := make([]int64, len(derived))
	for i := range own {
		own[i] = none
	}
	own[9] = 3
	jobs := logged(twoUsers)
	jobs[4].Think = 12 // without a preceding job: ignored
	for _, c := range []struct {
		name string
		own  bool
		want []int64
		n    int64
	}{{"without dependencies", false, derived, 8}, {"with one", true, own, 1}} {
		if c.own {
			jobs[9].Preceding = 3
		}
		got, found := linkedTo(t, seq(jobs, nil), nil)
		if !slices.Equal(got, c.want) || found != (Links{c.own, c.n}) {
			t.Errorf("%s: %v, %+v, want %v, %d jobs", c.name, got, found, c.want, c.n)
		}
	}
}

// A dependency on a job beyond those read ahead comes too late: it is replaced and counted.
func TestLinkedTooLate(t *testing.T) {
	jobs := func(at int) workload.JobSeq {
		return func(yield func(workload.Job, error) bool) {
			for i := range LinkedWindow + 10 {
				j := job(int64(i), 1, float64(i), 0, math.NaN())
				if i == at {
					j.Preceding = 1
				}
				if !yield(j, nil) {
					return
				}
			}
		}
	}
	for at, own := range map[int]bool{LinkedWindow - 1: true, LinkedWindow: false} {
		var w workload.Warnings
		if _, found := linkedTo(t, jobs(at), &w); found.Own != own || w.Has("dependency-replaced") == own {
			t.Errorf("first dependency at %d: %+v, %v", at, found, w.List())
		}
	}
}
