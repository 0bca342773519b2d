package live

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// logSource shows the jobs of a log as a machine would, with a poll every ten minutes of the log.
type logSource struct {
	jobs  []workload.Job
	at    float64
	polls int // number of polls left
	stop  context.CancelFunc
}

const every = 600

func (s *logSource) Poll(context.Context) (*watch.Poll, error) {
	if s.polls--; s.polls < 0 || s.at > s.jobs[len(s.jobs)-1].End()+every {
		s.stop()
		return nil, errStop
	}
	s.at += every
	p := &watch.Poll{At: s.at, Capacity: watch.Capacity{Processors: 100, Total: 100}}
	for _, j := range s.jobs {
		seen := watch.Sighting{Job: j, Expected: math.NaN(), Priority: workload.Unknown}
		switch {
		case j.Submit > s.at || j.End() < s.at-6*3600:
			continue
		case j.End() <= s.at:
			p.Ended = append(p.Ended, seen)
			continue
		case j.Start() > s.at:
			seen.Wait = math.NaN()
		}
		seen.Run = math.NaN()
		p.Jobs = append(p.Jobs, seen)
	}
	return p, nil
}

func (s *logSource) Close() error { return nil }

// A service that watches a machine can be restarted after any poll: its answers and their outcomes
// are those of a service that was never stopped.
func TestWatchRestarts(t *testing.T) {
	if testing.Short() {
		t.Skip("replays a whole log")
	}
	jobs := jobtest.Collect(t, open(t, reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", 1500)).Jobs())
	run := func(dir string, stops ...int) *Scores {
		source := &logSource{jobs: jobs, at: jobs[100].Submit}
		var s *Service
		for _, n := range append(stops, math.MaxInt) {
			s = resumed(t, dir, withoutPlan(), func(stop context.CancelFunc) Feed {
				source.polls, source.stop = n, stop
				return Watch("log", source, &watch.Names{}, time.Unix(0, 0), time.Nanosecond)
			})
		}
		return jobtest.Must(s.Scores())
	}
	want := run("")
	got := run(t.TempDir(), 1, 1, 7, 300, 2)
	if d := cmp.Diff(want.Bounds, got.Bounds, sameNaN); d != "" {
		t.Errorf("the scores differ: %s", d)
	}
	if n := want.Bounds[0].Jobs; n < 1200 {
		t.Errorf("%d jobs were settled", n)
	}
	// The answers about jobs shown by the first poll, and earlier ones, do not count.
	first := slices.IndexFunc(jobs, func(j workload.Job) bool { return j.Submit > jobs[100].Submit+every })
	if n := want.Bounds[0].Answers; first < 0 || n > len(jobs)-first {
		t.Errorf("%d answers count, of %d jobs of which %d were there at first", n, len(jobs), first)
	}
}
