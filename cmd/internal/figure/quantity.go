package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
)

// Quantity is what of the jobs a figure shows. The names are those of package
// fit's attributes.
type Quantity string

// The quantities. Times are in seconds.
const (
	RunTime          Quantity = "run_time"
	Size             Quantity = "size"              // processors
	Work             Quantity = "work"              // processor seconds
	Interarrival     Quantity = "interarrival"      // between two submissions
	PeakInterarrival Quantity = "interarrival_peak" // the same, in one period of peak hours
)

// wording is how a figure speaks of a quantity.
type wording struct {
	title string      // of a figure
	axis  string      // title of its axis
	upTo  string      // title of the axis of its distribution function
	ln    string      // its logarithm
	ticks plot.Ticker // of its axis, which is a log axis
}

// words returns the quantity's wording, or an error that says what is known.
func (q Quantity) words() (wording, error) {
	switch q {
	case RunTime:
		return wording{"How long jobs run", "run time", "share of jobs that run no longer", "ln(run time)", durations{}}, nil
	case Size:
		return wording{"How large jobs are", "size (processors)", "share of jobs that are no larger", "ln(size)", powersOfTwo{}}, nil
	case Work:
		return wording{"How much work jobs do", "total work (processor time)", "share of jobs that do no more", "ln(work)", durations{}}, nil
	case Interarrival:
		return wording{"How soon the next job comes", "interarrival time", "share of interarrivals no longer", "ln(interarrival time)", durations{}}, nil
	case PeakInterarrival:
		return wording{"How soon the next job comes at peak hours", "interarrival time", "share of interarrivals no longer", "ln(interarrival time)", durations{}}, nil
	}
	return wording{}, fmt.Errorf("figure: quantity is %q, want one of %s, %s, %s, %s, %s", string(q), RunTime, Size, Work, Interarrival, PeakInterarrival)
}

// Sample is what a log has of a quantity: its distinct values, ascending, in
// the quantity's unit, and how many jobs have each.
type Sample struct {
	Values, Counts []float64
}

// jobs returns how many jobs the sample has, or an error where it is none.
func (s Sample) jobs() (float64, error) {
	if len(s.Values) != len(s.Counts) {
		return 0, fmt.Errorf("figure: %d values with %d counts", len(s.Values), len(s.Counts))
	}
	n := 0.0
	for i, v := range s.Values {
		switch {
		case !(math.Abs(v) <= largest) || i > 0 && v <= s.Values[i-1]:
			return 0, fmt.Errorf("figure: value %d is %g, want numbers that ascend, up to %g", i+1, v, largest)
		case !(s.Counts[i] >= 0) || math.IsInf(s.Counts[i], 1):
			return 0, fmt.Errorf("figure: the count of value %d is %g, want 0 or more", i+1, s.Counts[i])
		}
		n += s.Counts[i]
	}
	return n, nil
}
