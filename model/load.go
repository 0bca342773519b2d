package model

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Means holds the means of a class under its truncated laws, before times are rounded down to
// whole seconds (which subtracts half a second).
type Means struct {
	Size    float64 // processors
	RunTime float64 // s
	Area    float64 // processor seconds: mean of size times run time, which are dependent
}

// Means returns the means of the class on a machine with that many processors. For malleable jobs
// that are not rigid, Size and RunTime are NaN, and Area is the mean sequential time.
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

// OfferedLoad returns the processor seconds that arrive per second, divided by the machine's
// processors: 1 is the capacity of the machine. A malleable job without a size counts with its
// sequential time, as if its efficiency were 1. The result is NaN if half hours have shapes of
// their own (see Method.ByShape).
func (s Site) OfferedLoad() float64 {
	if slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Arrivals.Method.ByShape() }) {
		return math.NaN()
	}
	return s.load()
}

// load returns OfferedLoad, or an approximation if half hours have shapes of their own.
func (s Site) load() (load float64) {
	for i := range s.Classes {
		c := &s.Classes[i]
		load += c.Means(s.Processors).Area / c.Arrivals.Gap() / float64(s.Processors)
	}
	return load
}

// Stretch returns the factor by which all interarrival times must be multiplied to make
// OfferedLoad equal to load, or an approximation if half hours have shapes of their own. ok is
// false if there is no such factor: jobs take almost no time, or interarrival times have no mean.
func (s Site) Stretch(load float64) (stretch float64, ok bool) {
	stretch = s.load() / load
	for _, c := range s.Classes {
		if gap := stretch * c.Arrivals.Gap(); !(gap >= leastGap && gap <= MaxSecondsLimit) {
			return stretch, false
		}
	}
	return stretch, true
}

// leastGap is the shortest mean interarrival time, in seconds, that a load may require.
const leastGap = 1e-6

// LongestRun returns the run time, in seconds, to which longer run times of the class are cut
// because of its estimates; +Inf if they are not.
func (c Class) LongestRun() float64 {
	if c.Estimates == nil {
		return math.Inf(1)
	}
	return c.Estimates.LongestRun()
}

// ForProcessors returns the model for a machine with that many processors. The sizes of each
// class are scaled by the rule of their form. Run times, arrivals and the laws of malleable jobs
// do not change, so the offered load does (see OfferedLoad). Validate rejects a machine that is
// too small for the sizes. The result shares parts with s.
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
