package live

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
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
