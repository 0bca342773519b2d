package live

import (
	"math"
	"slices"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// AnswerSchema is the name and version of the JSON form of an Answer.
const AnswerSchema = "loadstone.wait/1"

// Answer contains the predicted waits of a request that is submitted at the moment of
// the state, or of a job in the queue. Times are in seconds.
type Answer struct {
	Schema      string             `json:"schema" help:"The form of this object and its version."`
	State       State              `json:"state"`
	Request     Request            `json:"request"`
	Job         *Job               `json:"job,omitempty" help:"The job whose wait it is; missing for a request."`
	Given       *time.Time         `json:"given,omitempty" help:"When the job's bounds were predicted. They bound the wait since its submission."`
	Withheld    *Withheld          `json:"withheld" help:"Why there is no prediction now: no such job can start, or the state is too old. Null if there may be one. Bounds that a job was given before do not hold then."`
	Recommended string             `json:"recommended,omitempty" help:"The predictor whose bounds are the answer, the first of predictions. Missing if none that has a bound has been tested on enough jobs."`
	Expected    stats.Number       `json:"expected_wait_s" help:"The expected wait in seconds by the recommended predictor; null if it has none."`
	Start       *time.Time         `json:"expected_start" help:"When the job would start, by expected_wait_s."`
	Predictions []Prediction       `json:"predictions" help:"The answers of the predictors, the recommended one first; none if they are withheld."`
	Judged      *Judged            `json:"judged,omitempty" help:"The past jobs by which a predictor is recommended; missing from a live service, which goes by its scores."`
	LeftOut     []LeftOut          `json:"left_out" help:"Predictors without an answer."`
	Warnings    []workload.Warning `json:"warnings,omitempty"`
}

// State is the state of the machine on which an answer is based.
type State struct {
	Time       time.Time    `json:"time,omitzero" help:"When the state was read; missing for a log without a date."`
	Clock      stats.Number `json:"clock_s" help:"The same in seconds of the log's or the service's clock."`
	Age        stats.Number `json:"age_s" metric:"poll_age_seconds" help:"Age of the state when the answer was given."`
	Stale      bool         `json:"stale" help:"The source has not answered for several polls: the state is older than it should be."`
	Processors int64        `json:"processors" metric:"processors" help:"Processors in service."`
	Free       int64        `json:"free_processors" metric:"free_processors" help:"Processors that are idle."`
	// Unavailable counts the other processors by the reason why they are not available.
	Unavailable watch.Unavailable `json:"unavailable_processors"`
	Running     int               `json:"running" metric:"jobs,state=running" help:"Running jobs."`
	Pending     int               `json:"pending" metric:"jobs,state=pending" help:"Pending jobs."`
}

// Prediction is one predictor's answer.
type Prediction struct {
	Predictor    string       `json:"predictor" show:"predictor" help:"Its name, such as combined, bmbp, qbets or drawn (simulated schedules)."`
	Recommended  bool         `json:"recommended" help:"The predictor whose bounds are the answer."`
	Expected     stats.Number `json:"expected_wait_s" show:"expected,wait" help:"Its expected wait in seconds or, if it has none, its bound at the quantile 0.5."`
	Bounds       []Bound      `json:"bounds" row:"each" help:"Bounds of the wait by quantile, ascending."`
	Observations int          `json:"observations" show:"observations" narrow:"1" help:"Number of past waits, simulated schedules or jobs that it is based on; with several bounds, the number of the first; each bound has its own."`
	Group        string       `json:"group,omitempty" help:"The past jobs on which it is based, in the predictor's words."`
}

// Bound is an upper bound of the wait at a quantile.
type Bound struct {
	Quantile float64      `json:"quantile" help:"The probability."`
	Seconds  stats.Number `json:"bound_s" help:"The bound in seconds; null if there are too few past waits."`
	By       *time.Time   `json:"start_by" help:"The time at which the bound is reached."`
	Achieved stats.Number `json:"achieved_confidence" help:"The confidence of a bound from past waits, by their number."`
	Coverage
	Observations int `json:"bound_observations" help:"How many past waits, simulated schedules or jobs the bound rests on."`
}

// Coverage is the share of a predictor's past answers for which the wait did not exceed the
// bound.
type Coverage struct {
	Share stats.Number `json:"coverage" metric:"bound_coverage_ratio" help:"The share of settled answers that held, in [0, 1]; null if there are none."`
	Jobs  int          `json:"coverage_jobs" metric:"bound_settled_total" help:"The number of settled answers: the job has started, or has waited longer than the bound."`
}

// LeftOut is the reason why a predictor has no answer.
type LeftOut struct {
	Predictor string `json:"predictor"`
	Why       string `json:"why" help:"The reason."`
}

var unknown = stats.Number(math.NaN())

// answer returns an Answer without predictions.
func answer(q Request, m State) *Answer {
	return &Answer{Schema: AnswerSchema, State: m, Request: q, Expected: unknown, Predictions: []Prediction{}, LeftOut: []LeftOut{}}
}

// add adds the forecast of a predictor to the answer, and raises bounds that are below those of
// smaller quantiles. covered holds the coverage of past bounds by quantile; nil if unknown.
// Waits begin at from.
func (a *Answer) add(predictor string, f predict.Forecast, covered []Coverage, from time.Time) {
	if f.Missing != "" {
		a.LeftOut = append(a.LeftOut, LeftOut{predictor, f.Missing})
		return
	}
	p := Prediction{Predictor: predictor, Expected: finite(f.Expected), Bounds: []Bound{}, Observations: f.Observations}
	bounds := slices.Clone(f.Bounds)
	predict.Ascend(bounds)
	for k, b := range bounds {
		bound := Bound{Quantile: b.Quantile, Seconds: finite(b.Seconds), By: after(from, b.Seconds), Achieved: stats.Number(b.Achieved), Coverage: Coverage{Share: unknown}, Observations: b.Observations}
		if covered != nil {
			bound.Coverage = covered[k]
		}
		if b.Quantile == 0.5 && math.IsNaN(f.Expected) {
			p.Expected = bound.Seconds
		}
		p.Bounds, p.Group = append(p.Bounds, bound), b.Group
	}
	a.Predictions = append(a.Predictions, p)
}

// tested is the record of a predictor's bounds at the largest quantile.
type tested struct {
	predictor string
	jobs      int
	score.BoundRecord
}

// best returns the predictor to recommend among those tested on enough jobs, or nil if there
// is none. It prefers predict.CombinedBound while its coverage is Kept: on no log does another
// predictor have a much smaller loss at 0.95, and with few jobs the smallest loss is a matter of
// chance.
func best(all []tested) (best *tested) {
	for i := range all {
		t := &all[i]
		switch {
		case t.jobs < score.StretchJobs || math.IsNaN(t.Loss):
		case t.predictor == predict.CombinedBound && t.Kept():
			return t
		case best == nil || t.Better(best.BoundRecord):
			best = t
		}
	}
	return best
}

// recommend chooses the recommended predictor among those that have a bound at the tested
// quantile, and moves its prediction to the front. It returns the predictor's record, or nil if
// none is recommended.
func (a *Answer) recommend(all []tested) *tested {
	at := func(t tested) int {
		return slices.IndexFunc(a.Predictions, func(p Prediction) bool {
			return p.Predictor == t.predictor && slices.ContainsFunc(p.Bounds, func(b Bound) bool { return b.Quantile == t.Quantile && b.Seconds >= 0 })
		})
	}
	best := best(slices.DeleteFunc(slices.Clone(all), func(t tested) bool { return at(t) < 0 }))
	if best == nil {
		return nil
	}
	i := at(*best)
	p := a.Predictions[i]
	p.Recommended = true
	a.Predictions = slices.Insert(slices.Delete(a.Predictions, i, i+1), 0, p)
	a.Recommended, a.Expected, a.Start = p.Predictor, p.Expected, after(a.State.Time, float64(p.Expected))
	return best
}

// longest is a duration in seconds, of almost three centuries, which a time.Duration can hold.
const longest = 9e9

// after returns the moment the given number of seconds after at, or nil if the number is NaN or
// its absolute value is longest or more.
func after(at time.Time, seconds float64) *time.Time {
	if !(math.Abs(seconds) < longest) {
		return nil
	}
	t := at.Add(time.Duration(seconds) * time.Second)
	return &t
}

// finite returns x, or NaN if it is infinite.
func finite(x float64) stats.Number {
	if math.IsInf(x, 0) {
		return unknown
	}
	return stats.Number(x)
}

// AnswersSchema is the name and version of the JSON form of Answers.
const AnswersSchema = "loadstone.waits/1"

// Answers contains the answers to several requests at one moment.
type Answers struct {
	Schema   string             `json:"schema"`
	Past     *Past              `json:"past,omitempty" help:"What the answers to a Query rest on; missing from a live service."`
	Answers  []*Answer          `json:"answers" help:"In the order of the requests."`
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Past describes the past jobs on which answers are based.
type Past struct {
	Policy string `json:"policy" help:"That of the simulated schedules."`
	Ended  int    `json:"ended" help:"Jobs with a run time."`
	Waits  int    `json:"waits" help:"Jobs with a wait."`
}

// LeftOutSizes is the reason why a predictor has no answer for some sizes.
type LeftOutSizes struct {
	LeftOut
	Sizes []int64
}

// LeftOut returns the predictors without an answer. Each combination of predictor and reason
// appears once, with its sizes.
func (a *Answers) LeftOut() (all []LeftOutSizes) {
	for _, one := range a.Answers {
		for _, l := range one.LeftOut {
			i := slices.IndexFunc(all, func(x LeftOutSizes) bool { return x.LeftOut == l })
			if i < 0 {
				i, all = len(all), append(all, LeftOutSizes{LeftOut: l})
			}
			all[i].Sizes = append(all[i].Sizes, one.Request.Size)
		}
	}
	return all
}

// Tested returns the number of past answers of a predictor that a recommendation requires.
func (a *Answers) Tested() int { return score.StretchJobs }

// Sizes returns the sizes of the requests, in their order.
func (a *Answers) Sizes() (all []int64) {
	for _, one := range a.Answers {
		all = append(all, one.Request.Size)
	}
	return all
}

// Row is one predictor's answer for one size.
type Row struct {
	Size int64 `json:"size" show:"processors"`
	Prediction
	Judged string `json:"judged_group" show:"judged on"`
	Kept   bool   `json:"judged_kept"`
}

// Rows returns all predictions.
func (a *Answers) Rows() (all []Row) {
	for _, one := range a.Answers {
		for _, p := range one.Predictions {
			r := Row{Size: one.Request.Size, Prediction: p}
			if one.Judged != nil {
				r.Judged, r.Kept = one.Judged.Group, one.Judged.Kept
			}
			all = append(all, r)
		}
	}
	return all
}
