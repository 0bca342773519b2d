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
	Size      int64   // processors
	Time      float64 // s, requested
	Memory    float64 // KB per processor
	Partition string
	Queue     string
	User      string
	Account   string
}

// Answer contains the predictions of the wait of a request submitted at the
// moment of the state. Times are in seconds.
type Answer struct {
	Schema  string  `json:"schema"`
	State   Moment  `json:"state"`
	Request Request `json:"request"`
	// Withheld is why there is no prediction now; null if there may be one.
	Withheld *Withheld `json:"withheld"`
	// Recommended names the predictor whose bounds are the answer, the first of
	// Predictions; "" if there is none: none has been tested enough, or the best one has
	// no bound for this request.
	Recommended string `json:"recommended,omitempty"`
	// Expected is its expected wait, and Start the time at which the job would start;
	// null if it has none.
	Expected    stats.Number       `json:"expected_wait_s"`
	Start       *time.Time         `json:"expected_start"`
	Predictions []Prediction       `json:"predictions"` // none if they are withheld
	LeftOut     []LeftOut          `json:"left_out"`
	PastWaits   *PastWaits         `json:"past_waits"` // null before any job has started
	Warnings    []workload.Warning `json:"warnings,omitempty"`
}

// Moment is the state of the machine behind an answer.
type Moment struct {
	Time       time.Time    `json:"time"`
	Age        stats.Number `json:"age_s"`      // of the state when the answer was given
	Stale      bool         `json:"stale"`      // the source has not answered for several polls
	Processors int64        `json:"processors"` // available to jobs
	Free       int64        `json:"free_processors"`
	// Unavailable counts further processors, by the reason why they are not available.
	Unavailable watch.Unavailable `json:"unavailable_processors"`
	Running     int               `json:"running"`
	Pending     int               `json:"pending"`
}

// Request repeats a Question; null and "" are unknown.
type Request struct {
	Size      int64        `json:"size"`
	Time      stats.Number `json:"time_s"`
	Memory    stats.Number `json:"memory_per_processor_kb"`
	Partition string       `json:"partition,omitempty"`
	Queue     string       `json:"queue,omitempty"`
	User      string       `json:"user,omitempty"`
	Account   string       `json:"account,omitempty"`
}

// Prediction is one predictor's answer.
type Prediction struct {
	Predictor    string       `json:"predictor"`
	Recommended  bool         `json:"recommended"`
	Expected     stats.Number `json:"expected_wait_s"`
	Bounds       []Bound      `json:"bounds"` // by quantile
	Observations int          `json:"observations"`
	Group        string       `json:"group,omitempty"`
	Age          stats.Number `json:"age_s"` // of what it rests on
}

// Bound is an upper bound of the wait at a quantile.
type Bound struct {
	Quantile float64      `json:"quantile"`
	Seconds  stats.Number `json:"bound_s"`
	By       *time.Time   `json:"start_by"` // the latest start by the bound; null without a bound
	Achieved stats.Number `json:"achieved_confidence"`
	// Coverage is how often such bounds have held here.
	Coverage Coverage `json:"coverage"`
}

// Coverage is the share of settled answers whose wait did not exceed the bound,
// in [0, 1]; null if there are none.
type Coverage struct {
	Day  stats.Number `json:"day"`
	Week stats.Number `json:"week"`
	All  stats.Number `json:"all"`
	// Settled counts the answers behind All.
	Settled int `json:"settled"`
}

// LeftOut is the reason why a predictor has no answer.
type LeftOut struct {
	Predictor string `json:"predictor"`
	Why       string `json:"why"`
}
