package fit

import (
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

var compareWeeks = cmp.Options{
	cmp.AllowUnexported(Collector{}, shape{}, moment{}, asked{}, EstimateCounter{}, weeks{}),
	cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
}

// TestWeeksAreTheLog: weeks pooled are the log.
func TestWeeksAreTheLog(t *testing.T) {
	clock := workload.Clock{Start: time.Unix(0, 0).UTC(), Known: true}
	rapid.Check(t, func(t *rapid.T) {
		all := NewWeeklyCollector(clock)
		at := 0.0
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			j := workload.UnknownJob()
			at += rapid.SampledFrom([]float64{0, 5, 600, 40000, 300000, 2e6, -3}).Draw(t, "gap")
			j.Submit = at
			j.Size = rapid.Int64Range(-1, 4).Draw(t, "size")
			j.Run = rapid.SampledFrom([]float64{0, 1, 60, 3600}).Draw(t, "run")
			all.Add(&j)
		}
		pooled := NewCollector(clock)
		for _, b := range all.weeks.blocks {
			pooled.pool(b, 1)
		}
		whole := *all
		whole.weeks, whole.first, whole.last = nil, moment{}, moment{}
		if d := cmp.Diff(&whole, pooled, compareWeeks); d != "" {
			t.Fatalf("the log and its weeks differ:\n%s", d)
		}
	})
}

func TestWeekNumber(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	// 5 January 1970 was a Monday, and 7 October 1996 the one 1396 weeks later.
	for _, tt := range []struct {
		at   time.Time
		want int64
	}{
		{time.Date(1970, 1, 4, 23, 59, 59, 0, zone), 0},
		{time.Date(1970, 1, 5, 0, 0, 0, 0, zone), 1},
		{time.Date(1969, 12, 28, 12, 0, 0, 0, zone), -1},
		{time.Date(1996, 10, 6, 23, 59, 59, 0, zone), 1396},
		{time.Date(1996, 10, 7, 0, 0, 0, 0, zone), 1397},
	} {
		if got := weekNumber(tt.at); got != tt.want {
			t.Errorf("%v is in week %d, want %d", tt.at, got, tt.want)
		}
		if start := weekStart(tt.want, zone); start.After(tt.at) || !weekStart(tt.want+1, zone).After(tt.at) || start.Weekday() != time.Monday {
			t.Errorf("week %d begins at %v", tt.want, start)
		}
	}
}

// TestManyWeeks: of more weeks than are kept apart, two are one block; a log
// with one job far off has no more.
func TestManyWeeks(t *testing.T) {
	const week = 7 * 86400
	c := NewWeeklyCollector(workload.Clock{Start: time.Unix(4*86400, 0).UTC(), Known: true})
	add := func(week0 int) {
		j := workload.UnknownJob()
		j.Submit = float64(week0*week + 100)
		c.Add(&j)
	}
	for w := range mostWeeks {
		add(w)
	}
	if c.weeks.length != 1 || len(c.weeks.blocks) != mostWeeks {
		t.Errorf("%d blocks of %d weeks, want %d of 1", len(c.weeks.blocks), c.weeks.length, mostWeeks)
	}
	add(100_000)
	if c.weeks.length != 2 || len(c.weeks.blocks) != mostWeeks/2+2 {
		t.Errorf("%d blocks of %d weeks, want %d of 2", len(c.weeks.blocks), c.weeks.length, mostWeeks/2+2)
	}
	var jobs int64
	for b := range maps.Values(c.weeks.blocks) {
		jobs += b.jobs
	}
	if jobs != mostWeeks+1 {
		t.Errorf("%d jobs in blocks, want %d", jobs, mostWeeks+1)
	}
}
