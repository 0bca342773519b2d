package forecast

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// trim is the share of the shortest and of the longest jobs left out of the law.
const trim = 0.1

// newPredictors makes the predictors that are asked, in their order.
func (a *asked) newPredictors() error {
	a.options = standing.Options{
		Processors: a.machine.Processors, Policy: a.policy, Draws: evaluate.ArrivalDraws, Seed: a.q.Seed,
		Quantiles: a.q.Quantiles, Confidence: a.q.Confidence,
		Lifetimes: predict.LifetimesConfig{Family: a.q.Law, Options: fit.Options{Trim: trim}},
	}
	names := slices.DeleteFunc(slices.Clone(a.q.Predictors), fromPastWaits)
	looking, err := standing.New(names, &a.options)
	if err != nil {
		return err
	}
	for _, name := range a.q.Predictors {
		if i := slices.Index(names, name); i >= 0 {
			a.predictors = append(a.predictors, looking[i])
			continue
		}
		bounds, err := a.pastPredictors(name)
		if err != nil {
			return err
		}
		a.predictors = append(a.predictors, predict.NewPastWaits(name, bounds))
	}
	return nil
}

// predict asks one predictor about all sizes.
func (a *asked) predict(p predict.Predictor) error {
	name := p.Name()
	if fromPastWaits(name) && a.past.waits == 0 {
		a.missAll(name, "the history has no waits")
		return nil
	}
	asked := len(a.out.Predictions)
	for i := range a.requests {
		r := &a.requests[i]
		f, err := p.Ask(a.machine, r)
		if err != nil {
			return err
		}
		if f.Missing == "" && fromPastWaits(name) {
			f.Missing = a.whyNoBound(name, r, f.Bounds)
		}
		if f.Missing != "" {
			a.miss(name, r.Size, f.Missing)
			continue
		}
		if math.IsInf(f.Expected, 1) && name == standing.Drawn {
			f.Expected = math.NaN()
			a.miss(name, r.Size, "some schedules have no end in sight (32 years), so that there is no mean, nor a quantile that reaches them")
		}
		if name == standing.Estimates && !a.bounded() {
			f.Bounds = nil
		}
		a.row(r.Size, name, f)
	}
	if len(a.out.Predictions) > asked {
		a.caution(name)
	}
	return nil
}

// caution warns of what an answer assumes.
func (a *asked) caution(name string) {
	ahead := func(r workload.Request) bool { return len(a.machine.Ahead(&r, a.queues())) > 0 }
	switch {
	case !slices.ContainsFunc(a.requests, ahead):
	case name == standing.BQueue && !a.inOrder():
		a.warn("other-policy", "%s is first come, first served: under %s jobs go ahead where they fit, and wait less than it expects", name, a.q.Policy)
	case name == standing.Drawn && a.policy.UsesEstimates() && !(a.requests[0].Time > 0):
		a.warn("no-time", "without a requested time %s plans the request with the run time that is drawn for it, which no scheduler knows: under %s its waits come out too short; --time", name, a.q.Policy)
	}
}

// queues are those that a policy "priority" serves first, the most urgent first.
func (a *asked) queues() []int64 {
	p, _ := a.policy.(sched.Priority)
	return p.Queues
}

// inOrder says whether no job starts before those ahead of it.
func (a *asked) inOrder() bool {
	switch a.policy.(type) {
	case sched.FCFS, sched.Priority:
		return true
	}
	return false
}

// bounded says whether the users' estimates bound waits: under a policy without
// backfilling, where no job outlives its own.
func (a *asked) bounded() bool {
	outlived := func(o predict.Occupant) bool { return !(o.Request.Time > o.Age) }
	return !a.policy.UsesEstimates() && !slices.ContainsFunc(a.machine.Running, outlived)
}

// whyNoBound says why past waits bound no share of the waits; "" if they bound some.
func (a *asked) whyNoBound(name string, r *workload.Request, bounds []predict.Bound) string {
	switch {
	case slices.ContainsFunc(bounds, func(b predict.Bound) bool { return !math.IsNaN(b.Seconds) }):
		return ""
	case name == "qbets" && !(r.Time > 0):
		return "it groups past waits by requested time, and " + standing.NoTime
	}
	waits := "waits"
	if bounds[0].Observations == 1 {
		waits = "wait"
	}
	return fmt.Sprintf("%d past %s in group %q: too few for a bound, which needs at least %d", bounds[0].Observations, waits, bounds[0].Group,
		stats.MinimumHistory(slices.Min(a.q.Quantiles), a.q.Confidence))
}

// row adds an answer.
func (a *asked) row(size int64, predictor string, f predict.Forecast) {
	p := Prediction{Processors: size, Predictor: predictor, Expected: stats.Number(f.Expected), Bounds: []Bound{}, Observations: f.Observations}
	predict.Ascend(f.Bounds)
	for _, b := range f.Bounds {
		nan := stats.Number(math.NaN())
		p.Bounds = append(p.Bounds, Bound{
			Quantile: b.Quantile, Seconds: stats.Number(b.Seconds), Achieved: stats.Number(b.Achieved), Group: b.Group,
			Coverage: nan, Loss: nan, SimilarCoverage: nan, SimilarLoss: nan,
		})
		p.Group = b.Group
	}
	a.out.Predictions = append(a.out.Predictions, p)
}

// miss notes that there is no answer for a size.
func (a *asked) miss(predictor string, size int64, why string) {
	i := slices.IndexFunc(a.out.LeftOut, func(m LeftOut) bool { return m.Predictor == predictor && m.Why == why })
	if i < 0 {
		a.out.LeftOut = append(a.out.LeftOut, LeftOut{Predictor: predictor, Why: why})
		i = len(a.out.LeftOut) - 1
	}
	a.out.LeftOut[i].Processors = append(a.out.LeftOut[i].Processors, size)
}

// missAll notes that there is no answer for any size.
func (a *asked) missAll(predictor, why string) {
	for _, n := range a.q.Sizes {
		a.miss(predictor, n, why)
	}
}

// sizeRanges are the groups of past waits unless others were asked for.
const sizeRanges = "size:4:16:64"

// fromPastWaits says whether a predictor learns from past waits.
func fromPastWaits(name string) bool {
	return name == "bmbp" || name == "qbets" || name == predict.ConformalBound
}

// pastPredictors makes the predictor of that name for each quantile.
func (a *asked) pastPredictors(name string) (all []predict.BoundPredictor, err error) {
	if name == predict.ConformalBound { // one for all, which learns of groups itself
		return predict.NewBounds([]string{name}, a.q.Quantiles, a.q.Confidence, predict.BoundOptions{
			Fallback: func(q, _ float64) (predict.BoundPredictor, error) { return a.pastWaits("bmbp", q) },
		})
	}
	for _, level := range a.q.Quantiles {
		p, err := a.pastWaits(name, level)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// pastWaits makes the predictor of that name for one quantile, of groups that back
// off from the finest to all jobs where there are too few waits.
func (a *asked) pastWaits(name string, level float64) (predict.BoundPredictor, error) {
	var levels []predict.BoundPredictor
	for _, columns := range a.pastGroups(name) {
		o := predict.BoundOptions{}
		var err error
		if o.Groups, err = workload.ClassesOf(columns, pastColumns); err != nil {
			return nil, err
		}
		p, err := predict.NewBound(name, level, a.q.Confidence, o)
		if err != nil {
			return nil, err
		}
		levels = append(levels, p)
	}
	return predict.NewBackoff(levels...), nil
}

// pastGroups returns the columns of the groups, the finest first: those asked for, then
// those without the last column, and so on down to all jobs, for groups that have too few
// waits. Without columns the groups are the site's ranges of processors, or the site for
// QBETS, which finds ranges itself; in a history of one site there are none.
func (a *asked) pastGroups(name string) [][]string {
	columns := a.q.Groups
	if len(columns) == 0 {
		if a.past.sites() {
			columns = append(columns, "site")
		}
		if name == "bmbp" {
			columns = append(columns, sizeRanges)
		}
	}
	return append(coarser(columns), []string{"all"})
}

// coarser returns the columns, and then those without the last, one by one.
func coarser(columns []string) [][]string {
	var all [][]string
	for n := len(columns); n > 0; n-- {
		all = append(all, columns[:n])
	}
	return all
}
