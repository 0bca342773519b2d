package live

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

var errStop = errors.New("stopped by the test")

// stopping is a feed that fails after some batches, as a process that is killed.
type stopping struct {
	Feed
	batches int
	cancel  context.CancelFunc
}

func (f *stopping) Next(ctx context.Context) (*Batch, error) {
	if f.batches--; f.batches < 0 {
		f.cancel()
		return nil, errStop
	}
	return f.Feed.Next(ctx)
}

// replayed runs a service on the first batches of a log, with a journal in a folder
// unless that is "", and returns it.
func replayed(t *testing.T, name, dir string, batches int, o Options) *Service {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	feed, err := Replay(ctx, func() (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }, ReplayOptions{Speed: math.Inf(1), Interval: 3600})
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	origin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if dir != "" {
		if o.Journal, err = journal.Open(dir, journal.Begin{Origin: origin, Source: feed.Name()}); err != nil {
			t.Fatal(err)
		}
		defer o.Journal.Close()
	}
	s, err := New(&stopping{feed, batches, cancel}, origin, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return s
}

// The clock of a replay ends with the last event, however far polls are apart.
func TestReplayEndsWithTheLog(t *testing.T) {
	name := reallogs.Path(t, "swf/LANL-CM5-1994-4.1-cln.first60.swf")
	last := 0.0
	for j, err := range open(t, name).Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		last = max(last, j.End())
	}
	ctx := context.Background()
	feed, err := Replay(ctx, func() (*workload.Log, error) { return logfile.Open(name, workload.Options{}) }, ReplayOptions{Speed: math.Inf(1), Interval: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	s, err := New(feed, time.Unix(0, 0), withoutPlan())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if at := s.Status().State.Time.Sub(time.Unix(0, 0)).Seconds(); at != last {
		t.Errorf("the replay ends at %g s, the log at %g s", at, last)
	}
}

var sameNaN = cmp.Comparer(func(a, b stats.Number) bool { return a == b || a != a && b != b })

func withoutPlan() Options {
	o := DefaultOptions()
	o.Predictors, o.Draws = []string{"bmbp", "qbets"}, 0
	return o
}

// A service that is stopped after any number of batches goes on from its journal: in the
// end the scores are those of one run.
func TestRestarts(t *testing.T) {
	if testing.Short() {
		t.Skip("replays a whole log")
	}
	name := reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", longtest.Size(8000, 0))
	o := withoutPlan()
	want, err := replayed(t, name, "", math.MaxInt, o).Scores()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var s *Service
	for _, n := range []int{1, 2, 3, 500, 1, 2000, math.MaxInt, math.MaxInt} {
		s = replayed(t, name, dir, n, o)
	}
	got, err := s.Scores()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Bounds, got.Bounds, sameNaN); d != "" || want.Bounds[0].Jobs < longtest.Size(6000, 20000) {
		t.Errorf("the scores of one run and of many differ: %s", d)
	}
}
