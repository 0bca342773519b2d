package allocate

import (
	"errors"
	"math"
	"sync/atomic"
	"testing"
)

// A study ends with the error that Stop returns, soon after it does.
func TestStop(t *testing.T) {
	enough := errors.New("enough")
	w := short(3)
	study := Study{Machine: paperMachine(), Strategies: Strategies(), Workers: 2}
	asked := func(after int64) (func() error, *atomic.Int64) {
		var n atomic.Int64
		return func() error {
			if n.Add(1) > after {
				return enough
			}
			return nil
		}, &n
	}
	jobs, err := w.Jobs(1)
	if err != nil {
		t.Fatal(err)
	}
	stop, all := asked(math.MaxInt64)
	study.Stop = stop
	if _, err := study.Run(jobs); err != nil {
		t.Fatal(err)
	}
	if _, err := paperMachine().Tune([][]Job{jobs}, DefaultGrid(), 2, stop); err != nil {
		t.Fatal(err)
	}
	if all.Load() < 1000 {
		t.Errorf("asked %d times", all.Load())
	}
	// Each of three seeds may ask once for each of its simulations.
	inFlight := int64(3 * (1 + SimulationsPerStrategy*len(study.Strategies)))
	for _, after := range []int64{0, 1, 50, 200} {
		var n *atomic.Int64
		study.Stop, n = asked(after)
		if _, err := study.Run(jobs); err != enough || n.Load() > after+20 {
			t.Errorf("Run after %d: %v, asked %d times", after, err, n.Load())
		}
		study.Stop, n = asked(after)
		if _, err := study.Replicate(w, 1, 3, nil); !errors.Is(err, enough) || n.Load() > after+inFlight {
			t.Errorf("Replicate after %d: %v, asked %d times", after, err, n.Load())
		}
		stop, n := asked(after)
		if _, err := paperMachine().Tune([][]Job{jobs}, DefaultGrid(), 2, stop); err != enough || n.Load() > after+720 {
			t.Errorf("Tune after %d: %v, asked %d times", after, err, n.Load())
		}
	}
}

// TestSimulated: each strategy's simulations are told, once for each workload.
func TestSimulated(t *testing.T) {
	w := short(2)
	s := Study{Machine: paperMachine(), Strategies: Strategies()[:2]}
	var told atomic.Int64
	s.Simulated = func() { told.Add(1) }
	if _, err := s.Replicate(w, 1, 3, nil); err != nil {
		t.Fatal(err)
	}
	if n := told.Load(); n != 3*2*SimulationsPerStrategy {
		t.Errorf("3 workloads under 2 strategies told of %d simulations, want %d", n, 3*2*SimulationsPerStrategy)
	}
}
