package live

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Moments that are centuries away stay in their order, and ends beyond them are not given.
func TestFarMoments(t *testing.T) {
	origin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := &Service{origin: origin}
	for _, seconds := range []float64{9.3e9, 1e10, 1e18, math.Inf(1)} {
		if m := s.timeAt(seconds); m.Year() < 2300 || m.Year() > 9999 {
			t.Errorf("%g s: %v", seconds, m)
		}
		if m := s.timeAt(-seconds); m.Year() > 1750 || m.Year() < 0 {
			t.Errorf("-%g s: %v", seconds, m)
		}
		if m := after(origin, seconds); m != nil {
			t.Errorf("%g s later: %v, want none", seconds, m)
		}
	}
	if m := after(origin, 86400); m == nil || !m.Equal(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)) {
		t.Error(m)
	}
}

// pollOnce is a source that shows one moment, then fails.
type pollOnce struct{ at float64 }

func (p *pollOnce) Poll(context.Context) (*watch.Poll, error) {
	if p.at == 0 {
		return nil, errStop
	}
	at := p.at
	p.at = 0
	return &watch.Poll{At: at}, nil
}
func (*pollOnce) Close() error { return nil }

// A state grows old while no poll succeeds, also where the computer's clock was set back
// meanwhile: here the poll was taken an hour ahead of it.
func TestClockSetBack(t *testing.T) {
	f := Watch("source", &pollOnce{3600}, &watch.Names{}, time.Now(), time.Millisecond)
	if _, err := f.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	if age := f.Now() - 3600; age < 0.02 || age > 20 {
		t.Errorf("%v s old, want 20 ms or a little more", age)
	}
}

// A job outwaits its bound also while nothing else happens: bounds of 50 and 80 s are
// missed 60 and 90 s after the submission.
func TestOutwaitedWithoutEvents(t *testing.T) {
	for at, missed := range map[float64]int{40: 0, 70: 1, 100: 2} {
		s := scripted(t, &script{batches: []*Batch{{At: 10, Events: []watch.Event{happened(workload.Submit, 10, *request(0, 10, 1))}}, {At: at}}})
		scores, err := s.Scores()
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range scores.Bounds {
			settled := 0
			if i < missed {
				settled = 1
			}
			if b.Answers != 1 || b.Jobs != settled || b.Open != 1-settled {
				t.Errorf("at %v s: %+v, want %d settled", at, b, settled)
			}
		}
	}
}
