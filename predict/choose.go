package predict

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// SizeChoice is a number of processors that a malleable job could request, with
// the expected wait, run time and turnaround.
type SizeChoice struct {
	Size       int64
	Wait       float64 // s, predicted: Q(n); NaN if there is no prediction
	Run        float64 // s, R(n); NaN if it is unknown
	Turnaround float64 // s, Q(n) + R(n)
}

// RunBySize returns the run time of a malleable job on n processors, in
// seconds, NaN if it is unknown.
type RunBySize func(n int64) float64

// RunByTable returns the run times of a table from sizes to seconds, NaN for
// other sizes. It is an error if a run time is not positive and finite, or a
// size is below 1.
func RunByTable(table map[int64]float64) (RunBySize, error) {
	if len(table) == 0 {
		return nil, errors.New("no run times by size, want at least one")
	}
	for n, run := range table {
		if n < 1 || !(run > 0) || math.IsInf(run, 1) {
			return nil, fmt.Errorf("a run time of %g s on %d processors, want a number above 0 on at least one", run, n)
		}
	}
	return func(n int64) float64 {
		if run, ok := table[n]; ok {
			return run
		}
		return math.NaN()
	}, nil
}

// ErrNoChoice says that no size has both a predicted wait and a run time.
var ErrNoChoice = errors.New("no size has both a predicted wait and a run time")

// LeastTurnaround evaluates the sizes of a malleable job and returns the index
// of the one with the least expected turnaround, Q(n) + R(n): the application's
// own choice. Downey (1997), "Using queue time predictions for processor
// allocation", section 5.2. Of sizes with the same turnaround the smallest is
// chosen, which leaves more processors to others. Sizes without a prediction or
// a run time are in the choices but never chosen.
//
// It is an error if there is no size, a size is below 1 or repeated, or a wait
// or run time is negative. If none can be chosen the error is ErrNoChoice, and
// the choices are complete.
func LeastTurnaround(sizes []int64, wait func(n int64) float64, run RunBySize) (choices []SizeChoice, best int, err error) {
	if len(sizes) == 0 {
		return nil, -1, errors.New("no sizes to choose from, want at least one")
	}
	best = -1
	for i, n := range sizes {
		if n < 1 {
			return nil, -1, fmt.Errorf("a size of %d processors, want at least one", n)
		}
		if slices.Contains(sizes[:i], n) {
			return nil, -1, fmt.Errorf("the size %d twice, want each once", n)
		}
		c := SizeChoice{Size: n, Wait: wait(n), Run: run(n)}
		if c.Wait < 0 || c.Run < 0 {
			return nil, -1, fmt.Errorf("a wait of %g s and a run time of %g s on %d processors, want none below 0", c.Wait, c.Run, n)
		}
		c.Turnaround = c.Wait + c.Run
		choices = append(choices, c)
		if math.IsNaN(c.Turnaround) || math.IsInf(c.Turnaround, 1) {
			continue
		}
		if best < 0 || c.Turnaround < choices[best].Turnaround ||
			c.Turnaround == choices[best].Turnaround && n < choices[best].Size {
			best = i
		}
	}
	if best < 0 {
		return choices, -1, ErrNoChoice
	}
	return choices, best, nil
}
