package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/stats"
)

// killedSpeed replays queuedLog, of 10,000 jobs in 60 days, in two seconds.
const killedSpeed = "2.5e6"

// serveProcess starts a service as a process.
func serveProcess(t *testing.T, log, store string) (*process, *logged) {
	t.Helper()
	p := newProcess(t, t.TempDir(), "serve", "--replay", log, "--store", store, "--speed", killedSpeed, "--interval", "50000", "--listen", "127.0.0.1:0", "--predictors", "bmbp,qbets")
	said := &logged{}
	p.Stderr = said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	return p, said
}

// finished waits for the end of the replay, and returns its scores; the process then ends
// by SIGTERM, with code 0.
func finished(t *testing.T, p *process, said *logged) *live.Scores {
	t.Helper()
	waitFor(t, "the end of the replay", func() bool { return strings.Contains(said.String(), "the source has ended") })
	var s live.Scores
	text := got(listening.FindStringSubmatch(said.String())[1] + "/v1/scores")
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, said)
	}
	return &s
}

// events are those of a store, in its order, as text; each forecast of a job is there once.
func events(t *testing.T, store string) (all []string) {
	t.Helper()
	forecast := map[int64]bool{}
	for e, err := range journal.Read(store) {
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := e.(*journal.Expect); ok {
			if forecast[e.Row] {
				t.Errorf("job %d has two forecasts", e.Row)
			}
			forecast[e.Row] = true
		}
		if e, ok := e.(*journal.Event); ok {
			all = append(all, fmt.Sprint(e.Kind, e.Time, e.Job.ID, e.Job.Row, e.Job.Wait, e.AnsweredAt, e.Scored, e.Answers))
		}
	}
	return all
}

var (
	sameNaN = cmp.Comparer(func(a, b stats.Number) bool { return a == b || a != a && b != b })
	// When the last poll was depends on how busy the computer is, and so do windows up to it.
	withoutWindows = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Day" || p.Last().String() == ".Week" }, cmp.Ignore())
)

// fromThePast are the scores of the predictors that learn from past waits alone. What the
// simulated schedules answer depends on when the polls were.
func fromThePast(s *live.Scores) []live.BoundScore {
	return slices.DeleteFunc(slices.Clone(s.Bounds), func(b live.BoundScore) bool { return b.Predictor == live.PlanName })
}

// killed runs a service that is killed at so many random moments, then undisturbed to the
// end of the log, and compares it with one that never was.
func killed(t *testing.T, kills int) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	log := queuedLog(t, 10_000)
	whole, store := t.TempDir(), t.TempDir()
	p, said := serveProcess(t, log, whole)
	want := finished(t, p, said)

	random := rand.New(rand.NewPCG(22, uint64(kills)))
	wrote := 0 // kills that found events that the one before had not
	last := 0
	for range kills {
		p, said := serveProcess(t, log, store)
		waitFor(t, "the first line of the log", func() bool { return strings.Contains(said.String(), "starting") })
		time.Sleep(time.Duration(random.ExpFloat64() * float64(max(4*time.Second/time.Duration(kills), 100*time.Millisecond))))
		p.Process.Kill()
		p.Wait()
		if exit := p.ProcessState; exit.Exited() { // it was not the signal that ended it
			t.Fatalf("%v\n%s", exit, said)
		}
		n := 0
		for _, err := range journal.Read(store) {
			if err == nil {
				n++
			}
		}
		if n > last {
			wrote++
		}
		last = n
	}
	p, said = serveProcess(t, log, store)
	got := finished(t, p, said)
	t.Logf("%d kills, of which %d came after new lines in the store", kills, wrote)
	if d := cmp.Diff(fromThePast(want), fromThePast(got), sameNaN, withoutWindows); d != "" {
		t.Errorf("the scores of an undisturbed service and of a killed one differ: %s", d)
	}
	p, said = serveProcess(t, log, store)
	if d := cmp.Diff(got.Bounds, finished(t, p, said).Bounds, sameNaN, withoutWindows); d != "" {
		t.Errorf("the scores before and after a restart differ: %s", d)
	}
	if want.Bounds[0].Settled < 8000 {
		t.Errorf("%d settled, want more than 8000", want.Bounds[0].Settled)
	}
	if a, b := events(t, whole), events(t, store); !slices.Equal(a, b) {
		t.Errorf("%d events and answers of an undisturbed service, and not the same %d of a killed one", len(a), len(b))
	}
}

func TestServeKilled(t *testing.T) { killed(t, 5) }
