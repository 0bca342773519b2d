package live

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/stats"
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

// resumed runs a service until its feed ends or stops it, with a journal in a folder unless
// that is "".
func resumed(t *testing.T, dir string, o Options, feed func(stop context.CancelFunc) Feed) *Service {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	origin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var err error
	if dir != "" {
		o.Journal = jobtest.Must(journal.Open(dir, journal.Begin{Origin: origin}))
		defer o.Journal.Close()
	}
	s, err := New(feed(stop), origin, o)
	if err == nil {
		err = s.Run(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// replayed is a service that has seen the first batches of a log.
func replayed(t *testing.T, name, dir string, batches int, o Options) *Service {
	return resumed(t, dir, o, func(stop context.CancelFunc) Feed {
		return &stopping{replaying(t, name, ReplayOptions{Speed: math.Inf(1), Interval: 3600}), batches, stop}
	})
}

// The clock of a replay ends with the last event, however far polls are apart.
func TestReplayEndsWithTheLog(t *testing.T) {
	name := reallogs.Path(t, "swf/LANL-CM5-1994-4.1-cln.first60.swf")
	last := 0.0
	for _, j := range jobtest.Collect(t, open(t, name).Jobs()) {
		last = max(last, j.End())
	}
	if at := ran(t, replaying(t, name, ReplayOptions{Speed: math.Inf(1), Interval: 1e9}), withoutPlan()).Status().State.Time.Sub(time.Unix(0, 0)).Seconds(); at != last {
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
	want := jobtest.Must(replayed(t, name, "", math.MaxInt, o).Scores())
	dir := t.TempDir()
	var s *Service
	for _, n := range []int{1, 2, 3, 500, 1, 2000, math.MaxInt, math.MaxInt} {
		s = replayed(t, name, dir, n, o)
	}
	got := jobtest.Must(s.Scores())
	if d := cmp.Diff(want.Bounds, got.Bounds, sameNaN); d != "" || want.Bounds[0].Jobs < longtest.Size(6000, 20000) {
		t.Errorf("the scores of one run and of many differ: %s", d)
	}
}
