package evaluate

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// pipeline is one replay of the log with some of the predictors, and what came of it.
type pipeline struct {
	*waits
	names     []string
	simulates bool // a queue
	play      func(*pipeline, context.Context) error

	outcome
	odd     workload.Warnings // of what its simulation leaves out
	tallies []*waitTally

	lifetimes *predict.LawSummary
}

// pipelines are those of the predictors asked for, in the order of the result. Predictors
// that cannot be scored are left out.
func (r *waits) pipelines() ([]*pipeline, error) {
	var all []*pipeline
	add := func(simulates bool, names []string, play func(*pipeline, context.Context) error) {
		if len(names) > 0 {
			all = append(all, &pipeline{waits: r, names: names, simulates: simulates, play: play})
		}
	}
	if r.o.table != nil {
		add(false, r.o.table.Names(), (*pipeline).predicted)
		return all, nil
	}
	heads, queue := r.chosen(headNames()), r.chosen(queueNames)
	switch {
	case len(heads) > 0 && r.o.Sites != nil:
		r.leaveOut("one-machine", "Downey's predictors model a single machine, and each site is a separate one", heads...)
	default:
		add(true, heads, (*pipeline).heads)
	}
	if !r.hasEstimates() {
		if needed := r.chosen([]string{standing.Estimates}); len(needed) > 0 {
			r.leaveOut("no-estimates", "no job has an estimate of its run time", needed...)
		}
		queue = slices.DeleteFunc(queue, func(name string) bool { return name == standing.Estimates })
	}
	if r.o.Sample > 0 { // whose jobs alone these are asked about
		queue = slices.DeleteFunc(queue, func(name string) bool { return slices.Contains(standingNames(), name) })
	}
	together := 1 // side by side, since they take long
	if r.o.Predicted != nil {
		together = len(queueNames) // job by job
	}
	for names := range slices.Chunk(queue, together) {
		add(true, names, (*pipeline).queue)
	}
	if len(all) > 0 && r.o.Sites == nil {
		n, err := r.machine()
		if err != nil {
			return nil, err
		}
		r.processors = n
	}
	bounds := slices.Concat(r.chosen(r.o.boundNames()), programs(r.o.Programs).labels())
	switch {
	case r.known > 0:
		add(false, bounds, (*pipeline).bounds)
	case len(bounds) > 0:
		r.leaveOut("no-waits", predict.ErrNoWaits.Error(), bounds...)
	}
	switch {
	case r.sample != nil:
		add(false, r.standingAsked(), (*pipeline).standing)
	case r.o.Sample > 0:
		r.remark("no-sample", "%v: no sample of jobs is scored", predict.ErrNoWaits)
		for _, name := range r.chosen(ArrivalPredictors()) {
			r.leftOut = append(r.leftOut, PredictorLeftOut{name, predict.ErrNoWaits.Error()})
		}
	}
	return all, nil
}

// hasEstimates reports whether jobs have users' estimates, their own or drawn ones.
func (r *waits) hasEstimates() bool { return r.estimates || r.o.EstimateFactor > 0 }

// estimateSeed draws the estimates of jobs that have none.
const estimateSeed = 1

// estimated yields the jobs with the estimates that the options draw.
func (r *waits) estimated(ctx context.Context) iter.Seq2[workload.Job, error] {
	if r.o.EstimateFactor == 0 {
		return r.replay(ctx)
	}
	return predict.WithEstimates(r.replay(ctx), r.o.EstimateFactor, rand.New(rand.NewPCG(estimateSeed, 0)).Float64)
}

// lifetimesOf are the options of the lifetimes of running jobs.
func (r *waits) lifetimesOf() (predict.LifetimesConfig, error) {
	by, err := workload.ParseClasses(r.o.Classes, r.grouping())
	return predict.LifetimesConfig{By: by, Family: r.o.Law, Options: fit.Options{Trim: r.o.trim()}}, err
}

// heads scores Downey's predictors at the head of a simulated queue.
func (p *pipeline) heads(ctx context.Context) error {
	lifetimes, updates, err := p.fitLifetimes(ctx)
	if degenerate := new(*fit.DegenerateError); errors.As(err, degenerate) && len(p.o.Predictors) > len(p.names) {
		p.leaveOut("no-law", err.Error(), p.names...)
		return nil
	}
	if err != nil {
		return err
	}
	var predictors []predict.HeadPredictor
	for _, d := range predict.Downey(lifetimes) {
		if slices.Contains(p.names, d.Name()) {
			predictors = append(predictors, d)
		}
	}
	if p.o.Unbias {
		for _, d := range slices.Clone(predictors) {
			u := predict.NewUnbiased(d)
			predictors, p.names = append(predictors, u), append(p.names, u.Name())
		}
	}
	p.tallies = p.newTallies(HeadWaits, func(string) bool { return false }, p.names)
	config := predict.HeadConfig{Processors: p.processors, Predictors: predictors, Warnings: &p.odd, Updates: updates}
	for row, err := range predict.AtHead(p.replay(ctx), config) {
		if err != nil {
			return err
		}
		if updates != nil && !updates.Known() {
			continue // nothing to predict from yet
		}
		for i, x := range row.Predictions {
			if err := p.tallies[i].add(&row.Request, unbounded(x), row.Actual); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitLifetimes fits the lifetimes to the whole log, or prepares those that follow the log,
// which it then returns twice.
func (p *pipeline) fitLifetimes(ctx context.Context) (predict.Lifetimes, *predict.PreviousLifetimes, error) {
	c, err := p.lifetimesOf()
	if err != nil {
		return nil, nil, err
	}
	if p.o.Months == 0 {
		f, err := predict.FitLifetimes(p.replay(ctx), p.processors, c)
		if err != nil {
			return nil, nil, err
		}
		p.lifetimes = predict.Summarize(&f.All)
		return f.Lifetimes, nil, nil
	}
	d, err := workload.Months(p.clock, p.o.Months)
	if err != nil {
		return nil, nil, err
	}
	l, err := predict.NewPreviousLifetimes(p.processors, c, d.Number)
	return l, l, err
}

// queue scores predictors that simulate the queue of a simulated machine.
func (p *pipeline) queue(ctx context.Context) error {
	var predictors []predict.Simulated
	for _, name := range p.names {
		s := predict.Simulated{RunTimes: []sched.Estimator{sched.UserEstimates{}}, Corrected: strings.HasSuffix(name, "-corrected")}
		if name != standing.Estimates {
			var err error
			if s.RunTimes, err = standing.QueueRunTimes(); err != nil {
				return err
			}
		}
		predictors = append(predictors, s)
	}
	config := sched.Config{Processors: p.processors, Sites: p.o.Sites, Warnings: &p.odd}
	if p.o.Sites != nil {
		config.Processors = p.o.Processors
	}
	p.tallies = p.newTallies(QueueWaits, func(name string) bool { return name == standing.Estimates }, p.names)
	for row, err := range predict.QueueWaits(p.estimated(ctx), config, predictors) {
		if err != nil {
			return err
		}
		for i, x := range row.Predictions {
			t := p.tallies[i]
			if !t.isBound() && !(row.Actual > 0) {
				continue
			}
			if err := t.add(&row.Request, unbounded(workload.Prediction{Seconds: x, Observations: row.Queued}), row.Actual); err != nil {
				return err
			}
		}
	}
	return nil
}

// bounds scores the bounds on the log's own waits, and what programs predict of them.
func (p *pipeline) bounds(ctx context.Context) error {
	options := predict.BoundOptions{Methods: p.o.Bounds}
	if len(p.o.Groups) > 0 {
		var err error
		if options.Groups, err = workload.ClassesOf(p.o.Groups, p.grouping()); err != nil {
			return err
		}
	}
	own := p.names[:len(p.names)-len(p.o.Programs)]
	bounds, err := predict.NewBounds(own, []float64{p.o.Quantile}, p.o.Confidence, options)
	if err != nil {
		return err
	}
	busy := &occupancy{}
	if busy.processors, err = p.machine(); err != nil {
		busy.processors = math.MaxInt64 // of an unknown machine nothing is checked
	}
	predictors := []predict.Predictor{busy}
	for i, name := range own {
		predictors = append(predictors, predict.NewPastWaits(name, bounds[i:i+1]))
	}
	tallies := p.newTallies(LogWaits, func(name string) bool { return !predict.IsPoint(name, p.o.Bounds) }, own)
	for _, c := range p.o.Programs {
		bound := boundName(c.Label, p.o.Quantile)
		tallies = append(tallies, p.newTallies(LogWaits, func(name string) bool { return name == bound }, []string{c.Label, bound})...)
	}
	err = programs(p.o.Programs).runWaits(ctx, p.o.Quantile, func(programs []predict.Predictor) error {
		return p.replayBounds(ctx, append(predictors, programs...), tallies)
	})
	if busy.settle(); busy.overfull > 0 {
		p.remark("overfull", "the waits in the log cannot all be right: at %d starts more processors are busy than the machine's %d, at most %d; bounds are still scored on them",
			busy.overfull, busy.processors, busy.peak)
	}
	p.tallies = append(tallies[:len(own)], p.answered(tallies[len(own):])...)
	return err
}

// answered leaves out what a program, of which there are two tallies, never gave: the wait
// or its bound.
func (p *pipeline) answered(tallies []*waitTally) (all []*waitTally) {
	silent := func(i int) bool { return tallies[i].Result().Predicted == 0 }
	for i, t := range tallies {
		if silent(i) && (t.isBound() || !silent(i+1)) {
			p.leftOut = append(p.leftOut, PredictorLeftOut{t.predictor, "the program gave none"})
			continue
		}
		all = append(all, t)
	}
	return all
}

// replayBounds replays the log's own waits, and scores the bounds of the predictors, in
// their order, each with its tally: on all jobs but the first tenth, which train (Sonmez and
// others, 2009).
func (p *pipeline) replayBounds(ctx context.Context, predictors []predict.Predictor, tallies []*waitTally) error {
	for j, err := range (predict.Replay{Predictors: predictors}).Jobs(p.replay(ctx)) {
		if err != nil {
			return err
		}
		if j.Number < p.known/10 {
			continue
		}
		rest := tallies
		for i, f := range j.Forecasts {
			for _, b := range f.Bounds {
				t := rest[0]
				rest = rest[1:]
				if !t.isBound() {
					b = unbounded(workload.Prediction{Seconds: b.Seconds, Observations: b.Observations})
				}
				if p.sample != nil {
					p.sample.add(predictors[i].Name(), t.isBound(), &j.Request, b.Seconds)
				}
				if err := t.add(&j.Request, b, j.Actual); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// occupancy is a predict.Predictor that predicts nothing. It finds waits that cannot all be
// right: they have jobs run at the same time that do not fit on the machine.
type occupancy struct {
	processors, busy, peak int64
	overfull               int   // starts
	starting               int64 // processors of the job that has just started, which may end at once; 0 for none
	row                    int64 // of that job
}

func (*occupancy) Name() string { return "occupancy" }

func (*occupancy) Ask(*predict.Snapshot, *workload.Request) (f predict.Forecast, err error) {
	return f, nil
}

// mostPlaced is the size that a larger job is taken for, so that no sum overflows.
const mostPlaced = 1 << 32

func (o *occupancy) Learn(e workload.Event) error {
	size := min(e.Job.Size, mostPlaced)
	switch {
	case size < 1:
		return nil
	case e.Kind == workload.Finish && o.starting > 0 && o.row == e.Job.Row:
		o.starting = 0
		return nil
	}
	o.settle()
	switch e.Kind {
	case workload.Start:
		o.starting, o.row = size, e.Job.Row
	case workload.Finish:
		o.busy -= size
	}
	return nil
}

// settle enters the job that has just started.
func (o *occupancy) settle() {
	if o.starting == 0 {
		return
	}
	if o.busy += o.starting; o.busy > o.processors {
		o.overfull++
	}
	o.peak = max(o.peak, o.busy)
	o.starting = 0
}

// standing records what the predictors that look at the machine forecast for the sample.
func (p *pipeline) standing(ctx context.Context) error {
	lifetimes, err := p.lifetimesOf()
	if err != nil {
		return err
	}
	policy, err := PolicyNamed(p.o.Policy, p.o.Policies)
	if err != nil {
		return err
	}
	o := &standing.Options{
		Processors: p.o.Processors, Sites: p.o.Sites, Policy: policy, Draws: ArrivalDraws, Seed: p.o.Seed, MostAhead: mostAhead,
		Quantiles: []float64{p.o.Quantile}, Confidence: p.o.Confidence, Lifetimes: lifetimes,
	}
	if o.Sites == nil {
		if o.Processors, err = p.machine(); err != nil {
			return err
		}
	}
	predictors, err := standing.New(p.names, o)
	if err != nil {
		return err
	}
	replay := predict.Replay{Predictors: predictors, Processors: o.Processors, Sites: o.Sites}
	if err := AskStanding(ctx, p.estimated(ctx), replay, p.sample); err != nil {
		return err
	}
	if n := p.sample.overfull; n > 0 {
		p.remark("overfull-machine", "when %d of the %d jobs of the sample were submitted, more processors were busy than the machine has: it is taken to have as many as were busy", n, p.sample.Jobs())
	}
	return p.handOut()
}

// handOut passes the forecasts for the sample to Predicted, job by job.
func (p *pipeline) handOut() error {
	if p.o.Predicted == nil {
		return nil
	}
	for i := range p.sample.jobs {
		for _, name := range p.names {
			f := p.sample.forecasts(name)[0][i]
			b := predict.NoBound()
			if b.Seconds = f.Point; name == standing.Drawn {
				b.Seconds, b.Quantile, b.Confidence = f.Bound, p.o.Quantile, p.o.Confidence
			}
			if math.IsNaN(b.Seconds) {
				continue
			}
			if err := p.o.Predicted(newWaitPrediction(&p.sample.requests[i], LogWaits, name, b, p.sample.jobs[i].Actual)); err != nil {
				return err
			}
		}
	}
	return nil
}
