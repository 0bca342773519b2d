package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Bursts describes how bursty submissions are.
type Bursts struct {
	Jobs int64 `json:"jobs"` // with a known submission time
	// LeftOut counts the jobs that are too far out of order to be sorted in one pass. All
	// other figures here exclude them.
	LeftOut int64 `json:"out_of_order_jobs"`
	// Counts describes the submissions per five minutes, per hour and per day. The
	// intervals start at multiples of their length from the log's second 0 and reach from
	// the first submission to the last.
	Counts        []stats.CountStatistics `json:"counts"`
	Interarrivals Interarrivals           `json:"interarrivals"`
	Peaks         Peaks                   `json:"-"`
}

// Interarrivals describes the times between consecutive submissions, in seconds.
type Interarrivals struct {
	Known           int64        `json:"known"`
	Mean            stats.Number `json:"mean_s"`
	CV              stats.Number `json:"cv"`       // 1 for a Poisson process
	Zero            stats.Share  `json:"zero_pct"` // share of interarrival times that are 0
	Max             stats.Number `json:"max_s"`
	Autocorrelation []stats.Lag  `json:"autocorrelation" csv:"autocorrelation" row:"named"` // lags are in jobs
}

// Peaks is the highest number of submissions per five minutes in each of a series of
// intervals, for a chart. Intervals last five minutes; in long logs 10, 20, 40 ... minutes,
// so that there are at most 2048.
type Peaks struct {
	Start float64 // s, start of the first interval
	Width float64 // s, length of each interval
	Max   []float64
}

const (
	fiveMinutes = 300
	mostPeaks   = 2048 // stretches in Peaks
)

// burstLags are the lags of autocorrelations, in intervals or jobs.
var burstLags = []int{1, 10, 100}

type bursts struct {
	counts []*stats.EventCounts
	peaks  spans[float64]

	begun bool
	last  float64
	zero  int64
	most  float64
	gaps  *stats.Autocorrelation
}

func newBursts() *bursts {
	b := &bursts{
		peaks: spans[float64]{width: fiveMinutes, limit: mostPeaks, join: func(a, b float64) float64 { return max(a, b) }},
		gaps:  stats.NewAutocorrelation(burstLags...),
	}
	for _, width := range []float64{fiveMinutes, 3600, 86400} {
		b.counts = append(b.counts, stats.NewEventCounts(width, burstLags...))
	}
	b.counts[0].Each = func(start, count float64) {
		// The middle of the interval is in its stretch, whatever is rounded.
		peak := b.peaks.at(start + fiveMinutes/2)
		*peak = max(*peak, count)
	}
	return b
}

func (b *bursts) submitted(at float64) {
	for _, c := range b.counts {
		c.Add(at)
	}
	if !b.begun {
		b.begun, b.last = true, at
		return
	}
	gap := at - b.last
	b.gaps.Add(gap)
	b.most = max(b.most, gap)
	if gap == 0 {
		b.zero++
	}
	b.last = at
}

func (b *bursts) found(jobs, leftOut int64) Bursts {
	out := Bursts{Jobs: jobs + leftOut, LeftOut: leftOut}
	for _, c := range b.counts {
		out.Counts = append(out.Counts, c.Finish())
	}
	gaps := b.gaps.Moments()
	n := float64(gaps.N())
	out.Interarrivals = Interarrivals{
		Known: int64(n), Mean: stats.Number(gaps.Mean()), CV: stats.Number(gaps.CV()), Zero: stats.Share(float64(b.zero) / n), Max: stats.Number(b.most),
		Autocorrelation: b.gaps.Lags(),
	}
	if n == 0 {
		out.Interarrivals.Max = stats.Number(math.NaN())
	}
	out.Peaks = Peaks{Start: b.peaks.first * b.peaks.width, Width: b.peaks.width, Max: b.peaks.values}
	return out
}

// ordered passes submission times on in ascending order. It leaves out and counts a time
// that is too late for workload.OrderBuffer, because a description of the other jobs is
// still useful.
type ordered struct {
	buffer  *workload.OrderBuffer[float64]
	jobs    int64 // passed on
	leftOut int64
	bursts  *bursts
}

func newOrdered() *ordered {
	o := &ordered{bursts: newBursts()}
	o.buffer = workload.NewOrderBuffer(func(at *float64) float64 { return *at }, func(at *float64) bool {
		o.jobs++
		o.bursts.submitted(*at)
		return true
	})
	return o
}

func (o *ordered) add(s *slab) {
	for _, at := range s.submit {
		if !math.IsNaN(at) && !o.buffer.Add(at, &at) {
			o.leftOut++
		}
	}
}

func (o *ordered) into(d *Description) {
	o.buffer.Finish()
	d.Bursts = o.bursts.found(o.jobs, o.leftOut)
}

// spans holds a value for each stretch of time of one width, for no more than
// limit stretches: where a log is longer, neighbours are joined and the width
// doubles. Times come in any order. The limit is 2 or more, because stretches
// on both sides of second 0 never meet.
type spans[T any] struct {
	width  float64 // s
	limit  int
	join   func(a, b T) T // the zero T, of an empty stretch, changes nothing
	first  float64        // number of values[0]; stretch k is [k width, (k+1) width)
	values []T
}

// at is the place of the stretch that a finite time is in.
func (s *spans[T]) at(t float64) *T {
	for {
		k := math.Floor(t / s.width)
		if len(s.values) == 0 {
			s.first = k
		}
		last := max(k, s.first+float64(len(s.values)-1))
		if low := min(k, s.first); last-low < float64(s.limit) {
			s.cover(low, last)
			return &s.values[int(k-s.first)]
		}
		s.double()
	}
}

// cover makes room for the stretches from low to last.
func (s *spans[T]) cover(low, last float64) {
	if short := int(s.first - low); short > 0 {
		s.values = append(make([]T, short), s.values...)
		s.first = low
	}
	if short := int(last-s.first) + 1 - len(s.values); short > 0 {
		s.values = append(s.values, make([]T, short)...)
	}
}

// double joins each even stretch with the odd one after it.
func (s *spans[T]) double() {
	half := math.Floor(s.first / 2)
	odd := int(s.first - 2*half)
	joined := make([]T, (odd+len(s.values)+1)/2)
	for i, v := range s.values {
		to := &joined[(odd+i)/2]
		*to = s.join(*to, v)
	}
	s.first, s.values = half, joined
	s.width *= 2
}
