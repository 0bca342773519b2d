package plan_test

import (
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
)

// Jobs behind the depth: one processor is held for 50 s more, and each of ten jobs takes
// it for 100 s. Simulated or not, the i-th starts at 50 + 100 i s.
func TestJobsBehindTheDepth(t *testing.T) {
	m := plan.Machine{Snapshot: predict.Snapshot{Processors: 1, Running: []predict.Occupant{running(1, 1, 100, 50)}}}
	for i := range int64(10) {
		m.Queued = append(m.Queued, request(10+i, 1, 100))
	}
	p := planOf(t, plan.Options{Depth: 2, Limits: []float64{50, 100}}, m)
	for i := range int64(10) {
		s, ok := p.Start(10 + i)
		if want := 50 + 100*float64(i); !ok || math.Abs(s.Expected-want) > 1e-9 || s.Simulated != (i < 2) || s.Place != int(i+1) {
			t.Errorf("job %d starts as %+v, %v; want at %g s", i, s, ok, want)
		}
	}
	if w, err := p.Wait(request(99, 1, 100)); err != nil || math.Abs(w.Expected-1050) > 1e-9 {
		t.Errorf("a request waits %+v, %v; want 1050 s", w, err)
	}
	if w, err := p.Wait(request(99, 1, 50)); err != nil || math.Abs(w.Expected-1050) > 1e-9 {
		t.Errorf("a shorter request waits %+v, %v; want 1050 s", w, err)
	}
}

// A time limit without end, as of Slurm's UNLIMITED, is none: nobody knows how long those
// behind the depth run but by those before it.
func TestEndlessLimitsBehindTheDepth(t *testing.T) {
	m := plan.Machine{Snapshot: predict.Snapshot{Processors: 1}}
	for i, l := range []float64{100, math.Inf(1), math.Inf(1)} {
		m.Queued = append(m.Queued, request(int64(i), 1, l))
	}
	p := planOf(t, plan.Options{Depth: 1}, m)
	if w, err := p.Wait(request(99, 1, 100)); err != nil || w.Expected != 300 {
		t.Errorf("a request waits %+v, %v; want 300 s", w, err)
	}
	if s, ok := p.Start(2); !ok || s.Expected != 200 {
		t.Errorf("the last job starts as %+v, %v; want at 200 s", s, ok)
	}
}

// Of 3000 jobs behind 500 that run, the first 1000 are simulated, or all. Of those behind the
// first 1000 the middle four fifths start within a sixth of when they do if all are
// simulated. Requests wait up to a half longer: simulated behind the whole queue, small and
// short ones are backfilled past it.
func TestTheDepthHardlyMatters(t *testing.T) {
	_, m := busy(t, 500, 3000)
	all := mustPlan(t, plan.Options{Depth: 3000, Draws: plan.FewestDraws}, m)
	some := mustPlan(t, plan.Options{Depth: 1000, Draws: plan.FewestDraws}, m)
	var starts, waits []float64
	for i, q := range m.Queued {
		a, okA := all.Start(q.Row)
		b, okB := some.Start(q.Row)
		if !okA || !okB || !a.Simulated || b.Simulated != (i < 1000) {
			t.Fatalf("job %d starts as %+v, %+v", i, a, b)
		}
		if i >= 1000 {
			starts = append(starts, b.Expected/a.Expected)
		}
		x, _ := all.Wait(q)
		y, _ := some.Wait(q)
		waits = append(waits, y.Expected/x.Expected)
	}
	for _, c := range []struct {
		name      string
		ratios    []float64
		low, high float64
	}{{"starts", starts, 5. / 6, 7. / 6}, {"waits", waits, 5. / 6, 1.5}} {
		slices.Sort(c.ratios)
		n := len(c.ratios)
		if low, high := c.ratios[n/10], c.ratios[n*9/10]; low < c.low || high > c.high {
			t.Errorf("%s: the ratio is %.2f to %.2f, want %.2f to %.2f", c.name, low, high, c.low, c.high)
		}
	}
}
