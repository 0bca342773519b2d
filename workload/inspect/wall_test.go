package inspect

import (
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Days begin at midnight in Zurich, in winter, over the change of 31 March 1996 at
// 2:00, and in summer. Second 0 is 14:00:31 on 29 March, 50,431 s after midnight.
func TestLoadFromMidnight(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	clock := workload.Clock{Start: time.Date(1996, 3, 29, 14, 0, 31, 0, zone), Known: true}
	const midnight = 86400 - 50431 // to 30 March
	d := describeWith(t, DescribeOptions{Processors: 1, Interval: 86400}, clock, usualLimits,
		job(0, 0, 10, 1), job(midnight-1, 0, 10, 1), job(midnight, 0, 10, 1),
		job(midnight+86400+82799, 0, 10, 1), job(midnight+86400+82800, 0, 10, 1))
	var starts []float64
	var jobs []int64
	for _, i := range d.Load.Intervals {
		starts, jobs = append(starts, float64(i.Start)), append(jobs, i.Jobs)
	}
	// 31 March has 23 hours.
	want := []float64{-50431, midnight, midnight + 86400, midnight + 86400 + 82800}
	for i, n := range []int64{2, 1, 1, 1} {
		if len(starts) != 4 || starts[i] != want[i] || jobs[i] != n {
			t.Fatalf("days from %v with %v jobs, want %v with 2, 1, 1, 1", starts, jobs, want)
		}
	}
	if got := d.Load.Intervals[2].Covered; got != 82800 || d.Load.Intervals[2].Share != 1 {
		t.Errorf("31 March has %g s, %g of it", float64(got), d.Load.Intervals[2].Share)
	}
	// Hours are those of the clock, and all of 3600 s.
	d = describeWith(t, DescribeOptions{Processors: 1, Interval: 3600}, clock, usualLimits, job(0, 0, 10, 1), job(2*86400, 0, 10, 1))
	if first, last := d.Load.Intervals[0].Start, d.Load.Intervals[48].Start; first != -31 || last != 2*86400-31 || len(d.Load.Intervals) != 49 {
		t.Errorf("hours from %g to %g", float64(first), float64(last))
	}
	// Without a date second 0 is midnight.
	clock = workload.Clock{Start: time.Unix(4*86400, 0).UTC()}
	if d = describeWith(t, DescribeOptions{Processors: 1, Interval: 86400}, clock, usualLimits, job(86399, 0, 10, 1), job(86400, 0, 10, 1)); d.Load.Intervals[0].Start != 0 || len(d.Load.Intervals) != 2 {
		t.Errorf("without a date: %+v", d.Load.Intervals)
	}
}
