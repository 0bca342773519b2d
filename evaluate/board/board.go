// Package board ranks predictors over several logs.
//
//	what each log says of its predictors (Column) --Board.Rank--> Board
//
// On each log all predictors are ranked by one score; a board has their mean ranks, and
// how far each is behind the best, with an interval. Package evaluate makes columns of
// its results; the tables of the command print a Board.
package board

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of Board and its version.
const Schema = "loadstone.scoreboard/1"

// Board compares predictors over several logs. On each log all are ranked by one score,
// over the jobs that all of them answered; ranks compare between logs, scores need not.
type Board struct {
	Schema string `json:"schema"`
	Of     string `json:"of"`    // "runtime" or "wait"
	Score  string `json:"score"` // the field that ranks go by
	Higher bool   `json:"higher_is_better"`
	// Quantile is that of the bounds of waits, of Sample jobs of each log at the most,
	// or of its FirstJobs alone.
	Quantile  float64 `json:"quantile,omitempty"`
	Sample    int     `json:"sample,omitempty"`
	FirstJobs int     `json:"first_jobs,omitempty"`
	// Version is of the program, and Options are those it was given, such as
	// "--classes user"; the caller sets both.
	Version string   `json:"version,omitempty"`
	Options []string `json:"options,omitempty"`
	Logs    []Log    `json:"logs"`
	// Predictors are in the order of their mean ranks.
	Predictors []Predictor `json:"predictors"`
	// Replicates and Seed are those of the intervals, of draws of By.
	Replicates int                `json:"replicates"`
	Seed       uint64             `json:"seed"`
	By         string             `json:"by"`
	Level      float64            `json:"level"`
	Warnings   []workload.Warning `json:"warnings,omitempty"`
}

// Log is one log.
type Log struct {
	Name   string `json:"name"`
	Jobs   int    `json:"jobs"`
	Common int    `json:"common_jobs"` // that all predictors with any answer answered
}

// Predictor is one predictor over all logs.
type Predictor struct {
	Predictor string `json:"predictor"`
	Classes   string `json:"classes,omitempty"` // of run times
	// MeanRank is the mean of its ranks, 1 for the best. A log that it has no score on
	// counts as the last rank.
	MeanRank float64 `json:"mean_rank"`
	Firsts   int     `json:"firsts"` // logs on which none is better
	Scored   int     `json:"logs"`   // on which it has a score
	// Mean is that of its scores; NaN unless it has one on every log.
	Mean stats.Number `json:"mean"`
	Logs []LogScore   `json:"by_log"` // in the order of Board.Logs
}

// LogScore is a predictor's score on one log.
type LogScore struct {
	Rank     float64      `json:"rank"` // equals share the mean of their ranks
	Score    stats.Number `json:"score"`
	Coverage stats.Number `json:"coverage"`
	// The score less that of the log's best predictor, over the common jobs, with the
	// ends of its 95 % interval: draws are of the same clusters for both. NaN where no
	// interval was drawn.
	Behind     stats.Number `json:"difference"`
	BehindLow  stats.Number `json:"difference_low"`
	BehindHigh stats.Number `json:"difference_high"`
}

// Level with the best says that the interval of the difference does not exclude 0.
func (s *LogScore) Level() bool { return s.BehindLow <= 0 && s.BehindHigh >= 0 }

// Entry is what a log says of one predictor: Score is NaN for none, Clusters are
// of the common jobs, nil where no intervals are drawn.
type Entry struct {
	Predictor, Classes string
	Score, Coverage    float64
	Clusters           *score.Clusters
}

// Column is what one log says of all predictors.
type Column struct {
	Log     Log
	Entries []Entry
}

// Rank enters the logs, and the predictors in the order of their mean ranks. of is the
// score of clusters.
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

// predictor finds a predictor, or adds it.
func (b *Board) predictor(e *Entry) *Predictor {
	for i := range b.Predictors {
		if p := &b.Predictors[i]; p.Predictor == e.Predictor && p.Classes == e.Classes {
			return p
		}
	}
	b.Predictors = append(b.Predictors, Predictor{Predictor: e.Predictor, Classes: e.Classes})
	return &b.Predictors[len(b.Predictors)-1]
}

// better is negative where a is the better of two scores, 0 where they are equal; a
// score is better than none.
func (b *Board) better(x, y float64) int {
	switch noX, noY := math.IsNaN(x), math.IsNaN(y); {
	case noX && noY:
		return 0
	case noX:
		return 1
	case noY:
		return -1
	case b.Higher:
		return cmp.Compare(y, x)
	}
	return cmp.Compare(x, y)
}

// ranks are the ranks of the entries; equals share the mean of theirs.
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

// behind enters the difference from the best.
func (b *Board) behind(s *LogScore, e, best *Entry, of func(score.Sums) float64) {
	s.Behind = stats.Number(e.Score - best.Score)
	if e == best {
		s.BehindLow, s.BehindHigh = 0, 0
		return
	}
	if e.Clusters == nil || best.Clusters == nil || b.Replicates == 0 {
		return
	}
	// Both are of the common jobs, so that draws pair.
	from, to := *best.Clusters, *e.Clusters
	to.Jobs = from.Jobs
	in := score.Difference(from, to, of, b.Replicates, b.Level, b.Seed)
	s.BehindLow, s.BehindHigh = stats.Number(in.Low), stats.Number(in.High)
}

// conclude takes the means over the logs, and orders the predictors by them.
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
