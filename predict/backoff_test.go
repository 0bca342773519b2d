package predict

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A group with 59 waits or more has a bound of its own; one with fewer has that of
// its site, or of all. What a level learns is what it would alone.
func TestBackoff(t *testing.T) {
	level := func(words ...string) BoundPredictor {
		classes := jobtest.Must(workload.ClassesOf(words, workload.Grouping{Submitted: true}))
		p := jobtest.Must(NewBMBP(0.95, 0.95, BoundOptions{Groups: classes}))
		return p
	}
	b := NewBackoff(level("site", "size"), level("site"), level("all"))
	// The site's or size's waits fall, so that no bound is missed: of n waits up to w the
	// bound is w where n is at most 92.
	at := func(row, site, size int64, wait float64) workload.Job {
		j := waited(1e4*float64(row), wait)
		j.Row, j.Partition, j.Size, j.Processors = row, site, size, size
		return j
	}
	row := int64(0)
	for _, c := range []struct {
		site, size int64
		first      float64 // of the waits, of which each next is 1 s less
		n          int
		want       float64 // for the next job
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
	// A job that is withdrawn is forgotten, also where combined asks.
	past := BoundOptions{PastWaits: func(string, float64, float64) (BoundPredictor, error) { return b, nil }}
	c := jobtest.Must(NewBound(CombinedBound, 0.95, 0.95, past)).(*combined)
	withdrawn := at(1e6, 1, 1, 0).Request
	c.Submitted(withdrawn)
	c.Ended(withdrawn, withdrawn.Submit)
	if len(b.given) != 0 {
		t.Errorf("%d jobs are kept", len(b.given))
	}
}
