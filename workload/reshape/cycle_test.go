package reshape

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Two days with jobs at 8:00 to 8:30 and 12:00 to 12:30 only. From the first
// submission, 8:00, to the last, 12:15 on the second day, the first slot was
// seen for 3600 s with four jobs, the second for 2700 s with four: rates 1/900
// and 1/675. In the cycle's time the eight jobs stand at 0, 1, 2, 10/3, 14/3,
// 17/3, 20/3 and 8.
func TestWarpByHand(t *testing.T) {
	none, _ := (&workload.Header{}).Clock()
	jobs := submitted(28800, 29700, 43200, 44100, 115200, 116100, 129600, 130500)
	// Load 1 on one processor takes 188,100 s: until 216,900 s, which is 12:15
	// on the third day and 38/3 in the cycle's time.
	for i := range jobs {
		jobs[i].Size, jobs[i].Run = 1, 188100.0/8
	}
	l := measured(t, jobs)
	c, err := MeasureCycle(seqFrom(jobs), l, none)
	if err != nil {
		t.Fatal(err)
	}
	for s, rate := range c.Rates {
		want := map[int]float64{16: 1.0 / 900, 24: 1.0 / 675}[s%48]
		if math.Abs(rate-want) > 1e-15 {
			t.Errorf("rate of half hour %d: %g, want %g", s, rate, want)
		}
	}
	w, err := c.WarpTo(l, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if c.Weekly || math.Abs(w.Scale-38.0/24) > 1e-12 {
		t.Errorf("weekly %v, scale %g, want 19/12", c.Weekly, w.Scale)
	}
	want := []float64{28800, 30225, 43987.5, 115750, 130087.5, 131156.25, 202700, 216900}
	for i, j := range jobtest.Collect(t, w.Jobs(seqFrom(jobs))) {
		// Whole seconds, rounded down, rounding errors included.
		if off := want[i] - j.Submit; off < -1e-6 || off > 1 || j.Submit != math.Trunc(j.Submit) {
			t.Errorf("job %d: at %g, want %g rounded down", i, j.Submit, want[i])
		}
	}
}

func TestWarpSaysWhatItCannot(t *testing.T) {
	none, _ := (&workload.Header{}).Clock()
	jobs := numbered(20000, 3)
	l := measured(t, jobs)
	c, err := MeasureCycle(seqFrom(jobs), l, none)
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []float64{1e9, 1e-9, 0} {
		if _, err := c.WarpTo(l, 1, target); err == nil {
			t.Errorf("load %g: no error", target)
		}
	}
	for _, times := range [][]float64{{5}, {0, 1e11}, {1e12, 1e12 + 5}} {
		jobs := submitted(times...)
		if _, err := MeasureCycle(seqFrom(jobs), measured(t, jobs), none); err == nil {
			t.Errorf("submissions %g: no error", times)
		}
	}
	if _, err := MeasureCycle(seqFrom(submitted(1e9)), l, none); err != ErrChanged {
		t.Errorf("another log: got %v", err)
	}
	w, err := c.WarpTo(l, 1, l.Offered(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := failing(w.Jobs(seqFrom(submitted(1e9)))); err != ErrChanged {
		t.Errorf("another log: got %v", err)
	}
}
