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

// bursts takes submission times in ascending order. It leaves out and counts a time
// that is too late for workload.OrderBuffer, because a description of the other jobs is
// still useful.
func bursts(most limits) measure {
	b := Bursts{}
	peaks := spans[float64]{width: fiveMinutes, limit: mostPeaks, join: func(a *float64, b float64) { *a = max(*a, b) }}
	var counts []*stats.EventCounts
	for _, width := range []float64{fiveMinutes, 3600, 86400} {
		counts = append(counts, stats.NewEventCounts(width, burstLags...))
	}
	counts[0].Each = func(start, count float64) {
		// The middle of the interval is in its stretch, whatever is rounded.
		peak := peaks.at(start + fiveMinutes/2)
		*peak = max(*peak, count)
	}
	gaps := stats.NewAutocorrelation(burstLags...)
	last, zero, longest := math.NaN(), 0.0, math.Inf(-1)
	order := workload.NewOrderBuffer(func(at *float64) float64 { return *at }, func(at *float64) bool {
		b.Jobs++
		for _, c := range counts {
			c.Add(*at)
		}
		if gap := *at - last; !math.IsNaN(gap) { // not the first
			gaps.Add(gap)
			longest = max(longest, gap)
			if gap == 0 {
				zero++
			}
		}
		last = *at
		return true
	})
	order.Window = most.window
	return measure{func(s *slab) {
		for _, at := range s.submit {
			if !math.IsNaN(at) && !order.Add(at, &at) {
				b.LeftOut++
			}
		}
	}, func(d *Description) {
		order.Finish()
		b.Jobs += b.LeftOut
		for _, c := range counts {
			b.Counts = append(b.Counts, c.Finish())
		}
		moments := gaps.Moments()
		n := float64(moments.N())
		if n == 0 {
			longest = math.NaN()
		}
		b.Interarrivals = Interarrivals{
			Known: int64(n), Mean: stats.Number(moments.Mean()), CV: stats.Number(moments.CV()), Zero: stats.Share(zero / n),
			Max: stats.Number(longest), Autocorrelation: gaps.Lags(),
		}
		b.Peaks = Peaks{Start: peaks.first * peaks.width, Width: peaks.width, Max: peaks.values}
		d.Bursts = b
	}}
}
