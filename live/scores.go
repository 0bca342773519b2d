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
	Schema      string          `json:"schema"`
	State       Moment          `json:"state"`
	Since       *time.Time      `json:"since" help:"When the first answer that is scored was given."`
	Recommended string          `json:"recommended,omitempty" help:"The predictor that answers put first."`
	Bounds      []BoundScore    `json:"bounds"`
	Forecasts   []ForecastScore `json:"forecasts" help:"By window: day, week, all."`
	Hours       []Hour          `json:"hours" help:"The hours of the last week in which answers were settled, the oldest first."`
}

// BoundScore is the score of one predictor at one quantile.
type BoundScore struct {
	Predictor       string   `json:"predictor" label:"predictor"`
	Quantile        float64  `json:"quantile" label:"level"`
	Answers         int      `json:"answers" metric:"bound_answers_total" help:"Jobs that it gave a bound."`
	Settled         int      `json:"settled" metric:"bound_settled_total" help:"Answers whose outcome is known: the job has started, or has waited longer than the bound."`
	Censored        int      `json:"censored" metric:"bound_censored_total" help:"Answers about jobs that were withdrawn before the bound was reached."`
	Open            int      `json:"open" help:"Answers about jobs that wait, within the bound."`
	Late            int      `json:"late" help:"Answers that were given when the job had already started, from what happened before its submission."`
	Coverage        Coverage `json:"coverage" help:"By the hour in which answers were settled."`
	score.BoundLoss          // of the jobs that started
}

// ForecastScore compares expected starts with those that the scheduler forecasts itself,
// on the jobs that have started within a window.
type ForecastScore struct {
	Window string       `json:"window" label:"window" help:"The last 24 hours (day), the last 168 hours (week), or all."`
	Jobs   int          `json:"jobs" help:"Jobs that were seen pending and have started since."`
	Ours   int          `json:"ours" metric:"start_forecast_jobs,by=ours" help:"Jobs with a forecast of ours."`
	Theirs int          `json:"theirs" metric:"start_forecast_jobs,by=slurm" help:"Jobs with a forecast of the scheduler."`
	Both   int          `json:"both" metric:"start_forecast_jobs,by=both" help:"Jobs with both."`
	Median stats.Number `json:"absolute_error_median_min" help:"Our median error on all jobs with a forecast of ours. The other errors are of the jobs with both."`
	// The errors below are over the jobs with both forecasts, in minutes.
	OursMedian   stats.Number `json:"ours_absolute_error_median_min" metric:"start_error_median_seconds,by=ours"`
	TheirsMedian stats.Number `json:"theirs_absolute_error_median_min" metric:"start_error_median_seconds,by=slurm"`
	OursMean     stats.Number `json:"ours_absolute_error_mean_min"`
	TheirsMean   stats.Number `json:"theirs_absolute_error_mean_min"`
	Ratio        stats.Number `json:"median_error_ratio" metric:"slurm_start_error_ratio" help:"Our median error over that of the scheduler."`
}

// Hour contains the answers that were settled within an hour.
type Hour struct {
	Start  time.Time   `json:"start" help:"When the hour begins."`
	Bounds []HourBound `json:"bounds" help:"In the order of the bounds of the scores."`
}

// HourBound counts the settled answers of a predictor at a quantile.
type HourBound struct {
	Settled int `json:"settled"`
	Held    int `json:"held" help:"Those whose wait was not above the bound."`
}
