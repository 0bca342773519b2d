package model

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Means are the means of a class by its truncated laws, before times are
// rounded down to whole seconds (which subtracts half a second).
type Means struct {
	Size    float64 // processors
	RunTime float64 // s
	Area    float64 // processor seconds: size times run time, which are dependent
}

// Means returns the class's means on a machine of that many processors. Of
// malleable jobs that are not rigid the size and the run time are NaN, and
// the area is the sequential time.
func (c Class) Means(processors int64) (m Means) {
	switch {
	case c.Malleable != nil && c.Malleable.Rigid:
		m.Size, m.RunTime, m.Area = c.Malleable.means(processors)
	case c.Malleable != nil:
		m.Size, m.RunTime, m.Area = math.NaN(), math.NaN(), dist.Mean(c.Malleable.SequentialTime.Law)
	default:
		runTime := c.RunTimes.Mean(c.LongestRun())
		for size, share := range c.Sizes.Shares(processors) {
			n, t := float64(size), runTime(size)
			m.Size += share * n
			m.RunTime += share * t
			m.Area += share * n * t
		}
	}
	return m
}

// OfferedLoad returns the processor seconds that arrive in a second, divided by
// the machine's processors: 1 is the capacity of the machine. A malleable job
// counts with its size or, without one, with its sequential time:
// efficiency 1. It is NaN if half hours have shapes of their own.
func (s Site) OfferedLoad() float64 {
	if slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Arrivals.Method.ByShape() }) {
		return math.NaN()
	}
	return s.load()
}

// load is OfferedLoad; about that if half hours have shapes of their own.
func (s Site) load() (load float64) {
	for i := range s.Classes {
		c := &s.Classes[i]
		load += c.Means(s.Processors).Area / c.Arrivals.Gap() / float64(s.Processors)
	}
	return load
}

// Stretch returns the factor by which all interarrival times must be multiplied
// to make OfferedLoad equal to load; about that if half hours have shapes of their own. It is
// false if there is none: jobs take almost no time, or interarrival times have no mean.
func (s Site) Stretch(load float64) (stretch float64, ok bool) {
	stretch = s.load() / load
	for _, c := range s.Classes {
		if gap := stretch * c.Arrivals.Gap(); !(gap >= leastGap && gap <= MaxSecondsLimit) {
			return stretch, false
		}
	}
	return stretch, true
}

// leastGap is the shortest mean interarrival time, in seconds, that a load may
// ask for.
const leastGap = 1e-6

// LongestRun returns the run time, in seconds, to which the estimates of the class cut longer
// ones; +Inf if they do not.
func (c Class) LongestRun() float64 {
	if c.Estimates == nil {
		return math.Inf(1)
	}
	return c.Estimates.LongestRun()
}

// ForProcessors returns the model for a machine of another size, to which the form of each class's
// sizes moves them. Run times and arrivals do not change, so the offered load does (see
// OfferedLoad), nor do the laws of malleable jobs. Validate refuses a machine that is too small for
// the sizes. The result shares parts with s.
func (s Site) ForProcessors(processors int64) Site {
	s.Classes = slices.Clone(s.Classes)
	for i := range s.Classes {
		if c := &s.Classes[i]; c.Malleable == nil && processors != s.Processors {
			c.Sizes = c.Sizes.scale(s.Processors, processors)
		}
	}
	s.Processors = processors
	return s
}
