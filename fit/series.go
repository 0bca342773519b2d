package fit

import (
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Series is the values of an attribute job by job, in the order of submission.
// A Sample does not know that neighbours are alike; Compare has to.
type Series struct {
	Attribute Attribute
	Label     string    // which jobs
	Values    []float64 // finite, above 0
	// Stride says that each Stride-th job that could be used was kept: 1
	// where there were few enough. Such a series has the same law, and its
	// neighbours are less alike.
	Stride  int64
	Jobs    int64 // that could be used, kept or not
	LeftOut []LeftOut
}

// SeriesOptions say which jobs are in a series. The zero value is all jobs.
type SeriesOptions struct {
	Label  string                   // "" is "all"
	Keep   func(*workload.Job) bool // nil keeps every job
	Status []int64                  // the status codes to keep; empty keeps every job
	Limit  int                      // values held at most; 0 is 2^20
}

const defaultSeriesLimit = 1 << 20

// CollectSeries gathers an attribute of the jobs of a log in the order of
// submission, which may differ from the log's as workload.InOrder allows.
// Interarrival times are those between the jobs kept. Jobs without a
// submission time, and those whose value is unknown, infinite or not above 0,
// are left out and counted. Memory is bounded by the limit. What was odd is
// added to warnings, which may be nil. An error of jobs ends it.
func CollectSeries(jobs iter.Seq2[workload.Job, error], a Attribute, o SeriesOptions, warnings *workload.Warnings) (Series, error) {
	if err := a.Validate(); err != nil {
		return Series{}, err
	}
	if o.Limit < 0 {
		return Series{}, fmt.Errorf("fit: limit of a series is %d, want 0 or more", o.Limit)
	}
	if o.Limit == 0 {
		o.Limit = defaultSeriesLimit
	}
	o.Limit = max(o.Limit, 2)
	if o.Label == "" {
		o.Label = "all"
	}
	out := Series{Attribute: a, Label: o.Label, Stride: 1}
	var unplaced, missing, infinite, notPositive int64
	last := math.NaN()
	kept := func(yield func(workload.Job, error) bool) {
		for j, err := range jobs {
			if err == nil && o.Keep != nil && !o.Keep(&j) {
				continue
			}
			if !yield(j, err) {
				return
			}
		}
	}
	err := eachJob(kept, o.Status, warnings, func(j *workload.Job) {
		if math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0) {
			unplaced++
			return
		}
		v := shape{orUnknown(known(j.Size)), orUnknown(j.Run)}.of(a)
		if a == Interarrival {
			v, last = j.Submit-last, j.Submit
		}
		switch {
		case math.IsNaN(v):
			missing++
		case math.IsInf(v, 1):
			infinite++
		case v <= 0:
			notPositive++
		default:
			out.add(v, o.Limit)
		}
	})
	if err != nil {
		return Series{}, err
	}
	name, _ := a.words()
	for _, l := range []LeftOut{{"submission unknown", unplaced}, {name + " unknown", missing}, {name + " not positive", notPositive}, {name + " infinite", infinite}} {
		if l.Jobs > 0 {
			out.LeftOut = append(out.LeftOut, l)
		}
	}
	return out, nil
}

// add adds a value to a series of at most limit values: a full one drops every
// other value and goes on with a stride twice as long.
func (s *Series) add(v float64, limit int) {
	if s.Jobs%s.Stride == 0 {
		if len(s.Values) >= limit {
			half := s.Values[:0]
			for i := 0; i < len(s.Values); i += 2 {
				half = append(half, s.Values[i])
			}
			s.Values = half
			s.Stride *= 2
		}
		if s.Jobs%s.Stride == 0 {
			s.Values = append(s.Values, v)
		}
	}
	s.Jobs++
}

// Sample returns the series' values without their order.
func (s Series) Sample() Sample {
	out := NewSample(s.Attribute, s.Values)
	out.LeftOut = append(out.LeftOut, s.LeftOut...)
	return out
}

// Validate returns nil, or an error that says what breaks the rules of a
// Series.
func (s Series) Validate() error {
	if err := s.Attribute.Validate(); err != nil {
		return err
	}
	for i, v := range s.Values {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("fit: value %d of the series of %s is %g, want a finite number above 0", i, s.Label, v)
		}
	}
	return nil
}

// block returns the mean length of blocks to resample the series by.
func (s Series) block(length float64) stats.BlockLength {
	if length == 0 {
		return stats.AutomaticBlockLength(s.Values)
	}
	return stats.BlockLength{N: len(s.Values), Mean: length}
}
