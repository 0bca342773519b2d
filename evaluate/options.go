package evaluate

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/runtime/outside"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Scoring is the options that RunTimes and Waits share.
type Scoring struct {
	// By adds scores of parts of the log: names of RunTimesParts, or of WaitsParts.
	By []string `opt:"by" common:"true" help:"also score parts of the log"`
	// Replicates is the number of bootstrap replicates for the confidence intervals
	// (IntervalLevel), at least 2/(1-IntervalLevel)-1; 0 for no intervals. They draw the
	// users, or for waits weeks or days.
	Replicates int `opt:"replicates" in:"0|[39,100000]" usual:"1000" want:"0, or 39 to 100000: with fewer no draw lies beyond the ends of a 95 % interval" help:"draws of the bootstrap by %s, 39 or more; 0 for none"`
	// Seed is the seed of the bootstrap, and of a sample. The same seed gives the same
	// intervals.
	Seed uint64 `opt:"seed" usual:"1" help:"seed of the bootstrap"`
	// Watch, if not nil, wraps each pass over the jobs in order of submission, for example
	// to show progress. n is the number of jobs, 0 if unknown. Waits calls it from several
	// goroutines.
	Watch func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error]
}

// IntervalLevel is the level of the confidence intervals.
const IntervalLevel = 0.95

func (o *Scoring) watched(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
	if o.Watch == nil {
		return jobs
	}
	return o.Watch(jobs, n)
}

// RunTimesOptions are the options of RunTimes. The zero value scores the
// predictors and classes of Sonmez and others (2009), without intervals.
type RunTimesOptions struct {
	// Predictors name rules, with their parameters if any, such as "es(alpha=0.3)". None
	// stands for runtime.PaperPredictorNames.
	Predictors []string `opt:"predictors" all:"true" open:"true" group:"Who predicts" common:"true" help:"predictors to score, such as last2,es(alpha=0.3)" brief:"predictors to score, or all"`
	// Classes are the ways of sorting jobs into classes: runtime.ClassesNames, or columns
	// joined by +, such as "user+queue". Each predictor is scored with each way. None
	// stands for runtime.ClassesNames.
	Classes runtime.Ways `opt:"classes" common:"true" help:"ways of sorting jobs into classes: site, user, user-site, user-app-size-site, all, or columns, such as user+size:4:16" brief:"classes of jobs to learn from, such as user,user+queue"`
	// Named is what the word "class" stands for in Classes.
	Named []workload.NamedClass `opt:"class"`
	// Fallback scores each predictor once more with the last of Classes that has a history
	// for the request.
	Fallback bool `opt:"fallback" help:"score each predictor also with all classes in turn, the last ones first, until one has a history"`
	// Own are custom predictors, scored together with the others; see the example of
	// RunTimes. Predictor and Classes.Name of each make its label, which must be unique.
	// They keep what they learn, so use new ones for each call.
	Own []runtime.Entry
	// Programs are external programs that predict, scored together with the others
	// with the classes ProgramClasses. RunTimes starts them, and has stopped them when
	// it returns.
	Programs []outside.Command
	// UserEstimates scores the users' estimates too, once, as the predictor "estimate"
	// with the classes "all". A log without estimates has no such score.
	UserEstimates bool
	// Rules are those among which the names are looked up; nil stands for runtime.Rules.
	Rules   []runtime.Rule
	Scoring `group:"Scores" of:"user"`
	// Against names the predictor with which the others are compared, in
	// RunTimeScore.Difference, by its label: predictor and classes joined by a comma, such
	// as "last2,user". It must be among those scored. "" stands for "last2,user", or for
	// the first predictor if that is not scored. Without Replicates nothing is compared.
	Against string `opt:"against" help:"<predictor,classes> that the others are compared with (default last2,user, or the first)"`
	// Predicted, if it is not nil, is called with every prediction, in order of
	// submission. An error that it returns ends the replay.
	Predicted func(RunTimePrediction) error

	table *predictions.Table // whose predictions alone are scored; nil for those of predictors
}

// RunTimePrediction is the prediction of one predictor for one job. Job is
// valid until the next prediction and must not be changed.
type RunTimePrediction struct {
	JobID        int64         `json:"job_id" help:"the log's number of the job"`
	Classes      string        `json:"classes" help:"the way of sorting jobs into classes"`
	Predictor    string        `json:"predictor" help:"the predictor"`
	Seconds      float64       `json:"predicted_s" help:"predicted run time"`
	Actual       float64       `json:"actual_s" help:"run time"`
	Observations int           `json:"history_n" help:"past jobs that the prediction rests on"`
	Job          *workload.Job `json:"-"`
}

// RunTimesParts returns the ways of cutting a log into parts: by the length of jobs
// (short, medium and long: score.LengthOf), by site, and by calendar month.
func RunTimesParts() []string { return []string{"length", "site", "month"} }

// The classes of entries with a fallback are called so.
const fallbackLabel = "fallback"

// userEstimate is package runtime's predictor that says what the user does.
const userEstimate = "estimate"

// ProgramClasses is the name of the classes of external programs in results.
const ProgramClasses = "exec"

// Choices are the values of options that take one of some.
func (o *RunTimesOptions) Choices(option string) []string {
	switch {
	case option == "by":
		return RunTimesParts()
	case option == "predictors" && o.Rules == nil:
		return runtime.PredictorNames()
	case option == "predictors":
		return opt.Names(o.Rules)
	}
	return nil
}

// Validate returns a *workload.OptionError for the first option that cannot be
// used.
func (o *RunTimesOptions) Validate() error {
	if err := runtime.CheckRules(o.Rules); err != nil {
		return err
	}
	if err := opt.Check(o); err != nil {
		return err
	}
	entries, err := o.Entries()
	if err != nil {
		return err
	}
	if err := programs(o.Programs).validate(); err != nil {
		return err
	}
	if err := o.validateLabels(entries); err != nil {
		return err
	}
	if o.Against == "" {
		return nil
	}
	return CheckScored("against", o.Against, workload.SplitList(o.Against), entries)
}

// validateLabels refuses entries whose labels, predictor,classes, are ambiguous.
func (o *RunTimesOptions) validateLabels(entries []runtime.Entry) error {
	programs := len(entries) - len(o.Programs)
	own := programs - len(o.Own)
	seen := make(map[string]bool)
	for i, e := range entries {
		label, want := labelOf(e), ""
		switch {
		case e.Predictor == "" || len(workload.SplitList(e.Predictor)) > 1 || strings.Contains(e.Classes.Name, ","):
			want = "names of a predictor and of classes, without commas"
		case seen[label]:
			want = "each predictor once with the same classes"
		}
		if want != "" {
			option := "predictors"
			switch {
			case i >= programs:
				option = "exec"
				want += "; 'name: ./my.py' gives a program a name"
			case i >= own:
				option = "own"
			}
			return &workload.OptionError{Option: option, Saw: strconv.Quote(label), Want: want}
		}
		seen[label] = true
	}
	return nil
}

// CheckScored returns a *workload.OptionError unless text, the value of an
// option, names one of the scored predictors with its classes.
func CheckScored(option, text string, of []string, entries []runtime.Entry) error {
	fault := func(want string) error {
		return &workload.OptionError{Option: option, Saw: strconv.Quote(text), Want: want}
	}
	if len(of) == 1 && slices.ContainsFunc(entries, func(e runtime.Entry) bool { return labelOf(e) == of[0] }) {
		return nil // it has no classes
	}
	if len(of) != 2 {
		return fault("a predictor and classes, such as last2,user")
	}
	var predictors, classes []string
	for _, e := range entries {
		if !slices.Contains(predictors, e.Predictor) {
			predictors = append(predictors, e.Predictor)
		}
		if !slices.Contains(classes, e.Classes.Name) {
			classes = append(classes, e.Classes.Name)
		}
	}
	switch {
	case !slices.Contains(predictors, of[0]):
		return fault(fmt.Sprintf("a predictor that is scored instead of %q: %s", of[0], strings.Join(predictors, ", ")))
	case !slices.Contains(classes, of[1]):
		return fault(fmt.Sprintf("classes that are scored instead of %q: %s", of[1], strings.Join(classes, ", ")))
	}
	return nil
}

// Entries returns the predictors that the options score: every predictor with
// every classification, then those with a fallback, then Own, then the
// programs, which are not started.
func (o *RunTimesOptions) Entries() ([]runtime.Entry, error) { return o.entries(nil) }

// entries are those of a log with a header.
func (o *RunTimesOptions) entries(h *workload.Header) ([]runtime.Entry, error) {
	if o.table != nil {
		return predictedEntries(o.table), nil
	}
	g := workload.Grouping{Named: o.Named, Header: h}
	entries, err := runtime.Entries(g, o.Classes, o.Predictors, o.Rules)
	if err != nil {
		return nil, err
	}
	var chained []runtime.Entry
	if o.Fallback {
		chained = runtime.Chained(entries, fallbackLabel)
	}
	if o.UserEstimates {
		entries = append(entries, runtime.Entry{Predictor: userEstimate, Classes: runtime.Classes{Name: "all"}, Rules: o.Rules})
	}
	entries = append(entries, chained...)
	entries = append(entries, o.Own...)
	for _, c := range o.Programs {
		entries = append(entries, runtime.Entry{Predictor: c.Label, Classes: runtime.Classes{Name: ProgramClasses}})
	}
	return entries, nil
}

// chain returns the classes that Fallback asks, in their order; nil without it.
func (o *RunTimesOptions) chain() []string {
	if !o.Fallback {
		return nil
	}
	names := slices.Clone(o.Classes)
	if len(names) == 0 {
		names = runtime.ClassesNames()
	}
	slices.Reverse(names)
	return names
}

func (o *RunTimesOptions) against() string {
	if o.Against == "" {
		return "last2,user"
	}
	return strings.TrimSuffix(o.Against, ",")
}

// WaitsOptions are the options of Waits. The zero value scores the usual
// predictors (WaitPredictors), without intervals.
type WaitsOptions struct {
	// Predictors are names of AllWaitPredictors and of Bounds; none stands for the usual.
	Predictors []string `opt:"predictors" group:"Who predicts" common:"true" help:"predictors to score" brief:"predictors to score (default: the usual ones of 'loadstone help predictors')"`
	// Bounds are the methods among which names are looked up, scored on the log's own
	// waits; nil stands for predict.BoundMethods(). Your own methods may predict bounds
	// or waits (predict.BoundMethod.Point): see the examples of Waits.
	Bounds []predict.BoundMethod
	// Programs are external programs that predict waits, and optionally bounds of them,
	// scored on the log's own waits: the waits of a program under its label, the bounds
	// under label@quantile. Waits starts them, and has stopped them when it returns.
	Programs []outside.Command
	// Processors is the size of the simulated machine; 0 means that of the
	// header.
	Processors int64 `opt:"procs" in:"[1,)" common:"true" help:"processors of the simulated machine (default: the header's)"`
	// Sites has a machine for each partition in the simulated queue, as
	// sched.Config says; nil is one machine for all.
	Sites sched.Sites `opt:"sites" help:"a machine for each partition, in the simulated queue: all, each of --procs processors, or <sizes> such as 1=64,2=128, other partitions having --procs or, without it, being left out"`
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
	Quantile   float64 `opt:"quantile" in:"(0,1)" default:"0.95" for:"predictors=bmbp|chebyshev|qbets|conformal|drawn|estimates" group:"Bounds (bmbp, chebyshev, qbets, conformal)" common:"true" help:"share of waits that a bound should cover"`
	Confidence float64 `opt:"confidence" in:"(0,1)" default:"0.95" for:"predictors=bmbp|chebyshev|qbets|conformal|drawn|estimates" help:"confidence that it covers them"`
	// Groups are words as of Classes: bounds rest on jobs of the same group.
	// None stands for ranges of processors.
	Groups []string `opt:"groups" for:"predictors=bmbp|chebyshev|qbets|conformal" help:"groups of bounds (default: ranges of size)"`

	// Sample is the number of jobs, drawn with Seed, on which all predictors are scored at
	// submission against the log's own waits (ArrivalScores), "drawn" and
	// "downey-b-queue" too; 0 is for none. "simulated" and "estimates" are then scored on
	// these jobs only, and the default predictors are SamplePredictors.
	Sample int `opt:"sample" in:"[1,)" group:"Scores" help:"also score all predictors on the same sample of this many <jobs>, drawn with --seed"`
	// Policy names one of Policies (see ScheduleOptions), by which the schedules of the sample are
	// simulated; "" stands for easy.
	Policy string `opt:"policy" default:"easy" open:"true" for:"sample" help:"who starts next in the schedules of --sample"`
	// Policies are those that Policy can name; nil stands for sched.Policies().
	Policies []sched.Policy

	Scoring `of:"week or day"`
	// Pictures also collects the data of figures, with the share achieved at many
	// quantiles.
	Pictures bool

	// Predicted, if not nil, is called with every prediction as it is scored.
	// An error that it returns ends the call. The predictors then run one
	// after another instead of concurrently.
	Predicted func(WaitPrediction) error
	// Reopen opens the log once more. If it is not nil, at most half a million
	// jobs are held in memory, and a larger log is read again for each
	// pipeline, from several goroutines at once. If it is nil, every log is
	// held in memory.
	Reopen func() (*workload.Log, error)

	table *predictions.Table // whose predictions alone are scored; nil for those of predictors
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

// filled has the defaults in place of zeros.
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

// Choices are the values of options that take one of some.
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

// Grouping is that of ways to sort jobs.
func (o *WaitsOptions) Grouping(option string) *workload.Grouping {
	if option == "classes" || option == "groups" {
		return &workload.Grouping{Submitted: true, Named: o.Named}
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
	for _, x := range []struct {
		option  string
		columns []string
	}{{"classes", o.Classes}, {"groups", o.Groups}} {
		if _, err := workload.ParseClasses(x.columns, workload.Grouping{Submitted: true, Named: o.Named}); err != nil {
			return workload.OptionNamed(x.option, err)
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

// trim is the share as package fit takes it, where 0 stands for a default.
func (o *WaitsOptions) trim() float64 {
	if *o.Trim == 0 {
		return -1
	}
	return *o.Trim
}

// grouping reads the words of Classes and Groups.
func (r *waits) grouping() workload.Grouping {
	return workload.Grouping{Submitted: true, Named: r.o.Named, Header: &r.log.Header}
}

// The kinds of waits that are predicted.
const (
	HeadWaits  = "simulated-fcfs-head" // at the head of a simulated queue
	QueueWaits = "simulated-fcfs"      // in a simulated queue
	LogWaits   = predictions.LogWaits  // the log's own
)

// The sources of the parameters of lifetimes.
const (
	Hindsight = "hindsight"
	Previous  = "previous"
)

var queueNames = []string{"simulated", "simulated-corrected", "estimates"}

func headNames() []string {
	var names []string
	for _, p := range predict.Downey(predict.OneLaw{}) {
		names = append(names, p.Name())
	}
	return names
}

func boundNames() []string { return slices.Concat(predict.BoundNames(), predict.BoundVariants()) }

// boundNames are the names of the methods of bounds that the options know.
func (o *WaitsOptions) boundNames() []string {
	if o.Bounds == nil {
		return boundNames()
	}
	var names []string
	for _, b := range o.Bounds {
		names = append(names, b.Name)
	}
	return names
}

// standingNames returns the names of the predictors that look at the machine in the order
// of results, without A exact: it predicts at the head of the queue.
func standingNames() []string {
	return []string{standing.Simulated, standing.Estimates, standing.Drawn, standing.BQueue}
}

// mostAhead is standing.Options.MostAhead.
const mostAhead = 250

// ArrivalDraws is the number of schedules that "drawn" simulates
// for each job of a sample: enough for the bound at 0.95 with confidence 0.95.
const ArrivalDraws = 100

// isBoundName says whether a predictor of that name bounds the log's own waits, rather than
// predicting a wait.
func isBoundName(name string) bool {
	return slices.Contains(boundNames(), name) && !predict.IsPoint(name, nil)
}

// WaitPredictors returns the predictors of wait that are scored by default.
func WaitPredictors() []string { return slices.Concat(headNames(), queueNames, predict.BoundNames()) }

// AllWaitPredictors returns WaitPredictors, their variants, and ArrivalPredictors.
func AllWaitPredictors() []string {
	return slices.Concat(WaitPredictors(), predict.BoundVariants(), ArrivalPredictors())
}

// ArrivalPredictors returns the predictors that are scored only on a sample
// (WaitsOptions.Sample).
func ArrivalPredictors() []string { return []string{standing.Drawn, standing.BQueue} }

// SamplePredictors returns the default predictors for a sample.
func SamplePredictors() []string {
	return slices.Concat(predict.BoundNames(), []string{predict.ConformalBound, predict.ConformalPoint}, standingNames())
}

// Scored returns the names of the predictors that the options score, those of programs last.
func (o WaitsOptions) Scored() []string {
	o = o.filled()
	names := slices.Clone(o.Predictors)
	if o.Unbias {
		for _, name := range headNames() {
			if slices.Contains(names, name) {
				names = append(names, name+"-unbiased")
			}
		}
	}
	return append(names, programs(o.Programs).waitNames(o.Quantile)...)
}
