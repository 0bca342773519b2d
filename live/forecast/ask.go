package forecast

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ErrNoProcessors is the error if neither the state nor its history contains
// the size of the machine.
var ErrNoProcessors = errors.New("neither it nor a history has the size of the machine (MaxProcs or MaxNodes)")

// ErrNoAnswer is the error if no predictor has an answer for any size.
var ErrNoAnswer = errors.New("no predictor has an answer")

// Ask predicts the wait of a request that is submitted at the moment of the
// state. The same query has the same answer on any number of cores, and several
// goroutines may use the same State and History at once.
//
// An option that cannot be used is a *workload.OptionError, a state that
// contradicts itself a *workload.InputError. A size above the machine's, which only the state
// and the history tell, is another error. With an error about the logs, Ask
// also returns an Answer with the warnings so far and, for ErrNoAnswer, the
// reasons.
func Ask(ctx context.Context, q Query) (*Answer, error) {
	if q.State == nil {
		return nil, &workload.OptionError{Option: "state", Saw: "is missing", Want: "a state that ReadState has read"}
	}
	if err := q.Validate(); err != nil {
		return nil, err
	}
	a := &asked{q: q, out: &Answer{Schema: Schema, LeftOut: []LeftOut{}}}
	err := a.ask(ctx)
	return a.out, err
}

// asked is a query with what was found out for it.
type asked struct {
	q   Query
	out *Answer

	names      naming
	past       *past
	machine    *predict.Snapshot
	policy     sched.Policy
	requests   []workload.Request // one a size
	options    standing.Options   // of those predictors that look at the machine
	predictors []predict.Predictor
	// samples are jobs of the history that show what predictors are worth: first of all
	// jobs, then of those that are similar to the request of a size.
	samples []*evaluate.Sample
	similar []similar // one a size
}

func (a *asked) ask(ctx context.Context) error {
	var err error
	if a.policy, err = a.q.policy(); err != nil {
		return err
	}
	if err := a.readMachine(); err != nil {
		return err
	}
	if err := a.request(); err != nil {
		return err
	}
	if err := a.newPredictors(); err != nil {
		return err
	}
	if err := a.drawSamples(); err != nil {
		return err
	}
	replay := predict.Replay{Predictors: a.predictors, Processors: a.machine.Processors, Known: true}
	if err := evaluate.AskStanding(ctx, a.past.all, replay, a.samples...); err != nil {
		return err
	}
	a.repeat()
	a.options.Run = a.q.Run
	for _, p := range a.predictors {
		if err := cmp.Or(ctx.Err(), a.predict(p)); err != nil {
			return err
		}
	}
	if len(a.out.Predictions) == 0 {
		return fmt.Errorf("%s: %w: %s", a.q.State.name, ErrNoAnswer, a.whyNone())
	}
	a.judge()
	// Sizes first: whoever asks, asks about those.
	slices.SortStableFunc(a.out.Predictions, func(x, y Prediction) int {
		return cmp.Or(cmp.Compare(slices.Index(a.q.Sizes, x.Processors), slices.Index(a.q.Sizes, y.Processors)), first(y.Recommended)-first(x.Recommended))
	})
	a.turnarounds()
	return nil
}

// whyNone says why no predictor has an answer, each reason once.
func (a *asked) whyNone() string {
	if s := a.q.State; s.now < s.first {
		return fmt.Sprintf("the log begins at %s, after the moment asked about, %s", s.date(s.first), s.date(s.now))
	}
	var whys []string
	of := map[string][]string{}
	for _, m := range a.out.LeftOut {
		if of[m.Why] == nil {
			whys = append(whys, m.Why)
		}
		of[m.Why] = append(of[m.Why], m.Predictor)
	}
	for i, why := range whys {
		whys[i] = strings.Join(of[why], ", ") + ": " + why
	}
	return strings.Join(whys, "; ")
}

// readMachine aligns the history with the state, and finds who runs and who waits.
func (a *asked) readMachine() error {
	s, h := a.q.State, a.q.History
	if h == nil {
		h = &History{}
	}
	a.names = newNaming(s)
	a.past = h.past(s, a.names)
	a.out.Warnings = slices.Concat(s.warnings, a.past.warnings)
	// A history may say how large the machine is.
	processors := cmp.Or(s.processors, a.past.processors)
	if processors == 0 {
		return fmt.Errorf("%s: %w", s.name, ErrNoProcessors)
	}
	machine, warnings, err := s.snapshot(processors)
	if err != nil {
		return err
	}
	a.machine, a.out.Warnings = machine, append(a.out.Warnings, warnings...)
	return nil
}

// request makes a request of each size.
func (a *asked) request() error {
	queue, err := a.names.find("queue", "Queue", a.q.Queue)
	if err != nil {
		return err
	}
	user, err := a.names.find("user", "User", a.q.User)
	if err != nil {
		return err
	}
	partition, err := a.names.find("partition", "Partition", a.q.Partition)
	if err != nil {
		return err
	}
	a.warnUnseen("queue", append(slices.Clip(a.queues()), queue), func(r *workload.Request) int64 { return r.Queue })
	a.warnUnseen("user", []int64{user}, func(r *workload.Request) int64 { return r.User })
	a.warnUnseen("partition", []int64{partition}, func(r *workload.Request) int64 { return r.Partition })
	for _, size := range a.q.Sizes {
		if size > a.machine.Processors {
			return fmt.Errorf("size %d: the machine has %d processors", size, a.machine.Processors)
		}
		r := workload.UnknownJob().Request
		r.Submit, r.Processors, r.Size, r.Queue, r.User, r.Partition = a.machine.Time, size, size, queue, user, partition
		switch {
		case a.q.Time > 0:
			r.Time = a.q.Time
		case a.q.Run != nil:
			r.Time = a.q.Run(size)
		}
		a.requests = append(a.requests, r)
	}
	a.warnLacking()
	return nil
}

// warnLacking warns of columns by which past waits are grouped and of which the request has
// no value: no group is its own.
func (a *asked) warnLacking() {
	by, _ := workload.ParseClasses(a.q.Groups, pastColumns) // a valid query's
	var lacking []string
	for _, c := range by {
		switch c.Column {
		case "size", "requested_processors":
			continue
		case "requested_time_s":
			if a.requests[0].Time > 0 {
				continue
			}
		case "queue_id":
			if a.requests[0].Queue != workload.Unknown {
				continue
			}
		case "partition_id":
			if a.requests[0].Partition != workload.Unknown || !a.past.sites() {
				continue
			}
		case "user_id":
			if a.requests[0].User != workload.Unknown {
				continue
			}
		}
		lacking = append(lacking, c.Column)
	}
	if len(lacking) > 0 {
		a.warn("request-lacks-groups", "the request has no %s, which its groups use: past jobs without it are used instead, or all jobs if there are too few", strings.Join(lacking, ", "))
	}
}

// warn adds a warning about the query.
func (a *asked) warn(rule, format string, args ...any) {
	a.out.Warnings = append(a.out.Warnings, workload.Warning{Rule: rule, Text: fmt.Sprintf(format, args...), Count: 1})
}

// warnUnseen warns of numbers that no job has: nothing is known of them.
func (a *asked) warnUnseen(what string, numbers []int64, of func(*workload.Request) int64) {
	for _, number := range numbers {
		has := func(j workload.Job) bool { return of(&j.Request) == number }
		if number != workload.Unknown && !slices.ContainsFunc(a.q.State.jobs, has) && !slices.ContainsFunc(a.past.jobs, has) {
			a.warn("unseen-"+what, "no job of the state or its history has %s %d", what, number)
		}
	}
}

// repeat fills what the answer repeats of the question.
func (a *asked) repeat() {
	s, m, q := a.q.State, a.machine, &a.q
	a.out.State = StateSummary{Name: s.name, Now: stats.Number(s.now), Processors: m.Processors, Free: m.Free(),
		Running: len(m.Running), Queued: len(m.Queued)}
	if s.clock.Dates(s.now) {
		at := s.clock.At(s.now)
		a.out.State.At, a.out.State.Time = at, at.Format(time.RFC3339)
	}
	a.out.History = HistorySummary{Logs: []string{}, Ended: a.past.ended, Waits: a.past.waits}
	if q.History != nil {
		for _, l := range q.History.logs {
			a.out.History.Logs = append(a.out.History.Logs, l.name)
		}
	}
	a.out.Request = Request{Processors: q.Sizes, Time: stats.Number(math.NaN()), Queue: q.Queue, User: q.User, Partition: q.Partition}
	if q.Time > 0 {
		a.out.Request.Time = stats.Number(q.Time)
	}
	if q.Run != nil {
		for _, n := range q.Sizes {
			a.out.Request.Runs = append(a.out.Request.Runs, q.Run(n))
		}
	}
	a.out.Lifetimes = standing.Law(a.predictors)
	a.out.Policy, a.out.Confidence, a.out.Quantiles = q.Policy, q.Confidence, q.Quantiles
}
