package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A group with at least 59 waits has its own bound; one with fewer has the bound of its site, or
// of all jobs. Each level learns the same as it would alone.
func TestBackoff(t *testing.T) {
	level := func(words ...string) BoundPredictor {
		classes := jobtest.Must(workload.ClassesOf(words, workload.Grouping{Submitted: true}))
		p := jobtest.Must(NewBMBP(0.95, 0.95, BoundOptions{Groups: classes}))
		return p
	}
	b := NewBackoff(level("site", "size"), level("site"), level("all"))
	// The waits of the site or size decrease, so that no bound is missed: after n waits of at
	// most w, the bound is w if n is at most 92.
	at := func(row, site, size int64, wait float64) workload.Job {
		j := waited(1e4*float64(row), wait)
		j.Row, j.Partition, j.Size, j.Processors = row, site, size, size
		return j
	}
	row := int64(0)
	for _, c := range []struct {
		site, size int64
		first      float64 // first wait; each later one is 1 s shorter
		n          int
		want       float64 // bound of the next job
		group      string
	}{
		{1, 1, 1000, 58, math.NaN(), "all"},
		{1, 1, 900, 1, 1000, "partition_id=1, size=1"},
		{1, 2, 800, 20, 1000, "partition_id=1"},
		{2, 1, 700, 10, 1000, "all"},
		{2, 1, 600, 49, 700, "partition_id=2, size=1"},
	} {
		for k := range c.n {
			j := at(row, c.site, c.size, c.first-float64(k))
			b.Predict(j.Request)
			b.Observe(j, NoBound())
			row++
		}
		got, ok := b.Predict(at(1e6, c.site, c.size, 0).Request)
		if ok == math.IsNaN(c.want) || ok && got.Seconds != c.want || got.Group != c.group {
			t.Errorf("after %d jobs, site %d, size %d: %+v, want %g s of %s", row, c.site, c.size, got, c.want, c.group)
		}
	}
	// A withdrawn job is forgotten, also when the predictor is part of combined.
	past := BoundOptions{PastWaits: func(string, float64, float64) (BoundPredictor, error) { return b, nil }}
	c := jobtest.Must(NewBound(CombinedBound, 0.95, 0.95, past)).(*combined)
	withdrawn := at(1e6, 1, 1, 0).Request
	c.Submitted(withdrawn)
	c.Ended(withdrawn, withdrawn.Submit)
	if len(b.given) != 0 {
		t.Errorf("%d jobs are kept", len(b.given))
	}
}
