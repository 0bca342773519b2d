package fit

import (
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func TestWeekNumber(t *testing.T) {
	zone := jobtest.Must(time.LoadLocation("Europe/Stockholm"))
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

// A log with more weeks than can be kept apart has no weeks; a log with one far outlying job has.
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
