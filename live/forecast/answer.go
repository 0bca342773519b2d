package forecast

import (
	"time"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Schema names the JSON form of an Answer and its version.
const Schema = "loadstone.predict-now/1"

// Answer contains the predictions of a request's wait. Times are in seconds.
type Answer struct {
	Schema      string              `json:"schema"`
	State       StateSummary        `json:"state"`
	History     HistorySummary      `json:"history"`
	Request     Request             `json:"request"`
	Policy      string              `json:"policy"`
	Lifetimes   *predict.LawSummary `json:"lifetimes"` // of all run times; nil if there is no law
	Confidence  float64             `json:"confidence"`
	Predictions []Prediction        `json:"predictions"`      // by size, the recommended one first, then by predictor
	Record      *Record             `json:"record,omitempty"` // how the predictors were judged; nil without past waits
	LeftOut     []LeftOut           `json:"left_out"`
	Turnarounds []Turnaround        `json:"turnarounds,omitempty"`
	Warnings    []workload.Warning  `json:"warnings,omitempty"`

	Quantiles []float64 `json:"-"` // those of the bounds, in their order
}

// StateSummary is the machine at the moment of the question.
type StateSummary struct {
	Name       string       `json:"name"`
	Now        stats.Number `json:"now_s"`          // of the state's clock
	Time       string       `json:"time,omitempty"` // RFC 3339; "" if the state has no date
	Processors int64        `json:"processors"`
	Free       int64        `json:"free_processors"`
	Running    int          `json:"running"`
	Queued     int          `json:"queued"`

	At time.Time `json:"-"` // Time; zero if the state has no date
}

// Empty reports whether no job runs or waits, so that a request that fits starts now.
func (s *StateSummary) Empty() bool { return s.Running+s.Queued == 0 }

// HistorySummary counts what was known of the past.
type HistorySummary struct {
	Logs  []string `json:"logs"`
	Ended int      `json:"ended"` // jobs with a run time
	Waits int      `json:"waits"` // jobs with a wait
}

// Request repeats the request of the Query.
type Request struct {
	Processors []int64      `json:"processors"`
	Time       stats.Number `json:"requested_time_s"`
	Queue      string       `json:"queue,omitempty"`
	User       string       `json:"user,omitempty"`
	Partition  string       `json:"partition,omitempty"`

	// Runs are the run times by size, in seconds, NaN if unknown; nil if none
	// were given.
	Runs []float64 `json:"-"`
}

// Prediction is one predictor's answer for one size.
type Prediction struct {
	Processors int64  `json:"processors" show:"processors"`
	Predictor  string `json:"predictor" show:"predictor"`
	// Expected is the expected wait: NaN if the predictor has none, and +Inf
	// if the law of run times has no mean; both are null in JSON.
	Expected     stats.Number `json:"expected_wait_s" show:"expected,wait"`
	Bounds       []Bound      `json:"bounds" row:"each"` // one for each quantile, or none
	Observations int          `json:"observations" show:"observations" narrow:"1"`
	Group        string       `json:"group,omitempty"` // of the past waits, for the last quantile
	// Recommended marks at most one prediction of each size: see Record.
	Recommended bool `json:"recommended,omitempty"`
}

// Bound is an upper bound of a wait at a quantile.
type Bound struct {
	Quantile float64      `json:"quantile"`
	Seconds  stats.Number `json:"bound_s"`
	// Achieved is the confidence of a bound from past waits; NaN for others,
	// which are only as good as the law, the estimates and the policy.
	Achieved stats.Number `json:"achieved_confidence"`
	// Coverage is the share of the waits of Jobs jobs of the history that the
	// predictor's bounds, made at the jobs' submissions, covered; NaN if Jobs is 0.
	Coverage stats.Number `json:"history_coverage"`
	Jobs     int          `json:"history_jobs"`
	// Loss is the mean pinball loss, min, on those of these jobs for which every
	// predictor of bounds had a bound.
	Loss stats.Number `json:"history_pinball_loss_min"`
	// The same for past jobs of a similar size: see SizeRecord. NaN if there are
	// fewer than SimilarJobs of them.
	SimilarCoverage stats.Number `json:"similar_coverage"`
	SimilarJobs     int          `json:"similar_jobs"`
	SimilarLoss     stats.Number `json:"similar_pinball_loss_min"`
	// Group is the group of past waits used; a high quantile may need a larger
	// group.
	Group string `json:"group,omitempty" csv:"bound_group"`
}

// Record is how the predictors were judged: each predicted the same jobs of the history,
// at their submissions, from what was known then.
//
// For each size the recommended predictor is the one whose bounds of Quantile had the
// smallest pinball loss, among those that covered at least Quantile of the waits minus one
// percentage point. If none did, it is the one that covered most, and Kept is false. This
// goes by past jobs of a similar size or, if there are fewer than SimilarJobs of them, of
// all sizes: see SizeRecord. A predictor that bounds fewer than half of the jobs is not
// recommended, and none is if there are fewer than score.StretchJobs of all sizes or the
// machine is empty.
type Record struct {
	Jobs     int     `json:"jobs"`    // number of jobs drawn from the history
	Of       int     `json:"of_jobs"` // number of jobs from which they were drawn
	Quantile float64 `json:"quantile"`
	Draws    int     `json:"draws"` // of "drawn" for each of them
	Kept     bool    `json:"kept"`  // for all sizes of the request

	Sizes []SizeRecord `json:"sizes"` // in the order of the request
}

// SimilarJobs is the smallest number of past jobs of a similar size, with a bound by at
// least one predictor, on which predictors are judged.
const SimilarJobs = 20

// SizeRecord is the past jobs by which a predictor is recommended for one size. Similar
// jobs are in the same range of processors (1-4, 5-16, 17-64, 65 and more) or in the same
// group of Query.Groups; if there are too few, the last columns are dropped one by one.
// All similar ones among the Jobs of Record are judged, and others until there are half of
// Query.Judged, or an equal share of it if the request's sizes are in more than two groups.
type SizeRecord struct {
	Processors int64  `json:"processors"`
	Group      string `json:"group"`   // "" for all past jobs, for want of similar ones
	Jobs       int    `json:"jobs"`    // number of jobs drawn from the group
	Of         int    `json:"of_jobs"` // number of jobs from which they were drawn
	Kept       bool   `json:"kept"`    // false if no predictor covered enough; see Record
}

// LeftOut is the reason why a predictor has no answer, or only part of one, for
// some sizes.
type LeftOut struct {
	Predictor  string  `json:"predictor"`
	Processors []int64 `json:"processors"`
	Why        string  `json:"why"`
}

// Turnaround contains the turnaround of all sizes by one predictor that has an
// expected wait.
type Turnaround struct {
	Predictor string `json:"predictor"`
	// Least is the size with the least turnaround; nil if none can be chosen.
	Least *int64           `json:"least_turnaround_processors"`
	Sizes []SizeTurnaround `json:"sizes"`
}

// SizeTurnaround is the wait and run time on one size. The run time is NaN if
// it is unknown or longer than the requested time.
type SizeTurnaround struct {
	Processors int64        `json:"processors"`
	Wait       stats.Number `json:"wait_s"`
	Run        stats.Number `json:"run_time_s"`
	Turnaround stats.Number `json:"turnaround_s"`
}
