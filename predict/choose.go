package predict

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model"
)

// SizeChoice is a number of processors that a malleable job could ask for, and
// what would come of it.
type SizeChoice struct {
	Size       int64
	Wait       float64 // s, predicted: Q(n); NaN where there is no prediction
	Run        float64 // s, R(n); NaN where it is unknown
	Turnaround float64 // s, Q(n) + R(n)
}

// RunBySize is the run time of a malleable job on n processors, in seconds, NaN
// where it is unknown.
type RunBySize func(n int64) float64

// RunBySpeedup returns the run time L/S(n) of a job that runs for sequential
// seconds on one processor. Downey (1997), "Using queue time predictions for
// processor allocation", section 2. It is an error if the sequential lifetime
// is not a positive number, A is below 1, or sigma below 0.
func RunBySpeedup(sequential, parallelism, sigma float64) (RunBySize, error) {
	switch {
	case !(sequential > 0) || math.IsInf(sequential, 1):
		return nil, fmt.Errorf("a sequential lifetime of %g s, want a number above 0", sequential)
	case !(parallelism >= 1) || math.IsInf(parallelism, 1):
		return nil, fmt.Errorf("an average parallelism of %g, want a number of at least 1", parallelism)
	case !(sigma >= 0) || math.IsInf(sigma, 1):
		return nil, fmt.Errorf("a sigma of %g, want a number of at least 0", sigma)
	}
	return func(n int64) float64 {
		if n < 1 {
			return math.NaN()
		}
		return sequential / model.DowneyS(float64(n), parallelism, sigma)
	}, nil
}

// RunByTable is run times that are known for some sizes. It is an error if one
// of them is not a positive number, or a size is below 1.
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

// LeastTurnaround evaluates a malleable job's sizes and says which of them has
// the least expected turnaround, Q(n) + R(n): the application's own choice.
// Downey (1997), "Using queue time predictions for processor allocation",
// section 5.2. Of sizes with the same turnaround the smallest is taken: it
// leaves more to others. Sizes without a prediction or a run time are kept in
// the choices and not chosen.
//
// It is an error if there is no size, one is below 1 or given twice, or a wait
// or run time is negative, and ErrNoChoice if none can be chosen; the choices
// are whole then.
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
