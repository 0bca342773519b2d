package model

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Means are the means of a class by its truncated laws, before times are
// rounded down to whole seconds (which subtracts half a second).
type Means struct {
	Size         float64 // processors
	RunTime      float64 // s
	Area         float64 // processor seconds: size times run time, which are dependent
	Interarrival float64 // s between two jobs, over whole days
}

// Means returns the class's means on a machine of that many processors. Of
// malleable jobs without an allocation the size and the run time are NaN, and
// the area is the sequential time. Interarrival is NaN if the method needs
// shapes that do not exist.
func (c Class) Means(processors int64) Means {
	m := Means{Interarrival: c.Arrivals.Mean(1)}
	switch {
	case c.Malleable != nil && c.Malleable.Allocation != NoAllocation:
		m.Size, m.RunTime, m.Area = c.Malleable.means(processors)
	case c.Malleable != nil:
		m.Size, m.RunTime, m.Area = math.NaN(), math.NaN(), dist.Mean(c.Malleable.SequentialTime.Law)
	default:
		runTime := c.meanRun(c.LongestRun())
		m.Size = c.Sizes.Mean(processors, func(n int64) float64 { return float64(n) })
		m.RunTime = c.Sizes.Mean(processors, runTime)
		m.Area = c.Sizes.Mean(processors, func(n int64) float64 { return float64(n) * runTime(n) })
	}
	return m
}

// OfferedLoad returns the processor seconds that arrive in a second, divided by
// the machine's processors: 1 is the capacity of the machine. A malleable job
// counts with its allocation or, without one, with its sequential time:
// efficiency 1.
func (s Site) OfferedLoad() float64 {
	load := 0.0
	for _, c := range s.Classes {
		m := c.Means(s.Processors)
		load += m.Area / m.Interarrival
	}
	return load / float64(s.Processors)
}

// Stretch returns the factor by which all interarrival times must be multiplied
// to make OfferedLoad equal to load. It is false if there is none: jobs take
// almost no time, or interarrival times have no mean.
func (s Site) Stretch(load float64) (stretch float64, ok bool) {
	stretch = s.OfferedLoad() / load
	byShape := false
	for _, c := range s.Classes {
		byShape = byShape || c.Arrivals.Method.ByShape()
	}
	if byShape {
		// The mean depends on the hours at which interarrival times begin,
		// and they on the stretch: a fixed point.
		areas := make([]float64, len(s.Classes))
		for i, c := range s.Classes {
			areas[i] = c.Means(s.Processors).Area
		}
		for range 12 {
			reached := 0.0
			for i, c := range s.Classes {
				reached += areas[i] / c.Arrivals.Mean(stretch)
			}
			ratio := reached / float64(s.Processors) / load
			stretch *= ratio
			if math.Abs(ratio-1) < 1e-5 || math.IsNaN(ratio) {
				break
			}
		}
	}
	for _, c := range s.Classes {
		if gap := stretch * c.Arrivals.Mean(1); !(gap >= leastGap && gap <= MaxSecondsLimit) {
			return stretch, false
		}
	}
	return stretch, true
}

// leastGap is the shortest mean interarrival time, in seconds, that a load may
// ask for.
const leastGap = 1e-6

// ForProcessors returns the model for a machine of another size: the upper end
// and the border of every class's log2 sizes move by log2 of the ratio of the
// two machines, so that their distances from log2 of the machine's size do not
// change (in the untyped preset the upper end is the machine's size and the
// border 2.5 below it, as Lublin and Feitelson (2003), section 3.1, advise).
// The largest size then is the machine's. The lower end, the smallest size, run
// times and arrivals do not change, so the offered load does (see OfferedLoad).
// A law of the total work does not hold for other sizes and is left out. The result shares only
// Shares with s.
//
// A table of sizes has no such rule and does not change, nor do the laws of malleable jobs. A
// machine smaller than the largest size of a table, or so small that the border would meet the
// lower end, is a *workload.OptionError, which says the smallest machine that is possible.
func (s Site) ForProcessors(processors int64) (Site, error) {
	scaled := s
	scaled.Classes = append([]Class(nil), s.Classes...)
	if processors == s.Processors {
		return scaled, nil
	}
	if processors > MaxProcessors {
		return Site{}, workload.OptionFault("processors", processors, "at most %d", MaxProcessors)
	}
	var err error
	least := int64(0) // of the class that needs most
	for i := range scaled.Classes {
		c := &scaled.Classes[i]
		c.Work = nil
		if c.Malleable != nil {
			continue
		}
		needs, why := int64(0), "then has no smaller sizes"
		if rows := c.Sizes.Shares; rows != nil {
			needs, why = rows[len(rows)-1].Size, "has a table of sizes, which no rule moves to another machine, and the largest does not fit"
		} else {
			law := &c.Sizes.Log2
			needs = leastProcessors(s.Processors, law.Mid-law.Low)
			shift := math.Log2(float64(processors)) - math.Log2(float64(s.Processors))
			law.Mid += shift
			law.High += shift
			c.Sizes.Smallest, c.Sizes.Largest = min(c.Sizes.Smallest, processors), 0
		}
		if processors < needs && needs > least {
			least = needs
			err = workload.OptionFault("processors", fmt.Sprintf("%d, but class %s of model %s %s", processors, c.Name, s.Name, why), "at least %d", least)
		}
	}
	if err != nil {
		return Site{}, err
	}
	scaled.Processors = processors
	return scaled, nil
}

// minStage is how far above the lower end of log2 sizes a re-scaled border
// stays.
const minStage = 0.01

// leastProcessors is the smallest machine for which a border that is room
// above the lower end, on a machine of that many processors, stays above it.
func leastProcessors(processors int64, room float64) int64 {
	least := math.Ceil(math.Exp2(math.Log2(float64(processors)) - room + minStage))
	return int64(min(max(least, 1), MaxProcessors+1))
}
