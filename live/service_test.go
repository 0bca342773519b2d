package live

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

var errStop = errors.New("stopped by the test")

// resumed runs a service until its feed ends or stops it, with a journal in dir unless dir is "".
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

func open(t *testing.T, name string) *workload.Log {
	t.Helper()
	log := jobtest.Must(logfile.Open(name, workload.Options{}))
	t.Cleanup(func() { log.Close() })
	return log
}

// The clock of a replay ends at the last event, however far apart the polls are.
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
