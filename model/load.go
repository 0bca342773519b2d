package model

import "github.com/loadstone-hpc/loadstone/dist"

// Means are what a class comes to on average, by its truncated laws before
// times are rounded to whole seconds (which takes half a second off).
type Means struct {
	Size         float64 // processors
	RunTime      float64 // s
	Area         float64 // processor seconds: size times run time, which are dependent
	Interarrival float64 // s, over whole days
}

// Means returns the class's means on a machine of that many processors.
func (c Class) Means(processors int64) Means {
	t := c.RunTimes.truncated()
	runTime := func(n int64) float64 { return t.mean(c.RunTimes.P(n)) }
	return Means{
		Size:         c.Sizes.Mean(processors, func(n int64) float64 { return float64(n) }),
		RunTime:      c.Sizes.Mean(processors, runTime),
		Area:         c.Sizes.Mean(processors, func(n int64) float64 { return float64(n) * runTime(n) }),
		Interarrival: dist.Ln{Inner: c.Arrivals.Law(), MaxLn: c.Arrivals.MaxLn}.Mean(),
	}
}

// OfferedLoad returns the processor seconds that arrive in a second, divided
// by the machine's processors: 1 is all that the machine can do.
func (s Site) OfferedLoad() float64 {
	load := 0.0
	for _, c := range s.Classes {
		m := c.Means(s.Processors)
		load += m.Area / m.Interarrival
	}
	return load / float64(s.Processors)
}
