package allocate

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Six jobs by sequential time: 1, 2, 3 are of one class and 40, 50, 60 of the
// other; the laws are from the shortest to the longest run time of each.
func TestLifetimesByClass(t *testing.T) {
	var jobs []Job
	var base []Placement
	for i, l := range []float64{40, 1, 50, 2, 60, 3} {
		jobs = append(jobs, linear(int64(i), 0, l, 4))
		base = append(base, Placement{Run: l / 2})
	}
	short, long := dist.UniformLog{TMin: 0.5, TMax: 1.5}, dist.UniformLog{TMin: 20, TMax: 30}
	l, err := newLifetimes(Rules{Classes: 2}, jobs, base)
	if err != nil {
		t.Fatal(err)
	}
	for i := range jobs {
		want := short
		if i%2 == 0 {
			want = long
		}
		if got := l.of(int32(i)); got != want {
			t.Errorf("job %d has %+v, want %+v", i, got, want)
		}
		r := workload.Request{ID: int64(i)}
		if got := l.Survival(&r, want.TMin, 1); got != want.SurvivalGiven(want.TMin, 1) {
			t.Errorf("job %d survives with %g", i, got)
		}
	}
	if l, err := newLifetimes(Rules{}, jobs, base); err != nil || l.of(3) != (dist.UniformLog{TMin: 0.5, TMax: 30}) {
		t.Errorf("one class: %+v, %v", l, err)
	}
	// A class of equal jobs has no law of its own.
	l, err = newLifetimes(Rules{Classes: 6}, jobs, base)
	if err != nil || l.of(0) != (dist.UniformLog{TMin: 0.5, TMax: 30}) {
		t.Errorf("six classes: %+v, %v", l, err)
	}
	// Jobs of one length are of one class.
	for i := range jobs {
		jobs[i].Sequential = 7
	}
	if l, err = newLifetimes(Rules{Classes: 3}, jobs, base); err != nil || l.of(0) != l.of(5) {
		t.Errorf("equal jobs: %+v, %v", l, err)
	}
}

// Times of fewer than two values determine no law.
func TestNoLifetimes(t *testing.T) {
	for _, none := range [][]float64{nil, {5}, {5, 5, 5}} {
		if law, ok := lawOf(none); ok {
			t.Errorf("%v gives %+v", none, law)
		}
	}
}
