package board

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Entry is one predictor on one log. Score is NaN if it has none. Clusters are those of
// the common jobs, or nil if no intervals are to be drawn.
type Entry struct {
	Predictor, Classes string
	Score, Coverage    float64
	Clusters           *score.Clusters
}

// Column is all predictors on one log.
type Column struct {
	Log     Log
	Entries []Entry
}

// Rank fills in the logs, and the predictors sorted by mean rank. of returns the score of
// the sums of clusters.
func (b *Board) Rank(columns []Column, of func(score.Sums) float64) {
	for k, c := range columns {
		b.Logs = append(b.Logs, c.Log)
		ranks := b.ranks(c.Entries)
		best := 0
		for i := range ranks {
			if ranks[i] < ranks[best] {
				best = i
			}
		}
		for i := range c.Entries {
			e := &c.Entries[i]
			p := b.predictor(e)
			for len(p.Logs) < k {
				p.Logs = append(p.Logs, noScore())
			}
			s := noScore()
			s.Score, s.Coverage = stats.Number(e.Score), stats.Number(e.Coverage)
			if !math.IsNaN(e.Score) {
				s.Rank = ranks[i]
				b.behind(&s, e, &c.Entries[best], of)
			}
			p.Logs = append(p.Logs, s)
		}
	}
	b.conclude()
}

func noScore() LogScore {
	none := stats.Number(math.NaN())
	return LogScore{Score: none, Coverage: none, Behind: none, BehindLow: none, BehindHigh: none}
}

// predictor returns the predictor of an entry, which it adds if it is new.
func (b *Board) predictor(e *Entry) *Predictor {
	for i := range b.Predictors {
		if p := &b.Predictors[i]; p.Predictor == e.Predictor && p.Classes == e.Classes {
			return p
		}
	}
	b.Predictors = append(b.Predictors, Predictor{Predictor: e.Predictor, Classes: e.Classes})
	return &b.Predictors[len(b.Predictors)-1]
}

// better returns a negative number if x is the better of two scores, 0 if they are equal.
// Any score is better than none.
func (b *Board) better(x, y float64) int {
	switch noX, noY := math.IsNaN(x), math.IsNaN(y); {
	case noX && noY:
		return 0
	case noX:
		return 1
	case noY:
		return -1
	case !b.Lower:
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// ranks returns the ranks of the entries; ties have the mean of their ranks.
func (b *Board) ranks(entries []Entry) []float64 {
	ranks := make([]float64, len(entries))
	for i, e := range entries {
		above, same := 0, 0
		for _, o := range entries {
			switch d := b.better(o.Score, e.Score); {
			case d < 0:
				above++
			case d == 0:
				same++
			}
		}
		ranks[i] = float64(above) + float64(same+1)/2
	}
	return ranks
}

// behind fills in the difference from the best.
func (b *Board) behind(s *LogScore, e, best *Entry, of func(score.Sums) float64) {
	s.Behind = stats.Number(e.Score - best.Score)
	if e == best {
		s.BehindLow, s.BehindHigh = 0, 0
		return
	}
	if e.Clusters == nil || best.Clusters == nil || b.Replicates == 0 {
		return
	}
	// Both cover the common jobs, so that their draws can be paired.
	from, to := *best.Clusters, *e.Clusters
	to.Jobs = from.Jobs
	in := score.Difference(from, to, of, b.Replicates, b.Level, b.Seed)
	s.BehindLow, s.BehindHigh = stats.Number(in.Low), stats.Number(in.High)
}

// conclude computes the means over the logs, and sorts the predictors by them.
func (b *Board) conclude() {
	last := make([]float64, len(b.Logs))
	for k := range last {
		scored := 0
		for i := range b.Predictors {
			p := &b.Predictors[i]
			for len(p.Logs) < len(b.Logs) {
				p.Logs = append(p.Logs, noScore())
			}
			if !math.IsNaN(float64(p.Logs[k].Score)) {
				scored++
			}
		}
		// Those without a score share the ranks behind.
		last[k] = float64(scored+1+len(b.Predictors)) / 2
	}
	for i := range b.Predictors {
		p := &b.Predictors[i]
		sum := 0.0
		for k := range p.Logs {
			s := &p.Logs[k]
			if s.Rank == 0 {
				s.Rank = last[k]
			} else {
				p.Scored++
			}
			if s.Behind == 0 {
				p.Firsts++
			}
			p.MeanRank += s.Rank / float64(len(b.Logs))
			sum += float64(s.Score)
		}
		p.Mean = stats.Number(sum / float64(len(b.Logs)))
	}
	slices.SortStableFunc(b.Predictors, func(x, y Predictor) int { return cmp.Compare(x.MeanRank, y.MeanRank) })
}
