package evaluate

import (
	"iter"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitsOptions are the options of Waits. The zero value scores the usual
// predictors (WaitPredictors), without intervals.
type WaitsOptions struct {
	// Predictors are names of AllWaitPredictors and of Bounds; none stands for the usual.
	Predictors []string `opt:"predictors" group:"Who predicts" common:"true" help:"predictors to score" brief:"predictors to score (default: the usual ones of 'loadstone help predictors')"`
	// Bounds are the methods among which names are looked up, scored on the log's own
	// waits; nil stands for predict.BoundMethods(). Your own methods may predict bounds
	// or waits (predict.BoundMethod.Point): see the examples of Waits.
	Bounds []predict.BoundMethod
	// Processors is the size of the simulated machine; 0 means that of the
	// header.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the simulated machine (default: the header's)"`
	// Sites has a machine for each partition in the simulated queue, as
	// sched.Config says; nil is one machine for all.
	Sites sched.Sites `opt:"sites" help:"a machine for each partition, in the simulated queue: <all>, each of --procs processors, or sizes such as 1=64,2=128, other partitions having --procs or, without it, being left out"`
	// FirstJobs limits the replay to that many jobs, the first by submission;
	// 0 means all.
	FirstJobs int `opt:"first-jobs" in:"[1,)" help:"replay only this many jobs, the first by submission (default: all)"`

	// Law is a family of package fit, for the lifetimes of running jobs;
	// "" stands for uniform-log.
	Law string `opt:"law" default:"uniform-log" group:"Lifetimes of running jobs (downey-...)" help:"distribution of lifetimes"`
	// Classes are words of workload.ParseClasses: each class of jobs has a law
	// of lifetimes. Named is what the word "class" stands for.
	Classes []string              `opt:"classes" help:"classes of lifetimes, by columns"`
	Named   []workload.NamedClass `opt:"class"`
	// Trim is the share of the shortest and of the longest jobs left out of
	// the line of lifetimes; nil stands for 0.1.
	Trim *float64 `opt:"trim" in:"[0,0.5)" default:"0.1" help:"share of the shortest and of the longest jobs left out of the line of lifetimes"`
	// Months has the laws be those of the interval before, of so many months, a divisor
	// of 12. With 0 they are those of the whole log.
	Months int `opt:"months" in:"0|1|2|3|4|6|12" help:"the distributions of lifetimes are those of the interval of so many months before, 1, 2, 3, 4, 6 or 12; 0: those of the whole log"`
	// Unbias scores the predictors at the head of the queue once more with
	// their bias corrected.
	Unbias bool `opt:"unbias" help:"also score Downey's predictors with their bias corrected by the errors of earlier predictions"`

	// EstimateFactor draws missing estimates uniformly between the run time
	// and EstimateFactor times it; at least 1, or 0 to draw none.
	EstimateFactor float64 `opt:"estimate-factor" in:"0|[1,1e6]" group:"Users' estimates (estimates)" help:"draw missing estimates between the run time and this multiple of it; 5 is the paper's"`

	// Quantile is the share of waits that a bound is to cover, and Confidence
	// the probability that it does; 0 means 0.95.
	Quantile   float64 `opt:"quantile" in:"(0,1)" default:"0.95" for:"predictors=bmbp|chebyshev|qbets|bmbp-authors|chebyshev-one-sided|conformal|drawn|estimates" group:"Bounds (bmbp, chebyshev, qbets and their variants; conformal)" common:"true" help:"share of waits that a bound should cover"`
	Confidence float64 `opt:"confidence" in:"(0,1)" default:"0.95" for:"predictors=bmbp|chebyshev|qbets|bmbp-authors|chebyshev-one-sided|conformal|drawn|estimates" help:"confidence that it covers them"`
	// Groups are words as of Classes: bounds rest on jobs of the same group.
	// None stands for ranges of processors.
	Groups []string `opt:"groups" for:"predictors=bmbp|chebyshev|qbets|bmbp-authors|chebyshev-one-sided|conformal" help:"groups of bounds (default: ranges of size)"`
	// Changes says when older waits no longer count for a bound.
	Changes predict.ChangeRule `opt:"changes" for:"predictors=bmbp|chebyshev|qbets|bmbp-authors|chebyshev-one-sided|conformal" help:"when a bound forgets older waits: after runs of misses, by the published rule, or never"`

	// Sample is the number of jobs, drawn with Seed, on which all predictors are scored at
	// submission against the log's own waits (ArrivalScores), "drawn" and
	// "downey-b-queue" too; 0 is for none. "simulated" and "estimates" are then scored on
	// these jobs only, and the default predictors are SamplePredictors.
	Sample int `opt:"sample" in:"[1,)" group:"Scores" help:"also score all predictors on the same sample of this many <jobs>"`
	// Policy names one of Policies (see ScheduleOptions), by which the schedules of the sample are
	// simulated; "" stands for easy.
	Policy string `opt:"policy" default:"easy" open:"true" for:"sample" help:"who starts next in the schedules of --sample"`
	// Policies are those that Policy can name; nil stands for sched.Policies().
	Policies []sched.Policy

	// By scores parts of the log too: names of WaitsParts.
	By []string `opt:"by" common:"true" help:"also score parts of the log"`
	// Pictures also collects the data of figures, with the share achieved at many
	// quantiles.
	Pictures bool
	// Replicates is how many times the bootstrap draws weeks or days, as in
	// RunTimesOptions, and Seed its seed.
	Replicates int    `opt:"replicates" in:"0|[39,100000]" usual:"1000" want:"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval" help:"draws of the bootstrap by week or day, 39 or more; 0 for none"`
	Seed       uint64 `opt:"seed" usual:"1" help:"seed of the bootstrap and of --sample with its draws"`

	// Predicted, if not nil, is called with every prediction as it is scored.
	// An error that it returns ends the call. The predictors then run one
	// after another instead of concurrently.
	Predicted func(WaitPrediction) error
	// Reopen opens the log once more. If it is not nil, at most half a million
	// jobs are held in memory, and a larger log is read again for each
	// pipeline, from several goroutines at once. If it is nil, every log is
	// held in memory.
	Reopen func() (*workload.Log, error)
	// Watch, if not nil, wraps each pass over the jobs, for example to show
	// progress. n is the number of jobs, 0 if unknown. Several goroutines call
	// it.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
	// Early, if not nil, is called at once with warnings that should not wait
	// for the end of the log.
	Early func(workload.Warning)
}

// WaitPrediction is the prediction of one predictor for one job: a bound, or a
// point prediction, whose Quantile and Confidence are NaN. Request is valid
// until the next prediction and must not be changed.
type WaitPrediction struct {
	JobID        int64             `json:"job_id" help:"the log's number of the job"`
	Waits        string            `json:"waits" help:"which wait is predicted: log, simulated-fcfs or simulated-fcfs-head"` // LogWaits, QueueWaits, ...
	Predictor    string            `json:"predictor" help:"the predictor"`
	Group        string            `json:"group" help:"the jobs that a bound is from and for; empty where there are no groups"`
	Seconds      float64           `json:"predicted_s" help:"predicted wait, or bound of it"`
	Actual       float64           `json:"actual_s" help:"wait"`
	Observations int               `json:"history_n" help:"what the prediction rests on: past waits, running jobs for downey-..., queued jobs for simulated... and estimates"`
	Quantile     float64           `json:"quantile" help:"share of waits that a bound should cover"`
	Confidence   float64           `json:"confidence" help:"asked: the probability that it does"`
	Achieved     float64           `json:"confidence_achieved" help:"that probability for independent waits, where the method says it"`
	Request      *workload.Request `json:"-"`
}

func newWaitPrediction(r *workload.Request, waits, predictor string, b predict.Bound, actual float64) WaitPrediction {
	return WaitPrediction{r.ID, waits, predictor, b.Group, b.Seconds, actual, b.Observations, b.Quantile, b.Confidence, b.Achieved, r}
}
