package live

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
)

// Times that are centuries away keep their order, and ends beyond them are not reported.
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

// A state ages while polls fail, even if the computer's clock is set back: here the last poll was
// taken an hour ahead of the clock.
func TestClockSetBack(t *testing.T) {
	f := Watch("source", &slowPolls{0, 1, time.Now().Add(-time.Hour)}, &watch.Names{}, time.Now(), time.Millisecond)
	if _, err := f.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	time.Sleep(20 * time.Millisecond)
	if age := f.Now() - 3600; age < 0.02 || age > 20 {
		t.Errorf("%v s old, want 20 ms or a little more", age)
	}
}
