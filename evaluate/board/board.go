// Package board ranks predictors over several logs.
//
//	what each log says of its predictors (Column) --Board.Rank--> Board
//
// On each log all predictors are ranked by one score; a board has their mean ranks, and
// how far each is behind the best, with an interval. Package evaluate makes columns of
// its results; the tables of the command print a Board.
package board

import (
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
