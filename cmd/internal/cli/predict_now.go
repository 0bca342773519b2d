package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
)

// nowQuantiles are the shares of waits that the bounds cover.
var nowQuantiles = []float64{0.5, 0.8, 0.95}

// nowRun is a request on a machine, and what was predicted for it.
type nowRun struct {
	app       *app
	o         predictOptions
	state     *nowState
	history   *nowHistory
	policy    sched.Policy
	requests  []workload.Request // one a size
	run       predict.RunBySize  // nil where that was not said
	lifetimes predict.Lifetimes
	law       *fit.Report
	noLaw     error // why there are no lifetimes

	rows    []nowRow
	missing []nowMissing
	choices []nowChoice
}

// nowRow is one predictor's answer for one size.
type nowRow struct {
	processors   int64
	predictor    string
	expected     float64 // s; NaN where the predictor has none
	bounds       []predict.Bound
	observations int
	group        string
}

// nowMissing says why a predictor has no answer for some sizes.
type nowMissing struct {
	predictor string
	sizes     []int64
	why       string
}

// nowChoice is the turnaround of all sizes by one predictor.
type nowChoice struct {
	predictor string
	choices   []predict.SizeChoice
	best      int // -1 where none can be chosen
}

func runPredictNow(ctx context.Context, a *app, o predictOptions) error {
	r := &nowRun{app: a, o: o}
	var err error
	if r.state, err = a.readState(ctx, &o); err != nil {
		return about(o.now.state, err)
	}
	// The history may say how large the machine is, so it is read first; what of
	// the state is known does not depend on that.
	var started []workload.Job
	for i := range r.state.jobs {
		if s := predict.StandingAt(&r.state.jobs[i], r.state.now); s == predict.Ended || s == predict.Running {
			started = append(started, r.state.jobs[i])
		}
	}
	if r.history, err = a.readHistory(ctx, &o, r.state, started); err != nil {
		return err
	}
	if r.state.processors == 0 {
		return fmt.Errorf("%s: neither it nor a history says how large the machine is (MaxProcs or MaxNodes): say --procs", o.now.state)
	}
	if err := r.state.place(a, &o); err != nil {
		return err
	}
	if err := r.ask(); err != nil {
		return err
	}
	r.fitLifetimes()
	for _, p := range o.predictors {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.predict(p); err != nil {
			return err
		}
	}
	if len(r.rows) == 0 {
		var why []string
		for _, m := range r.missing {
			why = append(why, m.predictor+": "+m.why)
		}
		return fmt.Errorf("%s: no predictor has an answer: %s", o.now.state, strings.Join(why, "; "))
	}
	r.choose()
	return a.put(o.result, r.result())
}

// ask makes the requests.
func (r *nowRun) ask() error {
	n := &r.o.now
	queue, err := r.state.names.find("Queue", n.queue)
	if err != nil {
		return usagef(r.app.cmd, "--queue: %w", err)
	}
	user, err := r.state.names.find("User", n.user)
	if err != nil {
		return usagef(r.app.cmd, "--user: %w", err)
	}
	if r.run, err = n.runs(); err != nil {
		return err
	}
	for _, p := range sched.Policies() {
		if p.Name() == n.policy {
			r.policy = p
		}
	}
	if _, ok := r.policy.(sched.Priority); ok {
		r.policy = sched.Priority{Queues: n.queues}
	}
	r.warnUnseen("queue", append(slices.Clone(n.queues), queue), func(r *workload.Request) int64 { return r.Queue })
	r.warnUnseen("user", []int64{user}, func(r *workload.Request) int64 { return r.User })
	for _, size := range n.sizes {
		if size > r.state.processors {
			return fmt.Errorf("--size %d: the machine has %d processors", size, r.state.processors)
		}
		q := workload.UnknownJob().Request
		q.Submit, q.Processors, q.Size, q.Queue, q.User = r.state.now, size, size, queue, user
		if n.limit > 0 {
			q.Time = n.limit
		} else if r.run != nil {
			q.Time = r.run(size)
		}
		r.requests = append(r.requests, q)
	}
	return nil
}

// warnUnseen says which numbers that the user gave no job has: nothing is known
// of them.
func (r *nowRun) warnUnseen(what string, numbers []int64, of func(*workload.Request) int64) {
	for _, number := range numbers {
		has := func(j workload.Job) bool { return of(&j.Request) == number }
		if number == workload.Unknown || slices.ContainsFunc(r.state.jobs, has) || slices.ContainsFunc(r.history.jobs, has) {
			continue
		}
		r.app.warn("no job of the state or its history has %s %d", what, number)
	}
}

// fitLifetimes fits the run times of the jobs that had ended.
func (r *nowRun) fitLifetimes() {
	trim := r.o.trim
	if trim == 0 {
		trim = -1 // fit's word for none
	}
	c := predict.LifetimesConfig{By: predictColumns(r.o.classes), Family: r.o.law, Options: fit.Options{Trim: trim}}
	f, err := predict.FitLifetimes(r.history.all, r.state.processors, c)
	if err != nil {
		r.noLaw = err
		return
	}
	r.law, r.lifetimes = &f.All, f.Lifetimes
	if r.o.limits {
		r.lifetimes = predict.WithinLimit{Lifetimes: f.Lifetimes}
	}
}

// row adds an answer.
func (r *nowRun) row(size int64, predictor string, expected float64, bounds []predict.Bound, observations int) {
	row := nowRow{processors: size, predictor: predictor, expected: expected, bounds: bounds, observations: observations}
	for _, b := range bounds {
		row.group = b.Group
	}
	r.rows = append(r.rows, row)
}

// miss notes that there is no answer for a size.
func (r *nowRun) miss(predictor string, size int64, why string) {
	i := slices.IndexFunc(r.missing, func(m nowMissing) bool { return m.predictor == predictor && m.why == why })
	if i < 0 {
		r.missing = append(r.missing, nowMissing{predictor: predictor, why: why})
		i = len(r.missing) - 1
	}
	r.missing[i].sizes = append(r.missing[i].sizes, size)
}

// choose finds the size of the least turnaround by each predictor that has
// expected waits.
func (r *nowRun) choose() {
	if r.run == nil {
		return
	}
	within := func(n int64) float64 {
		run := r.run(n)
		if limit := r.o.now.limit; limit > 0 && run > limit {
			return math.NaN() // it would be killed
		}
		return run
	}
	var late, unknown []string
	for _, n := range r.o.now.sizes {
		switch run := r.run(n); {
		case math.IsNaN(run):
			unknown = append(unknown, fmt.Sprint(n))
		case math.IsNaN(within(n)):
			late = append(late, fmt.Sprint(n))
		}
	}
	switch none := len(late)+len(unknown) == len(r.o.now.sizes); {
	case none && len(late) > 0:
		r.app.warn("the request runs longer than --time %s s on every size: none is chosen", present.Sig(r.o.now.limit))
	case len(late) > 0:
		r.app.warn("on %s processors the request runs longer than --time: not chosen", strings.Join(late, ", "))
	}
	if len(unknown) > 0 {
		r.app.warn("--run-times has no run time on %s processors: not chosen", strings.Join(unknown, ", "))
	}
	for _, p := range r.o.predictors {
		waits := map[int64]float64{}
		some := false
		for _, row := range r.rows {
			if row.predictor == p {
				waits[row.processors] = row.expected
				some = some || !math.IsNaN(row.expected)
			}
		}
		if !some {
			continue
		}
		wait := func(n int64) float64 {
			if w, ok := waits[n]; ok {
				return w
			}
			return math.NaN()
		}
		choices, best, err := predict.LeastTurnaround(r.o.now.sizes, wait, within)
		if err != nil && !errors.Is(err, predict.ErrNoChoice) {
			r.app.warn("%s: %v", p, err)
			continue
		}
		r.choices = append(r.choices, nowChoice{p, choices, best})
	}
}
