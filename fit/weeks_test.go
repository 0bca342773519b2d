package fit

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

var compareWeeks = cmp.AllowUnexported(counts{}, shape{}, tally{})

// TestWeeksAreTheLog: weeks pooled are the log.
func TestWeeksAreTheLog(t *testing.T) {
	clock := workload.Clock{Start: time.Unix(0, 0).UTC(), Known: true}
	rapid.Check(t, func(t *rapid.T) {
		all := NewCollector(clock)
		all.weeks = map[int64]*counts{}
		at := 0.0
		for range rapid.IntRange(0, 40).Draw(t, "n") {
			j := workload.UnknownJob()
			at += rapid.SampledFrom([]float64{0, 5, 600, 40000, 300000, 2e6, -3}).Draw(t, "gap")
			j.Submit = at
			j.Size = rapid.Int64Range(-1, 4).Draw(t, "size")
			j.Run = rapid.SampledFrom([]float64{0, 1, 60, 3600}).Draw(t, "run")
			all.Add(&j)
		}
		pooled := newCounts()
		for _, w := range all.weeks {
			pooled.pool(w, 1)
		}
		if d := cmp.Diff(all.counts, pooled, compareWeeks); d != "" {
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

// A log of more weeks than are kept apart has none, and one with a job far off has.
func TestManyWeeks(t *testing.T) {
	const week = 7 * 86400
	c := NewCollector(workload.Clock{Start: time.Unix(4*86400, 0).UTC(), Known: true})
	c.weeks = map[int64]*counts{}
	add := func(week0 int) {
		j := workload.UnknownJob()
		j.Submit = float64(week0*week + 100)
		c.Add(&j)
	}
	for w := range mostWeeks - 1 {
		add(w)
	}
	add(100_000)
	if weeks, ok := WeeksOf([]Class{{Collector: c}}); !ok || len(weeks) != mostWeeks {
		t.Errorf("%d weeks, %v, want %d", len(weeks), ok, mostWeeks)
	}
	add(200_000)
	if weeks, ok := WeeksOf([]Class{{Collector: c}}); ok {
		t.Errorf("%d weeks are kept, want none", len(weeks))
	}
}
