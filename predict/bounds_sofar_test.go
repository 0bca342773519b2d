package predict

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// guard writes down what it is told of the queue.
type guard struct{ scribe }

func (g *guard) Submitted(r workload.Request) {
	g.lines = append(g.lines, fmt.Sprintf("submitted %d", r.ID))
}

func (g *guard) Ended(r workload.Request, now float64) {
	g.lines = append(g.lines, fmt.Sprintf("ended %d at %g", r.ID, now))
}

// At a moment, a job without a wait still waits and one without a run time still runs;
// of a whole log the one is left out, and the other ends as it starts.
func TestBoundsSoFar(t *testing.T) {
	nan := math.NaN()
	jobs := []workload.Job{waited(0, 1), waited(2, 3), waited(4, nan)}
	jobs[0].Run, jobs[1].Run, jobs[2].Run = 6, nan, nan
	for i := range jobs {
		jobs[i].ID, jobs[i].Row = int64(i+1), int64(i)
	}
	for _, c := range []struct {
		soFar bool
		want  []string
	}{
		{true, []string{"predict 1", "submitted 1", "observe 1: 1, said 100", "predict 2", "submitted 2", "predict 3", "submitted 3", "observe 2: 3, said 101", "ended 1 at 7"}},
		{false, []string{"predict 1", "submitted 1", "observe 1: 1, said 100", "predict 2", "submitted 2", "observe 2: 3, said 101", "ended 2 at 5", "ended 1 at 7"}},
	} {
		g := &guard{}
		rows := Bounds(workload.JobsOf(jobs), 0, []BoundPredictor{g})
		if c.soFar {
			rows = BoundsSoFar(workload.JobsOf(jobs), []BoundPredictor{g})
		}
		for _, err := range rows {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(g.lines, c.want) {
			t.Errorf("so far %t: %q, want %q", c.soFar, g.lines, c.want)
		}
	}
}
