package capacity

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// outcome is how long the target's jobs of a workload wait on a machine.
type outcome struct {
	size   int64
	value  float64 // of the target's statistic, s; NaN without jobs
	weeks  []weekOutcome
	misfit bool // a job is larger than the machine
}

// weekOutcome is that of the jobs submitted in a week.
type weekOutcome struct {
	jobs   float64
	excess float64   // sum of Target.excess
	waits  []float32 // s, ascending; nil of twins
}

// excessOf is the excess for another limit.
func (w *weekOutcome) excessOf(t Target, limit float64) float64 {
	if t.Quantile == 0 || limit == t.Limit {
		return w.excess
	}
	beyond, _ := slices.BinarySearch(w.waits, math.Nextafter32(float32(limit), math.MaxFloat32))
	return float64(len(w.waits) - beyond)
}

// share is the mean excess of the jobs of weeks.
func (o *outcome) share(weeks site) float64 {
	var jobs, excess float64
	for _, w := range weeks {
		jobs += w.count * o.weeks[w.week].jobs
		excess += w.count * o.weeks[w.week].excess
	}
	return excess / jobs
}

// curve has the outcomes of a workload by ascending size.
type curve []*outcome

func (c curve) find(size int64) (int, bool) {
	return slices.BinarySearchFunc(c, size, func(o *outcome, size int64) int { return cmp.Compare(o.size, size) })
}

// search looks for the smallest machine under a policy that meets a target.
type search struct {
	*study
	policy int
	target Target
	curves []curve // by workload
}

// room is the number of simulations that the bound on jobs leaves.
func (s *study) room() int64 { return (s.o.MostJobs - s.jobs) / int64(s.sets[0].rows) }

// at simulates workloads on a machine, unless that has been done, and returns the log's outcome.
func (s *search) at(ctx context.Context, size int64, workloads int) (*outcome, error) {
	found := make([]*outcome, workloads)
	err := par.Run(ctx, s.o.Workers, workloads, func(w int) (err error) {
		if i, ok := s.curves[w].find(size); ok {
			found[w] = s.curves[w][i]
			return nil
		}
		waits, err := simulate(ctx, s.sets[w].rows, s.sets[w].jobs(), s.config(size, s.policy))
		if err == nil {
			found[w] = s.outcome(size, w, waits)
		}
		return err
	})
	if err != nil {
		return nil, err
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
		case s.class == everyClass || set.classes[i] == s.class:
			inClass = append(inClass, wait)
			w.jobs++
			w.excess += s.target.excess(wait)
			w.waits = append(w.waits, float32(wait))
		}
	}
	o.value = s.target.of(inClass)
	for i := range o.weeks {
		if workload > 0 {
			o.weeks[i].waits = nil
		}
		slices.Sort(o.weeks[i].waits)
	}
	return o
}

func (s *search) meets(o *outcome) bool {
	return !o.misfit && o.share(s.same()) <= s.target.most()*(1+1e-12)
}

const (
	stride = 1.25 // between machines until one meets the target and one does not
	mostOf = 1024 // of today's machine
)

// bisect returns the smallest machine on which the log meets the target, to half a per cent, and
// whether a smaller one is too small for some job. The sizes that failed are below all that
// met the target: a machine smaller than one that fails is not tried.
func (s *search) bisect(ctx context.Context) (best *outcome, err error) {
	low, high := int64(0), int64(math.MaxInt64) // that fails, and meets the target
	size := s.machine.today
	for high-low > max(1, high/200) && (best == nil || low == 0 || s.room() > 0) {
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
			return nil, s.never(o)
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
