// Package board ranks predictors over several logs.
//
//	what each log says of its predictors (Column) --Board.Rank--> Board
//
// On each log all predictors are ranked by one score; a board has their mean ranks,
// and how far each is behind the best, with an interval. Package evaluate makes
// columns of its results.
package board

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of Board and its version.
const Schema = "loadstone.scoreboard/1"

// Board compares predictors over several logs. On each log they are ranked by one score
// over the jobs that all of them predicted. Ranks can be compared between logs; scores
// cannot always.
type Board struct {
	Schema string `json:"schema"`
	Of     string `json:"of"`    // "runtime" or "wait"
	Score  string `json:"score"` // the field that ranks go by
	Lower  bool   `json:"lower_is_better"`
	// Quantile is that of the bounds of waits. At most Sample jobs of each log are
	// scored, or only its FirstJobs.
	Quantile  float64 `json:"quantile,omitempty"`
	Sample    int     `json:"sample,omitempty"`
	FirstJobs int     `json:"first_jobs,omitempty"`
	// Version is that of the program, and Options are its options, such as
	// "--classes user". The caller sets both.
	Version string   `json:"version,omitempty"`
	Options []string `json:"options,omitempty"`
	Logs    []Log    `json:"logs"`
	// Predictors are sorted by mean rank.
	Predictors []Predictor `json:"predictors"`
	// Replicates and Seed are those of the bootstrap intervals, whose clusters By names.
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
	Common int    `json:"common_jobs" show:"common"` // that every predictor with any prediction predicted
}

// Predictor is one predictor over all logs.
type Predictor struct {
	Predictor string `json:"predictor" show:"predictor"`
	Classes   string `json:"classes,omitempty" show:"classes"` // of run times
	// MeanRank is the mean of its ranks, of which 1 is the best. On a log without a score
	// of it, it has the last rank.
	MeanRank float64 `json:"mean_rank" show:"mean rank,%.2f"`
	Firsts   int     `json:"firsts" show:"best on"`  // logs on which none is better
	Scored   int     `json:"logs" csv:"logs_scored"` // on which it has a score
	// Mean is that of its scores; NaN unless it has one on every log.
	Mean stats.Number `json:"mean" csv:"score_mean" show:"mean,%.3f"`
	Logs []LogScore   `json:"by_log"` // in the order of Board.Logs
}

// LogScore is a predictor's score on one log.
type LogScore struct {
	Rank     float64      `json:"rank"` // ties have the mean of their ranks
	Score    stats.Number `json:"score"`
	Coverage stats.Number `json:"coverage"`
	// Behind is the score minus that of the log's best predictor, over the common jobs,
	// with the ends of its 95 % interval, from paired draws of clusters. The ends are NaN
	// if no interval was drawn.
	Behind     stats.Number `json:"difference"`
	BehindLow  stats.Number `json:"difference_low"`
	BehindHigh stats.Number `json:"difference_high"`
}

// Level reports whether the interval of the difference from the best contains 0.
func (s *LogScore) Level() bool { return s.BehindLow <= 0 && s.BehindHigh >= 0 }
