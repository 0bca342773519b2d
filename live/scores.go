package live

import (
	"time"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// ScoresSchema names the JSON form of Scores and its version.
const ScoresSchema = "loadstone.live-scores/1"

// Scores tells how often the answers about real jobs have held.
type Scores struct {
	Schema string     `json:"schema"`
	State  Moment     `json:"state"`
	Since  *time.Time `json:"since"` // the first answer that is scored; null before
	// Recommended names the predictor that answers put first.
	Recommended string          `json:"recommended,omitempty"`
	Bounds      []BoundScore    `json:"bounds"`
	Forecasts   []ForecastScore `json:"forecasts"` // by window: day, week, all
	Hours       []Hour          `json:"hours"`     // of the last week, the oldest first
}

// BoundScore is the score of one predictor at one quantile.
type BoundScore struct {
	Predictor string  `json:"predictor"`
	Quantile  float64 `json:"quantile"`
	Answers   int     `json:"answers"` // jobs for which it gave a bound
	// Settled is the number of answers whose outcome is known: the job has
	// started, or has waited longer than the bound.
	Settled  int `json:"settled"`
	Censored int `json:"censored"` // withdrawn before the bound was reached
	Open     int `json:"open"`     // waiting, within the bound
	Late     int `json:"late"`     // given after the job had started, from events before its submission
	// Coverage is by the hour in which answers were settled: the last 24 and 168 hours,
	// and all.
	Coverage        Coverage `json:"coverage"`
	score.BoundLoss          // of the jobs that started
}

// ForecastScore compares expected starts with those that the scheduler forecasts itself,
// on the jobs that have started within a window.
type ForecastScore struct {
	Window string `json:"window"` // day, week or all
	Jobs   int    `json:"jobs"`   // seen pending, and started since
	Ours   int    `json:"ours"`   // with a forecast of ours
	Theirs int    `json:"theirs"` // with one of the scheduler's; N/A is none
	Both   int    `json:"both"`
	// Median is the median error of all jobs with a forecast of ours, in minutes.
	Median stats.Number `json:"absolute_error_median_min"`
	// The errors below are over the jobs with both forecasts, in minutes.
	OursMedian   stats.Number `json:"ours_absolute_error_median_min"`
	TheirsMedian stats.Number `json:"theirs_absolute_error_median_min"`
	OursMean     stats.Number `json:"ours_absolute_error_mean_min"`
	TheirsMean   stats.Number `json:"theirs_absolute_error_mean_min"`
	// Ratio is OursMedian over TheirsMedian.
	Ratio stats.Number `json:"median_error_ratio"`
}

// Hour contains the answers that were settled within an hour.
type Hour struct {
	Start  time.Time   `json:"start"`
	Bounds []HourBound `json:"bounds"` // in the order of Scores.Bounds
}

// HourBound counts the settled answers of a predictor at a quantile.
type HourBound struct {
	Settled int `json:"settled"`
	Held    int `json:"held"`
}
