package predict

import (
	"fmt"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// A group with 59 waits or more has a bound of its own; one with fewer has that of
// its site, or of all. What a level learns is what it would alone.
func TestBackoff(t *testing.T) {
	level := func(words ...string) BoundPredictor {
		classes, err := workload.ClassesOf(words, workload.Grouping{Submitted: true})
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewBMBP(0.95, 0.95, BoundOptions{Groups: classes})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	// Waits of 1 to 59 s at site 1 on one processor, of 100 to 158 s there on two,
	// of 1000 s to 1039 s at site 2: of 59 the bound is the longest.
	var jobs []workload.Job
	add := func(site, size int64, n int, from float64) {
		for i := range n {
			j := waited(1e4*float64(len(jobs)), from+float64(i))
			j.Row, j.Partition, j.Size, j.Processors = int64(len(jobs)), site, size, size
			jobs = append(jobs, j)
		}
	}
	add(1, 1, 59, 1)
	add(1, 2, 40, 100)
	add(2, 1, 40, 1000)
	replay := func(p BoundPredictor) (said []float64) {
		for w, err := range replayBounds(workload.JobsOf(jobs), p) {
			if err != nil {
				t.Fatal(err)
			}
			said = append(said, w.Forecasts[0].Bounds[0].Seconds)
		}
		return said
	}
	b := NewBackoff(level("site", "size"), level("site"), level("all"))
	got := replay(b)
	sites, all := replay(level("site")), replay(level("all"))
	for i := range jobs {
		want := math.NaN()
		switch {
		case i < 59:
		case i < 99: // the site's, for sizes that are new
			want = sites[i]
		default: // all, at a site that is new
			want = all[i]
		}
		if fmt.Sprint(got[i]) != fmt.Sprint(want) {
			t.Fatalf("job %d: %g s, want %g", i, got[i], want)
		}
	}
	for _, c := range []struct {
		site, size int64
		want       float64
		group      string
	}{{1, 1, 59, "partition_id=1, size=1"}, {1, 2, 139, "partition_id=1"}, {2, 1, 1039, "all"}} {
		r := workload.UnknownJob().Request
		r.Row, r.Partition, r.Size, r.Processors = 1000, c.site, c.size, c.size
		x, ok := b.Predict(r)
		if !ok || x.Seconds > c.want || x.Group != c.group {
			t.Errorf("%+v: %+v", c, x)
		}
	}
	if len(b.given) != 1 {
		t.Errorf("%d jobs are still kept, want the one that was asked about", len(b.given))
	}
}
