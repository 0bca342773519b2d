package score

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

func scheduled(submit, wait, run float64, size int64) *workload.Job {
	j := workload.UnknownJob()
	j.Submit, j.Wait, j.Run, j.Size = submit, wait, run, size
	return &j
}

// Four jobs on 4 processors, by hand: ends at 1100, 1150, 1110 and 1170.
func TestScheduleByHand(t *testing.T) {
	tally := ScheduleTally{Processors: 4}
	tally.Add(scheduled(1000, 0, 100, 4))
	tally.Add(scheduled(1010, 90, 50, 2))
	tally.Add(scheduled(1020, 80, 10, 2))
	tally.Add(scheduled(1030, 120, 20, 4))
	tally.Add(scheduled(1030, math.NaN(), 20, 4)) // not counted
	tally.Add(scheduled(1030, 10, -1, 4))         // not counted
	for _, at := range []struct {
		time   float64
		queued int
		busy   int64
	}{{1000, 0, 4}, {1010, 1, 4}, {1020, 2, 4}, {1030, 3, 4}, {1100, 1, 4}, {1110, 1, 2}, {1150, 0, 4}, {1170, 0, 0}} {
		tally.Queue(at.time, at.queued, at.busy)
	}
	s := tally.Result()
	jobtest.CheckNumbers(t, s, map[string]float64{
		"jobs": 4, "wait_mean_s": 290.0 / 4, "wait_max_s": 120, "response_mean_s": 470.0 / 4, "waited_pct": 75,
		"wait_median_s":         85,                      // between 80 and 90
		"bounded_slowdown_mean": (1 + 2.8 + 9 + 7) / 4.0, // 1, 140/50, 90/10, 140/20
		"utilisation":           600.0 / (4 * 170),
		"queued_mean":           290.0 / 170, "queued_most": 3, "queued_most_at_s": 1030,
	})
	jobtest.CheckNumbers(t, *ThroughputOf(&s), map[string]float64{
		"makespan_s": 170, "jobs_per_day": 4 * 86400.0 / 170, "processor_s_per_day": 600 * 86400.0 / 170,
	})
	if s.Tau != 10 || s.Work != 400+100+20+80 {
		t.Errorf("%+v", s)
	}
}

func TestSlowdownIsBounded(t *testing.T) {
	for _, c := range []struct{ tau, wait, run, want float64 }{
		{0, 5, 1, 1},       // 6/10
		{0, 19, 1, 2},      // 20/10
		{60, 19, 1, 1},     // 20/60
		{60, 100, 50, 2.5}, // 150/60
		{10, 100, 50, 3},
		{10, 0, 0, 1},
	} {
		tally := ScheduleTally{Tau: c.tau}
		tally.Add(scheduled(0, c.wait, c.run, 1))
		if got := float64(tally.Result().BoundedSlowdown.Max); got != c.want {
			t.Errorf("tau %g, wait %g, run %g: %g, want %g", c.tau, c.wait, c.run, got, c.want)
		}
	}
}

// The line agrees with sums computed directly, whatever the times: its parts are consecutive, and
// contain all job seconds and the maximum.
func TestScheduleLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l ScheduleLine
		now := float64(rapid.IntRange(-1000, 1000).Draw(t, "origin"))
		start := now
		var queued, busy float64
		most := -1
		q, b := 0, int64(0)
		scale := rapid.SampledFrom([]float64{0.01, 1, 500}).Draw(t, "scale")
		for i := range rapid.IntRange(2, 200).Draw(t, "steps") {
			gap := scale * float64(rapid.IntRange(0, 30).Draw(t, "gap"))
			if i == 0 {
				gap = 0
			}
			queued += float64(q) * gap
			busy += float64(b) * gap
			if gap > 0 && i > 0 {
				most = max(most, q)
			}
			now += gap
			q, b = rapid.IntRange(0, 9).Draw(t, "queued"), rapid.Int64Range(0, 9).Draw(t, "busy")
			l.Add(now, q, b)
		}
		parts := l.Parts()
		if len(parts) > lineParts {
			t.Fatalf("%d parts", len(parts))
		}
		for _, all := range [][]SchedulePart{parts, Coarser(parts, 12)} {
			var gotQueued, gotBusy float64
			gotMost, at := -1, start
			for _, p := range all {
				if p.From != at || !(p.To > p.From) {
					t.Fatalf("a part from %g to %g, want one from %g", p.From, p.To, at)
				}
				at = p.To
				gotQueued += float64(p.QueuedMean) * (p.To - p.From)
				gotBusy += p.BusyMean * (p.To - p.From)
				gotMost = max(gotMost, p.QueuedMost)
			}
			if len(all) > 0 && at != now || math.Abs(gotQueued-queued) > 1e-9*(1+queued) || math.Abs(gotBusy-busy) > 1e-9*(1+busy) || gotMost != most {
				t.Fatalf("up to %g: %g job s, %g processor s, at most %d; want up to %g: %g, %g, %d", at, gotQueued, gotBusy, gotMost, now, queued, busy, most)
			}
		}
		if got, _ := l.Most(); got != workload.Integer(most) && (got.Known() || most >= 0) {
			t.Fatalf("at most %d jobs queued, want %d", got, most)
		}
		if parts := Coarser(parts, 12); len(parts) > 12 {
			t.Fatalf("%d parts, want at most 12", len(parts))
		}
	})
}
