// Package board ranks predictors over several logs.
//
//	scores of the predictors on each log (Column) --Board.Rank--> Board
//
// On each log all predictors are ranked by one score. A board contains their mean ranks
// and each one's difference from the best, with an interval. Package evaluate turns its
// results into columns.
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

// Board compares predictors over several logs. On each log they are ranked by one score
// over the jobs that all of them predicted. Ranks are comparable between logs; scores
// may not be.
type Board struct {
	Schema string `json:"schema"`
	Of     string `json:"of"`    // "runtime" or "wait"
	Score  string `json:"score"` // name of the field by which predictors are ranked
	Lower  bool   `json:"lower_is_better"`
	// Quantile is the quantile of the bounds of waits. Of each log's FirstJobs jobs (0 means
	// all), a sample of at most Sample jobs is scored.
	Quantile  float64 `json:"quantile,omitempty"`
	Sample    int     `json:"sample,omitempty"`
	FirstJobs int     `json:"first_jobs,omitempty"`
	// Version is the version of the program, and Options are its options, such as
	// "--classes user". The caller sets both.
	Version string   `json:"version,omitempty"`
	Options []string `json:"options,omitempty"`
	Logs    []Log    `json:"logs"`
	// Predictors are sorted by mean rank.
	Predictors []Predictor `json:"predictors"`
	// Replicates, Seed and Level describe the bootstrap intervals; By names the clusters
	// that are drawn, such as "user".
	Replicates int                `json:"replicates"`
	Seed       uint64             `json:"seed"`
	By         string             `json:"by"`
	Level      float64            `json:"level"`
	Warnings   []workload.Warning `json:"warnings,omitempty"`
}

// Log is one log.
type Log struct {
	Name   string `json:"name" csv:"log"`
	Jobs   int    `json:"jobs" show:"jobs"`
	Common int    `json:"common_jobs" show:"common"` // jobs predicted by every predictor that predicted any
}

// Predictor is one predictor over all logs.
type Predictor struct {
	Predictor string `json:"predictor" show:"predictor"`
	Classes   string `json:"classes,omitempty" show:"classes"` // for predictors of run time
	// MeanRank is the mean of its ranks; 1 is the best. The predictors without a score on a
	// log share the mean of the last ranks there.
	MeanRank float64 `json:"mean_rank" show:"mean rank,%.2f"`
	Firsts   int     `json:"firsts" show:"best on"`  // number of logs on which no predictor is better
	Scored   int     `json:"logs" csv:"logs_scored"` // number of logs on which it has a score
	// Mean is the mean of its scores; NaN unless it has one on every log.
	Mean stats.Number `json:"mean" csv:"score_mean" show:"mean,%.3f"`
	Logs []LogScore   `json:"by_log"` // in the order of Board.Logs
}

// LogScore is a predictor's score on one log.
type LogScore struct {
	Rank     float64      `json:"rank"` // tied predictors share the mean of their ranks
	Score    stats.Number `json:"score"`
	Coverage stats.Number `json:"coverage"`
	// Behind is the score minus that of the log's best predictor, over the common jobs.
	// BehindLow and BehindHigh are the ends of its 95 % interval, from paired draws of
	// clusters; NaN if no interval was drawn.
	Behind     stats.Number `json:"difference"`
	BehindLow  stats.Number `json:"difference_low"`
	BehindHigh stats.Number `json:"difference_high"`
}

// Level reports whether the interval of the difference from the best contains 0.
func (s *LogScore) Level() bool { return s.BehindLow <= 0 && s.BehindHigh >= 0 }

// Entry is one predictor on one log. Score is NaN if it has none. Clusters cover the common
// jobs; nil means that no intervals are drawn.
type Entry struct {
	Predictor, Classes string
	Score, Coverage    float64
	Clusters           score.Clusters
}

// Column is all predictors on one log.
type Column struct {
	Log     Log
	Entries []Entry
}

// Rank fills in Logs, and Predictors sorted by mean rank. of computes the score from the
// sums of clusters.
func (b *Board) Rank(columns []Column, of func(score.Sums) float64) {
	for _, c := range columns {
		b.Logs = append(b.Logs, c.Log)
		for i := range c.Entries {
			b.add(&c.Entries[i], len(columns))
		}
	}
	for k, c := range columns {
		scored := slices.DeleteFunc(slices.Clone(c.Entries), func(e Entry) bool { return math.IsNaN(e.Score) })
		best := b.best(scored)
		for i := range b.Predictors {
			p := &b.Predictors[i]
			is := func(e Entry) bool { return e.Predictor == p.Predictor && e.Classes == p.Classes }
			none := stats.Number(math.NaN())
			s := &p.Logs[k]
			*s = LogScore{Score: none, Coverage: none, Behind: none, BehindLow: none, BehindHigh: none}
			if at := slices.IndexFunc(c.Entries, is); at >= 0 {
				s.Score, s.Coverage = stats.Number(c.Entries[at].Score), stats.Number(c.Entries[at].Coverage)
			}
			if at := slices.IndexFunc(scored, is); at >= 0 {
				s.Rank = b.rank(scored, at)
				b.behind(s, &scored[at], best, of)
				p.Scored++
			} else { // predictors without a score share the last ranks
				s.Rank = float64(len(scored)+1+len(b.Predictors)) / 2
			}
			if s.Behind == 0 {
				p.Firsts++
			}
			p.MeanRank += s.Rank / float64(len(columns))
			p.Mean += s.Score
		}
	}
	for i := range b.Predictors {
		b.Predictors[i].Mean /= stats.Number(len(columns))
	}
	slices.SortStableFunc(b.Predictors, func(x, y Predictor) int { return cmp.Compare(x.MeanRank, y.MeanRank) })
}

// add adds an entry's predictor if it is new.
func (b *Board) add(e *Entry, logs int) {
	if !slices.ContainsFunc(b.Predictors, func(p Predictor) bool { return p.Predictor == e.Predictor && p.Classes == e.Classes }) {
		b.Predictors = append(b.Predictors, Predictor{Predictor: e.Predictor, Classes: e.Classes, Logs: make([]LogScore, logs)})
	}
}

// better reports whether x is the better of two scores.
func (b *Board) better(x, y float64) bool { return x != y && (x < y) == b.Lower }

// best returns the best of some entries with scores, the first if several tie; nil if there
// are none.
func (b *Board) best(scored []Entry) (best *Entry) {
	for i := range scored {
		if best == nil || b.better(scored[i].Score, best.Score) {
			best = &scored[i]
		}
	}
	return best
}

// rank returns the rank of scored[at]; tied entries share the mean of their ranks.
func (b *Board) rank(scored []Entry, at int) float64 {
	above, same := 0, 0
	for _, o := range scored {
		if o.Score == scored[at].Score {
			same++
		} else if b.better(o.Score, scored[at].Score) {
			above++
		}
	}
	return float64(above) + float64(same+1)/2
}

// behind fills in the difference from the best, with its interval.
func (b *Board) behind(s *LogScore, e, best *Entry, of func(score.Sums) float64) {
	s.Behind = stats.Number(e.Score - best.Score)
	switch {
	case e == best:
		s.BehindLow, s.BehindHigh = 0, 0
	case e.Clusters != nil && best.Clusters != nil && b.Replicates > 0:
		in := score.Difference(best.Clusters, e.Clusters, of, b.Replicates, b.Level, b.Seed)
		s.BehindLow, s.BehindHigh = stats.Number(in.Low), stats.Number(in.High)
	}
}
