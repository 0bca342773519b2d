package live

import (
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// AnswerSchema names the JSON form of an Answer and its version.
const AnswerSchema = "loadstone.live-wait/1"

// Question is a hypothetical request. Zero values and "" mean unknown; Size is
// required.
type Question struct {
	Size      int64   `opt:"size" in:"[1,)" required:"true" help:"processors"`
	Time      float64 `opt:"time" unit:"seconds" in:"(0,)" help:"requested time: <seconds>, or a time such as 2:00:00, 1-12:00 or 90m"`
	Memory    float64 `opt:"memory" in:"(0,)" help:"requested memory per processor in KB"`
	Partition string  `opt:"partition" help:"name of the partition; the default one if absent"`
	Queue     string  `opt:"queue" help:"name of the queue, where jobs have one beside the partition"`
	User      string  `opt:"user" help:"name of the user"`
	Account   string  `opt:"account" help:"name of the account"`
}

// Answer contains the predictions of the wait of a request submitted at the
// moment of the state. Times are in seconds.
type Answer struct {
	Schema      string             `json:"schema" help:"The form of this object and its version."`
	State       Moment             `json:"state"`
	Request     Request            `json:"request"`
	Withheld    *Withheld          `json:"withheld" help:"Why there is no prediction now: no such job can start, or the state is too old. Null if there may be one."`
	Recommended string             `json:"recommended,omitempty" help:"The predictor whose bounds are the answer, the first of predictions. Missing if none has been tested on enough jobs, or the best one has no bound for this request."`
	Expected    stats.Number       `json:"expected_wait_s" help:"The expected wait in seconds by the recommended predictor; null if it has none."`
	Start       *time.Time         `json:"expected_start" help:"When the job would start, by expected_wait_s."`
	Predictions []Prediction       `json:"predictions" help:"The answers of the predictors, the recommended one first; none if they are withheld."`
	LeftOut     []LeftOut          `json:"left_out" help:"Predictors without an answer."`
	PastWaits   *PastWaits         `json:"past_waits" help:"The waits of earlier jobs, which predict nothing; null before any job has started."`
	Warnings    []workload.Warning `json:"warnings,omitempty"`
}

// Moment is the state of the machine behind an answer.
type Moment struct {
	Time       time.Time    `json:"time" help:"When the state was read."`
	Age        stats.Number `json:"age_s" metric:"poll_age_seconds" help:"Age of the state when the answer was given."`
	Stale      bool         `json:"stale" help:"The source has not answered for several polls: the state is older than it should be."`
	Processors int64        `json:"processors" metric:"processors" help:"Processors that can be had."`
	Free       int64        `json:"free_processors" metric:"free_processors" help:"Processors that are idle."`
	// Unavailable counts further processors, by the reason why they are not available.
	Unavailable watch.Unavailable `json:"unavailable_processors"`
	Running     int               `json:"running" metric:"jobs,state=running" help:"Running jobs."`
	Pending     int               `json:"pending" metric:"jobs,state=pending" help:"Pending jobs."`
}

// Request repeats a Question; null and "" are unknown.
type Request struct {
	Size      int64        `json:"size" help:"Processors."`
	Time      stats.Number `json:"time_s" help:"Requested time in seconds."`
	Memory    stats.Number `json:"memory_per_processor_kb" help:"Requested memory per processor in KB."`
	Partition string       `json:"partition,omitempty"`
	Queue     string       `json:"queue,omitempty"`
	User      string       `json:"user,omitempty"`
	Account   string       `json:"account,omitempty"`
}

// Prediction is one predictor's answer.
type Prediction struct {
	Predictor    string       `json:"predictor" help:"Its name, such as bmbp, qbets, conformal or drawn (simulated schedules)."`
	Recommended  bool         `json:"recommended" help:"Its bounds have held best here."`
	Expected     stats.Number `json:"expected_wait_s" help:"Its expected wait in seconds."`
	Bounds       []Bound      `json:"bounds" help:"Bounds of the wait by quantile, ascending."`
	Observations int          `json:"observations" help:"How many past waits, or simulated schedules, it rests on."`
	Group        string       `json:"group,omitempty" help:"The past jobs that it rests on, as the predictor calls them."`
	Age          stats.Number `json:"age_s" help:"Age of what it rests on."`
}

// Bound is an upper bound of the wait at a quantile.
type Bound struct {
	Quantile float64      `json:"quantile" help:"The probability."`
	Seconds  stats.Number `json:"bound_s" help:"The bound in seconds; null if there are too few past waits."`
	By       *time.Time   `json:"start_by" help:"The moment that the bound comes to."`
	Achieved stats.Number `json:"achieved_confidence" help:"The confidence of the bound, from the number of past waits."`
	Coverage Coverage     `json:"coverage" help:"How often such bounds have held here."`
}

// Coverage is the share of settled answers whose wait did not exceed the bound,
// in [0, 1]; null if there are none.
type Coverage struct {
	Day     stats.Number `json:"day" metric:"bound_coverage_ratio,window=day" help:"Of answers settled in the last 24 hours."`
	Week    stats.Number `json:"week" metric:"bound_coverage_ratio,window=week" help:"Of answers settled in the last 168 hours."`
	All     stats.Number `json:"all" metric:"bound_coverage_ratio,window=all" help:"Of all settled answers."`
	Settled int          `json:"settled" help:"The number of all settled answers."`
}

// LeftOut is the reason why a predictor has no answer.
type LeftOut struct {
	Predictor string `json:"predictor"`
	Why       string `json:"why" help:"The reason."`
}
