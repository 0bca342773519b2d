package stats

import "math"

// EventCounts counts events in intervals of equal width, [k Width, (k+1) Width) for integer
// k, from the interval of the first event to that of the last. It measures how bursty
// arrivals are. Events come in ascending order of time. Memory use grows neither with the
// number of events nor with the time that they cover.
type EventCounts struct {
	Width float64 // s, positive
	// Each, if not nil, is called in order for every interval that holds an event, with the
	// interval's start and count.
	Each func(start, count float64)

	begun  bool
	at     float64          // k of the interval being counted
	count  float64          // events in it
	series *Autocorrelation // of the counts of the intervals before it
	max    float64
	maxAt  float64
}

// CountStatistics describes the number of events per interval, over intervals of equal
// width.
type CountStatistics struct {
	Width     Number `json:"interval_s" show:"interval,span"`
	Intervals Number `json:"intervals" show:"intervals"` // number of intervals, including empty ones; the first and the last may be covered in part
	Mean      Number `json:"mean" show:"mean"`           // events per interval
	Variance  Number `json:"variance" show:"variance"`   // with divisor n-1; NaN for a single interval
	// Dispersion is the index of dispersion, Variance/Mean: 1 for a Poisson process, larger
	// if events come in bursts.
	Dispersion      Number `json:"dispersion_index" show:"dispersion"`
	Max             Number `json:"max" show:"max"`
	MaxStart        Number `json:"max_start_s" show:"max at,moment"`                                // start of the first interval with Max events
	Autocorrelation []Lag  `json:"autocorrelation" csv:"autocorrelation" show:"r,%.3f" row:"named"` // of the counts; lags are in intervals
}

// NewEventCounts returns an empty counter that also computes the autocorrelation of the
// counts at the given lags, in intervals.
func NewEventCounts(width float64, lags ...int) *EventCounts {
	if !(width > 0) {
		panic("stats: NewEventCounts of a width not above 0")
	}
	return &EventCounts{Width: width, series: NewAutocorrelation(lags...)}
}

// Add adds an event at time t, in seconds. It panics if t is not finite or lies before the
// interval being counted.
func (c *EventCounts) Add(t float64) {
	k := math.Floor(t / c.Width)
	switch {
	case math.IsNaN(k) || math.IsInf(k, 0) || c.begun && k < c.at:
		panic("stats: EventCounts of events that are not in order")
	case !c.begun:
		c.begun, c.at = true, k
	case k > c.at:
		empty := k - c.at - 1
		c.close()
		c.series.AddRun(0, empty)
		c.at, c.count = k, 0
	}
	c.count++
}

// close adds the interval being counted.
func (c *EventCounts) close() {
	c.series.Add(c.count)
	if c.count > c.max {
		c.max, c.maxAt = c.count, c.at*c.Width
	}
	if c.Each != nil {
		c.Each(c.at*c.Width, c.count)
	}
}

// Finish ends the last interval and returns the statistics, which are NaN if there was no
// event. The counter must not be used afterwards.
func (c *EventCounts) Finish() CountStatistics {
	if c.begun {
		c.close()
	}
	moments := c.series.Moments()
	s := CountStatistics{
		Width: Number(c.Width), Intervals: Number(moments.N()), Mean: Number(moments.Mean()), Variance: Number(moments.Variance()),
		Max: Number(c.max), MaxStart: Number(c.maxAt), Autocorrelation: c.series.Lags(),
	}
	s.Dispersion = s.Variance / s.Mean
	if !c.begun {
		s.Max, s.MaxStart = Number(math.NaN()), Number(math.NaN())
	}
	c.begun, c.at = true, math.Inf(1)
	return s
}
