package live

import (
	"slices"
	"sync"
)

// Waits is a histogram of the waits of jobs that have started and whose answers
// are scored.
type Waits struct {
	Ends   []float64 // s, ascending
	Counts []uint64  // waits of at most each end
	Count  uint64    // all
	Sum    float64   // s
}

// waitEnds are from a minute to two weeks.
var waitEnds = []float64{60, 300, 900, 1800, 3600, 7200, 4 * 3600, 8 * 3600, 86400, 2 * 86400, 4 * 86400, 7 * 86400, 14 * 86400}

// waitTally adds waits up. Any goroutine may read it.
type waitTally struct {
	mu    sync.Mutex
	waits Waits
}

func (t *waitTally) add(wait float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waits.Counts == nil {
		t.waits.Ends, t.waits.Counts = waitEnds, make([]uint64, len(waitEnds))
	}
	for i, end := range waitEnds {
		if wait <= end {
			t.waits.Counts[i]++
		}
	}
	t.waits.Count++
	t.waits.Sum += wait
}

// Waits returns the waits of the jobs that have started.
func (s *Service) Waits() Waits {
	t := &s.engine.waits
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.waits
	w.Counts = slices.Clone(w.Counts)
	return w
}
