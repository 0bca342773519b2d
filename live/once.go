package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

var (
	// ErrNoProcessors is the error if no log contains the size of the machine.
	ErrNoProcessors = errors.New("neither this log nor a history contains the size of the machine (MaxProcs or MaxNodes)")
	// ErrNoAnswer is the error if no predictor has an answer for any size.
	ErrNoAnswer = errors.New("no predictor has an answer")
)

// Query is a request that is submitted to a machine, with the predictors to ask
// about its wait. DefaultQuery sets all required fields except Logs and Sizes.
type Query struct {
	Logs    Logs
	Request `without:"size" group:"The request"`
	Sizes   []int64 // 1 to MostSizes numbers of processors, with one answer for each

	// At is the moment; "" means the last time in the first log.
	At         string `opt:"at" group:"The machine" common:"true" help:"<time> of the state: seconds, or such as 2024-05-31T14:30 (default: the latest)"`
	Processors int64  `opt:"procs" in:"[1,)" common:"true" help:"processors of the machine (default: the header's)"`
	Policy     string `opt:"policy" usual:"easy" open:"true" common:"true" help:"scheduling policy ('loadstone simulate' assumes fcfs)"`

	Predictors []string  `opt:"predictors" all:"true" group:"Who predicts, and from what" common:"true" help:"predictors to ask" brief:"predictors to ask, by commas: downey-b-queue, drawn, simulated, estimates, bmbp, qbets, combined (default: all)"` // names of Predictors
	Quantiles  []float64 // the shares of waits that bounds cover, ascending in (0, 1)
	// Judged is the number of past jobs on which predictors are evaluated. With 0 no predictor
	// is evaluated or recommended. With 400 the standard error of a coverage of 95 % is one
	// percentage point.
	Judged     int     `opt:"judged" in:"[0,)" usual:"400" help:"past <jobs> on which predictors are evaluated, to recommend one; 0 for none"`
	Seed       uint64  `opt:"seed" usual:"1" help:"seed of the draws"` // of "drawn"
	Law        string  `opt:"law" usual:"uniform-log" required:"true" help:"distribution of run times (downey-...)"`
	Confidence float64 `opt:"confidence" in:"(0,1)" usual:"0.95" required:"true" help:"confidence of a bound from past waits"`
	// Groups lists columns whose combinations of values group past waits; empty means ranges
	// of processors. Kinds of jobs and named classes are not supported: they depend on a
	// header, and the history may combine logs with different headers.
	Groups []string `opt:"groups" classes:"submitted plain" help:"groups of past waits (default: ranges of processors) by columns"`
}

// MostSizes is the largest number of sizes of one query.
const MostSizes = 1000

// Predictors returns the names of the predictors of a Query: downey-b-queue (B for the
// whole queue), drawn (many schedules with drawn run times), simulated and estimates (one
// schedule each), bmbp and qbets (past waits), and combined (these and the state of the
// queue).
func Predictors() []string {
	return append(standing.Names(), "bmbp", "qbets", predict.CombinedBound)
}

// DefaultQuery returns a query about a machine under EASY backfilling that asks
// all predictors, for the waits that cover 50, 80 and 95 %.
func DefaultQuery() Query {
	q := Query{Predictors: Predictors(), Quantiles: []float64{0.5, 0.8, 0.95}}
	opt.Usual(&q)
	return q
}

// Choices returns the allowed values of an option, or nil if the option is not an enumeration.
func (q *Query) Choices(option string) []string {
	switch option {
	case "predictors":
		return Predictors()
	case "law":
		return fit.Families()
	case "policy":
		return opt.Names(sched.Policies())
	}
	return nil
}

// Validate returns a *workload.OptionError for the first invalid option. It does not check the
// logs.
func (q *Query) Validate() error {
	switch n := len(q.Sizes); {
	case n == 0:
		return workload.OptionFault("size", "is missing", "the processors of the request")
	case n > MostSizes:
		return workload.OptionFault("size", fmt.Sprintf("of %d numbers", n), "at most %d", MostSizes)
	case len(q.Predictors) == 0:
		return workload.OptionFault("predictors", "none", "one or more of %s", strings.Join(Predictors(), ", "))
	}
	for i, n := range q.Sizes {
		if n < 1 || slices.Contains(q.Sizes[:i], n) {
			return workload.OptionFault("size", n, "processor counts of 1 or more, each once")
		}
	}
	if err := opt.Check(q); err != nil {
		return err
	}
	if _, err := evaluate.PolicyNamed(q.Policy, nil); err != nil {
		return err
	}
	return checkQuantiles(q.Quantiles)
}

// Judged describes the past jobs by which a predictor is recommended for a request. They are the
// jobs in its range of processors, or in its group by Query.Groups. If these are too few, the
// last column of the groups is dropped, and so on down to all jobs. Each predictor was asked
// about the same jobs, at their submissions, from what was known then.
type Judged struct {
	Group string `json:"group" help:"Of the jobs; all for any."`
	Jobs  int    `json:"jobs" help:"How many were drawn."`
	Of    int    `json:"of_jobs" help:"How many there are, without the first tenth of the history."`
	Kept  bool   `json:"kept" help:"The recommended predictor covered its quantile less one percentage point at least; if none does, the one with the highest coverage is recommended."`
}

// Ask predicts the waits of requests that are submitted to a machine at one moment. The
// answers do not depend on the number of cores.
//
// The error is a *workload.OptionError for an invalid option, and a *workload.InputError
// for a state that contradicts itself. With an error about the logs, Ask also returns
// Answers with the warnings so far.
func Ask(ctx context.Context, q Query) (*Answers, error) {
	if len(q.Logs.all) == 0 {
		return nil, workload.OptionFault("state", "is missing", "a log that shows who runs and waits")
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	o := &once{q: &q, out: &Answers{Schema: AnswersSchema}}
	err := o.ask(ctx)
	if o.moment != nil {
		o.out.Warnings = o.warnings
	}
	return o.out, err
}

// once is the state of Ask.
type once struct {
	*moment
	q          *Query
	out        *Answers
	requests   []workload.Request // by size
	predictors []predict.Predictor
	samples    []judgedSample // by size; several sizes may share a sample
}

// judgedSample is a sample of the history's jobs on which predictors are evaluated.
type judgedSample struct {
	*evaluate.Sample
	group string
}

func (o *once) ask(ctx context.Context) (err error) {
	if o.moment, err = o.q.Logs.at(o.q.At, o.q.Processors); err != nil {
		return err
	}
	for _, size := range o.q.Sizes {
		r := o.q.Request
		r.Size = size
		job, err := r.job(&o.names, o.Time, workload.Unknown)
		if err == nil {
			err = fits(&watch.Capacity{Processors: o.Snapshot.Processors}, &job)
		}
		if err != nil {
			return err
		}
		o.requests = append(o.requests, job)
		o.out.Answers = append(o.out.Answers, answer(r, o.state()))
	}
	o.warnings = append(o.warnings, o.q.unseen(&o.requests[0])...)
	if err := o.newPredictors(); err != nil {
		return err
	}
	if err := o.drawSamples(); err != nil {
		return err
	}
	var samples []*evaluate.Sample
	for _, s := range o.samples {
		if !slices.Contains(samples, s.Sample) {
			s.Expect(o.judged(), len(o.q.Quantiles))
			samples = append(samples, s.Sample)
		}
	}
	machine := predict.Replay{Predictors: o.predictors, Processors: o.Snapshot.Processors, Known: true}
	if err := evaluate.AskStanding(ctx, o.replay, machine, samples...); err != nil {
		return err
	}
	o.out.Past = &Past{o.q.Policy, o.ended, o.waits}
	for i := range o.requests {
		if err := o.answer(ctx, i); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(o.out.Answers, func(a *Answer) bool { return len(a.Predictions) > 0 }) {
		var whys []string
		for _, l := range o.out.LeftOut() {
			whys = append(whys, l.Predictor+": "+l.Why)
		}
		return fmt.Errorf("%s: %w: %s", o.q.Logs.all[0].name, ErrNoAnswer, strings.Join(whys, "; "))
	}
	return nil
}

// state returns the state of the machine for answers.
func (o *once) state() State {
	s := State{Clock: stats.Number(o.Time), Processors: o.Snapshot.Processors, Free: o.Free(), Running: len(o.Running), Pending: len(o.Queued)}
	if clock := o.q.Logs.all[0].clock; clock.Dates(o.Time) {
		s.Time = clock.At(o.Time)
	}
	return s
}

// answer asks all predictors about the i-th request, and recommends one.
func (o *once) answer(ctx context.Context, i int) error {
	a, r, sample := o.out.Answers[i], &o.requests[i], o.samples[i]
	scores := make([][]evaluate.ArrivalScore, len(o.q.Quantiles)) // by quantile
	for k, q := range o.q.Quantiles {
		scores[k], _ = sample.Scores(k, q)
	}
	var all []tested
	for _, p := range o.predictors {
		f, err := p.Ask(o.Snapshot, r)
		if err = errors.Join(ctx.Err(), err); err != nil {
			return err
		}
		if f.Missing == "" && fromPastWaits(p.Name()) {
			f.Missing = whyNoBound(p.Name(), r, f.Bounds, o.q.Confidence)
		}
		var covered []Coverage
		for k := range f.Bounds {
			at := slices.IndexFunc(scores[k], func(s evaluate.ArrivalScore) bool { return s.Predictor == p.Name() })
			s := &scores[k][at]
			covered = append(covered, Coverage{s.Coverage, s.Bounded})
			if k == len(f.Bounds)-1 && 2*s.Bounded >= s.Jobs { // else it answers too few jobs
				all = append(all, tested{p.Name(), s.Bounded, score.BoundRecord{Quantile: o.q.Quantiles[k], Coverage: float64(s.Coverage), Loss: float64(s.CommonLoss)}})
			}
		}
		a.add(p.Name(), f, covered, a.State.Time)
	}
	if sample.Jobs() == 0 {
		return nil
	}
	a.Judged = &Judged{Group: sample.group, Jobs: sample.Jobs(), Of: sample.Of(), Kept: true}
	// If the machine is idle, a request starts at once, and a bound from past waits would mislead.
	if a.State.Running+a.State.Pending == 0 {
		return nil
	}
	if best := a.recommend(all); best != nil {
		a.Judged.Kept = best.Kept()
		if best.ClearlyBelow(best.jobs) {
			o.warn("not-covered", "", "%d processors: the %g%% bounds of the recommended %s covered only %.1f%% of %d past waits (%s): expect longer waits than its bounds say",
				r.Size, 100*best.Quantile, best.predictor, 100*best.Coverage, best.jobs, sample.group)
		}
	}
	return nil
}

// trim is the share of jobs at each end of the run times that the fit of the law ignores.
const trim = 0.1

// newPredictors creates the predictors of the query, in their order.
func (o *once) newPredictors() error {
	policy, err := evaluate.PolicyNamed(o.q.Policy, nil)
	if err != nil {
		return err
	}
	names := slices.DeleteFunc(slices.Clone(o.q.Predictors), fromPastWaits)
	looking, err := standing.New(names, &standing.Options{
		Processors: o.Snapshot.Processors, Policy: policy, Draws: evaluate.ArrivalDraws, Seed: o.q.Seed,
		Quantiles: o.q.Quantiles, Confidence: o.q.Confidence,
		Lifetimes: predict.LifetimesConfig{Family: o.q.Law, Options: fit.Options{Trim: trim}},
	})
	if err != nil {
		return err
	}
	for _, name := range o.q.Predictors {
		if i := slices.Index(names, name); i >= 0 {
			o.predictors = append(o.predictors, looking[i])
			continue
		}
		bounds, err := o.pastWaits(name)
		if err != nil {
			return err
		}
		o.predictors = append(o.predictors, predict.NewPastWaits(name, bounds))
	}
	return nil
}
