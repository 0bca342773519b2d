package evaluate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitsSchema names the JSON form of WaitsResult and its version.
const WaitsSchema = "loadstone.predict-scores/1"

// WaitsResult is the result of Waits.
type WaitsResult struct {
	Schema     string              `json:"schema"`
	Log        workload.Summary    `json:"log"`
	Processors *int64              `json:"simulated_processors" setting:"processors"` // nil unless a single machine was simulated
	Sites      sched.Sites         `json:"simulated_sites,omitempty"`                 // processors by partition
	Lifetimes  *predict.LawSummary `json:"lifetimes"`                                 // of all jobs; nil if they were not fitted, or were fitted by interval
	Quantile   float64             `json:"quantile" setting:""`
	Confidence float64             `json:"confidence" setting:""`
	Programs   []outside.Command   `json:"programs,omitempty"`
	Scores     []WaitScore         `json:"scores"`

	FirstJobs int `json:"first_jobs,omitempty"` // WaitsOptions.FirstJobs, if the log has more

	Classes  []string       `json:"classes" row:"words" setting:""` // of lifetimes
	Groups   []string       `json:"groups" row:"words" setting:""`  // of bounds; nil means ranges of size
	Arrivals *ArrivalScores `json:"arrivals,omitempty"`             // all predictors on the same jobs; nil without a sample

	Options   WaitsRules         `json:"options" row:"flat"`
	Bootstrap *WaitsBootstrap    `json:"bootstrap"` // nil if no intervals were drawn
	Warnings  []workload.Warning `json:"warnings,omitempty"`

	LeftOut []PredictorLeftOut `json:"-"`
}

// WaitsRules contains the options that are not in other fields of a result.
type WaitsRules struct {
	Law    string  `json:"law" setting:""`
	Trim   float64 `json:"trim" setting:""`
	Months int     `json:"months" setting:""`                         // length of the intervals of lifetimes; 0 for the whole log
	Factor float64 `json:"estimate_factor" setting:"estimate factor"` // 0 if no estimates were drawn
}

// WaitsBootstrap describes how the intervals were drawn.
type WaitsBootstrap struct {
	By         string  `json:"by"` // the unit that is drawn: "week" or "day"
	Replicates int     `json:"replicates"`
	Level      float64 `json:"level"`
	Seed       uint64  `json:"seed"`
}

// WaitScore contains the scores of one predictor. Undefined scores are NaN: the
// correlation of bounds, and NonZeroCoverage, the tightness and the loss of other
// predictions.
type WaitScore struct {
	Predictor string `json:"predictor" show:"predictor"`
	Waits     string `json:"waits"` // which waits are predicted: LogWaits, ...
	score.Wait

	// The ends of 95 % intervals; those of coverage only for bounds.
	AccuracyLow        stats.Number `json:"accuracy_low"`
	AccuracyHigh       stats.Number `json:"accuracy_high"`
	CoverageLow        stats.Number `json:"coverage_low"`
	CoverageHigh       stats.Number `json:"coverage_high"`
	CorrelationLogLow  stats.Number `json:"correlation_log_low"`
	CorrelationLogHigh stats.Number `json:"correlation_log_high"`

	Parts []WaitsPart `json:"parts"`

	Bound    bool    `json:"bound" csv:"-"` // the predictor bounds waits
	Quantile float64 `json:"-"`             // share of waits that the bound should cover; if 0, WaitsResult.Quantile
	// For figures: predicted against actual waits, and distribution functions of
	// the accuracy and of the absolute error in seconds.
	Scatter  score.Scatter `json:"-"`
	Accuracy []score.Share `json:"-"`
	Error    []score.Share `json:"-"`
}

// WaitsPart contains the scores of one predictor on a part of the log: a site
// or a month. Its AbsoluteErrorMean is in minutes; that of RunTimesPartScore is in seconds.
type WaitsPart struct {
	Predictor string       `json:"-" show:"predictor"`
	Bound     bool         `json:"-"` // as in WaitScore
	By        string       `json:"by"`
	Part      string       `json:"part"`
	Jobs      int          `json:"jobs" show:"jobs"`
	Predicted int          `json:"predicted" show:"predicted" narrow:"2"`
	Coverage  stats.Number `json:"coverage"`
	score.MeanAccuracy
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_min" show:"mean abs. error,min"` // min
	CorrelationLog    stats.Number `json:"correlation_log" show:"correlation of logs,%.3f" narrow:"4"`
	UnderPct          stats.Number `json:"under_pct" show:"under,%" narrow:"1"` // as in score.WaitPoints
	score.BoundLoss                // NaN except for bounds
}

// PredictorLeftOut is a requested predictor that is not scored, and the reason.
type PredictorLeftOut struct{ Predictor, Why string }

// result builds the result from the outcomes of the pipelines.
func (r *waits) result() *WaitsResult {
	o := r.o
	out := &WaitsResult{
		Schema: WaitsSchema, Log: workload.Summary{Name: r.log.Name, Jobs: r.jobs},
		Sites: o.Sites, Quantile: o.Quantile, Confidence: o.Confidence,
		Classes: o.Classes, Groups: o.Groups, Lifetimes: r.lifetimes, Arrivals: r.arrivalScores(), Programs: o.Programs,
		Options: WaitsRules{o.Law, *o.Trim, o.Months, o.EstimateFactor},
		LeftOut: r.leftOut,
	}
	if r.cut {
		out.FirstJobs = r.jobs
	}
	if r.processors > 0 {
		out.Processors = &r.processors
	}
	if r.span.length > 0 && o.Replicates > 0 {
		out.Bootstrap = &WaitsBootstrap{r.span.name, o.Replicates, IntervalLevel, o.Seed}
	}
	for _, t := range r.tallies {
		out.Scores = append(out.Scores, t.result())
	}
	out.Warnings = r.warned(out.Scores)
	return out
}

// Score returns the score of a predictor, nil if it was not scored.
func (o *WaitsResult) Score(predictor string) *WaitScore {
	for i := range o.Scores {
		if s := &o.Scores[i]; s.Predictor == predictor {
			return s
		}
	}
	return nil
}

// warned returns the warnings: those of the log, of few jobs, of missing users, of the
// pipelines in their order, of odd jobs, and of predictors that predicted nothing.
func (r *waits) warned(scores []WaitScore) []workload.Warning {
	return slices.Concat(r.log.Warnings(), fewScored(scores), r.lackOfUsers(), r.remarks, r.odd.List(), r.silent(scores))
}

// fewScored warns if few jobs were scored, for the kind of waits with the fewest.
func fewScored(scores []WaitScore) []workload.Warning {
	jobs := map[string]int{} // by kind of waits
	for _, s := range scores {
		jobs[s.Waits] = max(jobs[s.Waits], s.Jobs)
	}
	n, what := leastScored, ""
	for _, kind := range [][2]string{{HeadWaits, "at the head of the simulated queue"}, {LogWaits, "in the log"}, {QueueWaits, "in the simulated queue"}} {
		if k := jobs[kind[0]]; k > 0 && k < n {
			n, what = k, kind[1]
		}
	}
	return fewJobs(n, "waits "+what)
}

// lackOfUsers warns of the effects of a log without users.
func (r *waits) lackOfUsers() (all []workload.Warning) {
	if r.users || r.jobs == 0 {
		return nil
	}
	warn := func(what string) {
		all = append(all, workload.Warning{Rule: "no-users", Text: "no job has a user: " + what, Count: 1})
	}
	if slices.ContainsFunc(r.o.Predictors, func(name string) bool { return strings.HasPrefix(name, "simulated") }) {
		warn("the simulated predictors treat all jobs as those of one user when they predict run times")
	}
	return all
}

// silent warns of the predictors that predicted nothing, with a likely reason.
func (r *waits) silent(scores []WaitScore) (all []workload.Warning) {
	for _, s := range scores {
		if s.Predicted > 0 {
			continue
		}
		why := ": no job waited at the head of the queue, or no distribution of lifetimes was known in time"
		switch {
		case s.Waits == LogWaits && !slices.Contains(boundNames(), s.Predictor): // a custom method or an external program
			why = ""
		case s.Waits == LogWaits && (s.Predictor == predict.ConformalBound || s.Predictor == predict.ConformalPoint):
			why = fmt.Sprintf(": it starts to learn after %d waits and uses bmbp until then, which also had too few waits", predict.ConformalWaits)
		case s.Waits == LogWaits:
			why = fmt.Sprintf(": no group had enough waits for a bound on the %g quantile with %g confidence", r.o.Quantile, r.o.Confidence)
		case s.Waits != HeadWaits && s.Jobs == 0:
			why = ": no job waits under this policy on this machine"
		case s.Waits != HeadWaits:
			why = ": no job had run times to predict from"
		}
		all = append(all, workload.Warning{Rule: "predicted-nothing", Text: s.Predictor + " predicted nothing" + why, Count: 1})
	}
	return all
}
