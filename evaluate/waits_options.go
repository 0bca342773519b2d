package evaluate

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitsOptions are the options of Waits. The zero value scores the usual
// predictors (WaitPredictors), without intervals.
type WaitsOptions struct {
	// Predictors are names from AllWaitPredictors and of Bounds. Empty means WaitPredictors or,
	// with a Sample, SamplePredictors.
	Predictors []string `opt:"predictors" group:"Who predicts" common:"true" help:"predictors to score" brief:"predictors to score (default: the usual ones of 'loadstone help predictors')"`
	// Bounds are the bound methods that Predictors can name, scored on the log's own
	// waits; nil means predict.BoundMethods(). Custom methods may predict bounds
	// or waits (predict.BoundMethod.Point): see the examples of Waits.
	Bounds []predict.BoundMethod
	// Programs are external programs that predict waits and optionally bounds of them,
	// scored on the log's own waits: the waits of a program under its label, the bounds
	// under label@quantile. Waits starts them, and stops them before it returns.
	Programs []outside.Command
	// Processors is the size of the simulated machine; 0 means that of the
	// header.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the simulated machine (default: the header's)"`
	// Sites gives each partition its own machine in the simulated queue, as in
	// sched.Config; nil means one machine for all.
	Sites sched.Sites `opt:"sites" help:"a machine for each partition, in the simulated queue: all, each of --procs processors, or <sizes> such as 1=64,2=128; other partitions have --procs processors or, without it, are left out"`
	// FirstJobs limits the replay to the first jobs by submission, that many; 0 means all.
	FirstJobs int `opt:"first-jobs" in:"[1,)" help:"replay only this many jobs, the first by submission (default: all)"`

	// Law is the family of package fit for the lifetimes of running jobs;
	// "" means uniform-log.
	Law string `opt:"law" default:"uniform-log" group:"Lifetimes of running jobs (downey-...)" help:"distribution of lifetimes"`
	// Classes are words of workload.ParseClasses: each class of jobs has its own law
	// of lifetimes. Named defines the word "class".
	Classes []string              `opt:"classes" classes:"submitted" help:"classes of lifetimes, by columns"`
	Named   []workload.NamedClass `opt:"class"`
	// Trim is the share of the shortest and of the longest jobs left out of the line
	// fitted to the lifetimes; nil means 0.1.
	Trim *float64 `opt:"trim" in:"[0,0.5)" default:"0.1" help:"share of the shortest and of the longest jobs left out of the line of lifetimes"`
	// Months is the length in months, a divisor of 12, of the intervals by which laws are
	// fitted: predictions in one interval use the laws of the previous one. 0 means laws
	// of the whole log.
	Months int `opt:"months" in:"0|1|2|3|4|6|12" help:"fit the distributions of lifetimes by intervals of 1, 2, 3, 4, 6 or 12 months and use each in the next interval; 0: fit them to the whole log"`
	// Unbias also scores the predictors at the head of the queue with their bias
	// corrected.
	Unbias bool `opt:"unbias" help:"also score Downey's predictors with their bias corrected by the errors of earlier predictions"`

	// EstimateFactor draws missing estimates uniformly between the run time
	// and EstimateFactor times it; at least 1, or 0 to draw none.
	EstimateFactor float64 `opt:"estimate-factor" in:"0|[1,1e6]" group:"Users' estimates (estimates)" help:"draw missing estimates between the run time and this multiple of it; 5 is the paper's"`

	// Quantile is the share of waits that a bound should cover, and Confidence
	// the probability that it does; 0 means 0.95.
	Quantile   float64 `opt:"quantile" in:"(0,1)" default:"0.95" for:"predictors=bmbp|chebyshev|qbets|combined|conformal|drawn|estimates" group:"Bounds (bmbp, chebyshev, qbets, combined)" common:"true" help:"share of waits that a bound should cover"`
	Confidence float64 `opt:"confidence" in:"(0,1)" default:"0.95" for:"predictors=bmbp|chebyshev|qbets|combined|conformal|drawn|estimates" help:"confidence that it covers them"`
	// Groups are words as in Classes: bounds are computed from jobs of the same group.
	// Empty means ranges of size.
	Groups []string `opt:"groups" classes:"submitted" for:"predictors=bmbp|chebyshev|qbets|combined|conformal" help:"groups of bounds (default: ranges of size)"`

	// Sample is the number of jobs, drawn with Seed, on which all predictors, including
	// "drawn" and "downey-b-queue", are also scored at submission against the log's own waits
	// (ArrivalScores); 0 means no sample. With a sample, "simulated" and "estimates" are scored
	// on these jobs only, and the default predictors are SamplePredictors.
	Sample int `opt:"sample" in:"[1,)" group:"Scores" help:"also score all predictors on the same sample of this many <jobs>, drawn with --seed"`
	// Policy names the policy of the schedules simulated for the sample, as in
	// ScheduleOptions; "" means easy.
	Policy string `opt:"policy" default:"easy" open:"true" for:"sample" help:"who starts next in the schedules of --sample"`
	// Policies are the policies that Policy can name; nil means sched.Policies().
	Policies []sched.Policy

	Scoring `of:"week or day"`
	// Pictures also collects the data for figures: WaitScore.Scatter, Accuracy and Error.
	Pictures bool

	// Predicted, if not nil, is called with every prediction as it is scored.
	// An error that it returns ends the call. The predictors then run one
	// after another instead of concurrently.
	Predicted func(WaitPrediction) error
	// Reopen, if not nil, opens the log again. At most half a million jobs are then
	// held in memory; a larger log is read again for each pipeline, from several
	// goroutines at once. If Reopen is nil, every log is held in memory.
	Reopen func() (*workload.Log, error)

	table *predictions.Table // predictions to score instead of those of predictors; nil for none
}

// WaitPrediction is the prediction of one predictor for one job: a bound, or a
// point prediction, whose Quantile and Confidence are NaN. Request is valid
// only until the next prediction and must not be changed.
type WaitPrediction struct {
	JobID        int64             `json:"job_id" help:"the log's number of the job"`
	Waits        string            `json:"waits" help:"which wait is predicted: log, simulated-fcfs or simulated-fcfs-head"` // LogWaits, QueueWaits, ...
	Predictor    string            `json:"predictor" help:"the predictor"`
	Group        string            `json:"group" help:"group of jobs to which a bound applies; empty without groups"`
	Seconds      float64           `json:"predicted_s" help:"predicted wait, or bound of it"`
	Actual       float64           `json:"actual_s" help:"wait"`
	Observations int               `json:"history_n" help:"what the prediction rests on: past waits, running jobs for downey-..., queued jobs for simulated... and estimates"`
	Quantile     float64           `json:"quantile" help:"share of waits that a bound should cover"`
	Confidence   float64           `json:"confidence" help:"requested probability that it covers them"`
	Achieved     float64           `json:"confidence_achieved" help:"achieved probability for independent waits, if the method computes it"`
	Request      *workload.Request `json:"-"`
}

func newWaitPrediction(r *workload.Request, waits, predictor string, b predict.Bound, actual float64) WaitPrediction {
	return WaitPrediction{r.ID, waits, predictor, b.Group, b.Seconds, actual, b.Observations, b.Quantile, b.Confidence, b.Achieved, r}
}

// filled returns the options with defaults in place of zeros.
func (o WaitsOptions) filled() WaitsOptions {
	if len(o.Predictors) == 0 && o.table == nil {
		o.Predictors = WaitPredictors()
		if o.Sample > 0 {
			o.Predictors = SamplePredictors()
		}
	}
	opt.Fill(&o)
	return o
}

// Choices returns the names that an option accepts; nil if they are not listed.
func (o *WaitsOptions) Choices(option string) []string {
	switch option {
	case "predictors":
		own := slices.DeleteFunc(o.boundNames(), func(name string) bool { return slices.Contains(AllWaitPredictors(), name) })
		return slices.Concat(AllWaitPredictors(), own)
	case "law":
		return fit.Families()
	case "by":
		return WaitsParts()
	case "policy":
		return policyNames(o.Policies)
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o WaitsOptions) Validate() error {
	o = o.filled()
	if err := opt.Check(&o); err != nil {
		return err
	}
	if _, err := PolicyNamed(o.Policy, o.Policies); err != nil {
		return err
	}
	names := o.boundNames()
	for i, b := range o.Bounds {
		if b.Name == "" || b.New == nil || slices.Index(names, b.Name) < i ||
			slices.Contains(AllWaitPredictors(), b.Name) && !slices.Contains(boundNames(), b.Name) {
			return workload.OptionFault("bounds", fmt.Sprintf("%q, number %d", b.Name, i+1), "methods with New, each with a different name")
		}
	}
	if o.Sample == 0 {
		for _, name := range ArrivalPredictors() {
			if slices.Contains(o.Predictors, name) {
				return workload.OptionFault("predictors", strconv.Quote(name), "it with a `sample` of jobs: it is scored at submissions alone")
			}
		}
	}
	if err := programs(o.Programs).validate(); err != nil {
		return err
	}
	names = o.Scored()
	own := len(names) - 2*len(o.Programs)
	for i, name := range names {
		switch {
		case !slices.Contains(names[:i], name):
		case i < own:
			return workload.OptionFault("predictors", strconv.Quote(name)+" twice", "each once")
		default:
			return workload.OptionFault("exec", strconv.Quote(name), "a name that no other predictor has; 'name: ./my.py' gives a program a name")
		}
	}
	return nil
}

// trim returns Trim in the form of fit.Options, where 0 means the default and a negative value
// no trimming.
func (o *WaitsOptions) trim() float64 {
	if *o.Trim == 0 {
		return -1
	}
	return *o.Trim
}

// grouping returns the interpretation of the words of Classes and Groups.
func (r *waits) grouping() workload.Grouping {
	return opt.Grouping(&r.o, "classes", &r.log.Header)
}

// mostAhead is the longest queue for which "downey-b-queue" predicts
// (standing.Options.MostAhead).
const mostAhead = 250

// ArrivalDraws is the number of schedules that "drawn" simulates
// for each job of a sample: enough for the bound at 0.95 with confidence 0.95.
const ArrivalDraws = 100
