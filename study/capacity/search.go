package capacity

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// outcome contains the waits of the target's jobs of a workload on a machine.
type outcome struct {
	size   int64
	value  float64 // the target's statistic, s; NaN without jobs
	weeks  []weekOutcome
	misfit bool      // a job is larger than the machine
	waits  []float64 // of all jobs, s; nil except for the log's jobs
}

// weekOutcome is the outcome for the target's jobs submitted in one week.
type weekOutcome struct {
	jobs   float64
	excess float64 // sum of Target.excess
}

// curve contains the outcomes of a workload by ascending size.
type curve []*outcome

func (c curve) find(size int64) (int, bool) {
	return slices.BinarySearchFunc(c, size, func(o *outcome, size int64) int { return cmp.Compare(o.size, size) })
}

// search finds the smallest machine that meets a target under a policy.
type search struct {
	*study
	policy int
	target Target
	curves []curve // by workload
	// tooSmall is the size of the largest simulated machine on which some job does not fit.
	tooSmall int64
}

// room returns the number of simulations that Options.MostJobs leaves for this policy.
func (s *search) room() int64 {
	return (s.o.MostJobs - s.jobs) / int64(s.sets[0].rows) / int64(len(s.policies)-s.policy)
}

// at simulates the first workloads on a machine of a size, unless this has been done, and returns
// the outcome of the log's jobs.
func (s *search) at(ctx context.Context, size int64, workloads int) (*outcome, error) {
	found := make([]*outcome, workloads)
	err := par.Run(ctx, s.o.Workers, workloads, func(w int) (err error) {
		if i, ok := s.curves[w].find(size); ok {
			found[w] = s.curves[w][i]
			return nil
		}
		waits, err := simulate(ctx, s.sets[w].rows, s.sets[w].jobs(), s.config(size, s.policy))
		s.o.Simulated()
		if errors.Is(err, workload.ErrNoJobs) { // all jobs are larger than the machine
			found[w] = &outcome{size: size, misfit: true}
			return nil
		}
		if err == nil {
			found[w] = s.outcome(size, w, waits)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if found[0].misfit {
		s.tooSmall = max(s.tooSmall, size)
		return found[0], nil
	}
	for w, o := range found {
		if i, ok := s.curves[w].find(size); !ok {
			s.jobs += int64(s.sets[w].rows)
			s.curves[w] = slices.Insert(s.curves[w], i, o)
		}
	}
	return found[0], nil
}

func (s *search) outcome(size int64, workload int, waits []float64) *outcome {
	set, o := s.sets[workload], &outcome{size: size, weeks: make([]weekOutcome, s.weeks)}
	var inClass []float64
	for i, wait := range waits {
		switch w := &o.weeks[set.weeks[i]]; {
		case math.IsNaN(wait):
			o.misfit = true
		case s.target.Class == "" || set.classes[i] == s.target.Class:
			inClass = append(inClass, wait)
			w.jobs++
			w.excess += s.target.excess(wait)
		}
	}
	o.value = s.target.of(inClass)
	if workload == 0 {
		o.waits = waits
	}
	return o
}

func (s *search) meets(o *outcome) bool {
	return !o.misfit && curve{o}.excess(s.same(), 0) <= s.target.most()*(1+1e-12)
}

// smallest returns the smallest simulated machine such that it and all larger ones meet the target.
// (A larger machine may fail, since more processors may let a job start early that delays others.)
// If the largest fails, it returns best.
func (s *search) smallest(best *outcome) *outcome {
	for _, o := range slices.Backward(s.curves[0]) {
		if !s.meets(o) {
			break
		}
		best = o
	}
	return best
}

const (
	stride = 1.25 // factor between sizes until one meets the target and one does not
	mostOf = 1024 // the largest machine tried, as a multiple of today's
)

// bisect returns the smallest machine on which the log's jobs meet the target, to within half a per
// cent, or the smallest found when only the room that widen needs is left. It does not try machines
// smaller than one that fails.
func (s *search) bisect(ctx context.Context) (best *outcome, err error) {
	low, high := int64(0), int64(math.MaxInt64) // largest size that fails, smallest that meets the target
	size := s.machine.today
	for high-low > max(1, high/200) && (best == nil || low == 0 || s.room() > 2*halfCurve+1) {
		o, err := s.at(ctx, size, 1)
		if err != nil {
			return nil, err
		}
		if s.meets(o) {
			best, high = o, size
		} else {
			low = size
		}
		switch {
		case best == nil && float64(size) > mostOf*float64(s.machine.today):
			return nil, fmt.Errorf("no machine of up to %d %s meets the target %s: on that one %s is still %.0f s in the simulation, want %.0f s", s.machine.amount(size), s.machine.name, s.o.Target, s.target.Name, o.value, s.target.Limit)
		case best == nil:
			size = max(size+1, int64(math.Ceil(float64(size)*stride)))
		case low == 0:
			size = min(size-1, int64(float64(size)/stride))
		default:
			size = low + (high-low)/2
		}
	}
	return best, nil
}
