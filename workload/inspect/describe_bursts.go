package inspect

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Bursts is how bursty submissions are.
type Bursts struct {
	Jobs int64 // with a known time of submission
	// LeftOut jobs stand too far behind later ones to be put in order in one
	// reading; they are in no figure here.
	LeftOut int64
	// Counts are of submissions per five minutes, hour and day, over intervals
	// that begin at the log's second 0, from the first submission's to the last
	// one's, with their autocorrelation at Lags intervals.
	Counts        []stats.CountStatistics
	Interarrivals Interarrivals
	Peaks         Peaks
}

// Interarrivals are the times between one submission and the next, in seconds.
type Interarrivals struct {
	Known           int64
	Mean            float64 // s
	CV              float64 // 1 for a Poisson process
	Zero            float64 // share that is 0
	Max             float64 // s
	Lags            []int
	Autocorrelation []float64 // at each of Lags
}

// Peaks are submissions per five minutes over time, for a picture: the highest
// count of each stretch. Stretches are of five minutes where the log is short
// enough for that, else of twice, four times, ... as much.
type Peaks struct {
	Start float64 // s, of the first stretch
	Width float64 // s, of each
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
	gaps  stats.Moments
	zero  int64
	most  float64
	lags  *stats.Autocorrelation
}

func newBursts() *bursts {
	b := &bursts{
		peaks: spans[float64]{width: fiveMinutes, limit: mostPeaks, join: func(a, b float64) float64 { return max(a, b) }},
		lags:  stats.NewAutocorrelation(burstLags...),
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

func (b *bursts) submitted(s submission) {
	for _, c := range b.counts {
		c.Add(s.submit)
	}
	if b.begun {
		gap := s.submit - b.last
		b.gaps.Add(gap)
		b.lags.Add(gap)
		b.most = max(b.most, gap)
		if gap == 0 {
			b.zero++
		}
	}
	b.begun, b.last = true, s.submit
}

func (b *bursts) found(o *ordered) Bursts {
	out := Bursts{Jobs: o.jobs + o.leftOut, LeftOut: o.leftOut}
	for _, c := range b.counts {
		out.Counts = append(out.Counts, c.Finish())
	}
	n := float64(b.gaps.N())
	out.Interarrivals = Interarrivals{
		Known: int64(n), Mean: b.gaps.Mean(), CV: b.gaps.CV(), Zero: float64(b.zero) / n, Max: b.most,
		Lags: burstLags, Autocorrelation: b.lags.R(),
	}
	if n == 0 {
		out.Interarrivals.Max = math.NaN()
	}
	out.Peaks = Peaks{Start: b.peaks.first * b.peaks.width, Width: b.peaks.width, Max: b.peaks.values}
	return out
}
