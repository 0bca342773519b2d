package serve

import (
	"context"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// fake is a service with predefined answers, which a test can change. The machine has 1024
// processors.
type fake struct {
	mu         sync.Mutex
	now        time.Time
	pending    int // jobs
	settled    int // answers
	partitions []live.Partition
	name       string // of a user, a partition and a reason
	closed     string // a partition that starts no jobs
	age        stats.Number
	stale      bool
	withheld   *live.Withheld
	lost       watch.Unavailable
	warnings   []workload.Warning

	status func(*live.Status)
	wait   func(context.Context, live.Request) error // called while a wait is answered
	fault  error
	panics bool
	asked  []any // questions
}

func newFake() *fake {
	f := &fake{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), pending: 30, settled: 2000, age: 12}
	for i, name := range []string{"batch", "long", "gpu"} {
		f.partitions = append(f.partitions, live.Partition{
			Name: name, State: []watch.PartitionState{watch.Up, watch.Drain, watch.Down}[i], Processors: 1024 >> i, MaxSize: 512 >> i,
			MaxTime: stats.Number(int(86400) << i), Running: 57 >> i, Pending: 30 >> i,
		})
	}
	return f
}

var unknown = stats.Number(math.NaN())

// change modifies the fake while it may be in use.
func (f *fake) change(by func(*fake)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	by(f)
}

// ask records a question.
func (f *fake) ask(question any) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, question)
	if f.panics {
		panic("the fake was told to panic")
	}
	return f.fault
}

func (f *fake) moment() live.State {
	return live.State{Time: f.now, Age: f.age, Stale: f.stale, Processors: 1024 - f.lost.Drained, Free: 96, Running: 57, Pending: f.pending, Unavailable: f.lost}
}

func (f *fake) Status() live.Status {
	_ = f.ask(nil)
	f.mu.Lock()
	defer f.mu.Unlock()
	st := live.Status{Schema: live.StatusSchema, Phase: live.Watching, Ready: true, State: f.moment(), Source: "squeue, every 30 s", Polls: 100}
	if f.status != nil {
		f.status(&st)
	}
	return st
}

func at(t time.Time, seconds float64) *time.Time {
	t = t.Add(time.Duration(seconds * float64(time.Second)))
	return &t
}

// predictions returns predictions with bounds that grow with scale. The last ones, from simulated
// schedules, have other quantiles and no coverage.
func (f *fake) predictions(scale float64) (all []live.Prediction) {
	quantiles, seconds := []float64{.5, .8, .95}, []float64{60, 900, 9000}
	for i, name := range []string{"conformal", "bmbp", "qbets", live.PlanName} {
		coverage := live.Coverage{Share: unknown}
		if name == live.PlanName {
			quantiles, seconds = []float64{.5, .9}, []float64{100, 3000}
		}
		p := live.Prediction{Predictor: name, Recommended: i == 0 && f.settled > 0, Observations: 4321}
		for k, quantile := range quantiles {
			if f.settled > 0 && name != live.PlanName {
				coverage = live.Coverage{Share: stats.Number(quantile) - .003, Jobs: f.settled}
			}
			b := scale * seconds[k] * (1 + float64(i)/2)
			p.Bounds = append(p.Bounds, live.Bound{Quantile: quantile, Seconds: stats.Number(b), By: at(f.now, b), Achieved: .96, Coverage: coverage})
		}
		p.Expected = p.Bounds[0].Seconds
		all = append(all, p)
	}
	return all
}

// Wait returns a bound of 9000 s at 95 % for 64 processors. No partition has more than 512.
func (f *fake) Wait(ctx context.Context, q live.Request) (*live.Answer, error) {
	if err := f.ask(q); err != nil {
		return nil, err
	}
	if f.wait != nil {
		if err := f.wait(ctx, q); err != nil {
			return nil, err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case q.Size > 1024:
		return nil, workload.OptionFault("size", q.Size, "at most 1024 processors")
	case q.Partition == "nowhere":
		return nil, workload.OptionFault("partition", strconv.Quote(q.Partition), "one of batch, long, gpu")
	}
	a := &live.Answer{
		Schema: live.AnswerSchema, State: f.moment(), Request: q,
		Withheld: f.withheld, Expected: unknown, Predictions: []live.Prediction{}, LeftOut: []live.LeftOut{}, Warnings: f.warnings,
	}
	if f.closed != "" && q.Partition == f.closed {
		a.Withheld = &live.Withheld{Reason: "partition-down", Text: "the partition is down: it starts no jobs"}
	}
	if a.Withheld != nil {
		return a, nil
	}
	scale := float64(q.Size) / 64
	a.Predictions = f.predictions(scale)
	a.LeftOut = []live.LeftOut{{Predictor: "laws", Why: "it needs run times, and the history has none"}}
	if f.settled > 0 {
		a.Recommended, a.Expected, a.Start = "conformal", stats.Number(60*scale), at(f.now, 60*scale)
	}
	return a, nil
}

func (f *fake) job(id int64) live.Job {
	j := live.Job{
		ID: id, Label: strconv.FormatInt(id, 10), State: "pending", Size: 1 << (id % 8), Time: 3600 * stats.Number(1+id%24), Partition: "batch",
		Submitted: f.now.Add(-time.Duration(id) * time.Minute), Waited: stats.Number(60 * id), Place: int(id), Of: f.pending,
		Reason: "Priority", Expected: at(f.now, float64(600*id)), Own: at(f.now, float64(2000*id)),
	}
	if id%3 == 0 {
		j.Own = nil
	}
	if f.withheld != nil {
		j.Expected = nil
	}
	if f.name != "" && id == 1 {
		j.Label, j.Partition, j.Reason = f.name, f.name, f.name
	}
	return j
}

func (f *fake) Job(_ context.Context, label string) (*live.Answer, error) {
	if err := f.ask(label); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	id, err := strconv.ParseInt(label, 10, 64)
	if err != nil || id > int64(f.pending) {
		return nil, live.ErrUnknownJob
	}
	job := f.job(id)
	return &live.Answer{Schema: live.AnswerSchema, State: f.moment(), Job: &job, Given: at(f.now, -60), Expected: unknown, Predictions: f.predictions(1), LeftOut: []live.LeftOut{}, Withheld: f.withheld}, nil
}

func (f *fake) Jobs(_ context.Context, q live.JobsQuestion) (*live.Jobs, error) {
	if err := f.ask(q); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if q.Partition == "nowhere" {
		return nil, workload.OptionFault("partition", strconv.Quote(q.Partition), "one of batch, long, gpu")
	}
	out := &live.Jobs{Schema: live.JobsSchema, State: f.moment(), Jobs: []live.Job{}, Partitions: f.partitions}
	for id := 1; id <= min(f.pending, q.Limit, 200); id++ {
		out.Jobs = append(out.Jobs, f.job(int64(id)))
	}
	out.More = f.pending - len(out.Jobs)
	return out, nil
}

func (f *fake) Scores() (*live.Scores, error) {
	if err := f.ask(nil); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	out := &live.Scores{Schema: live.ScoresSchema, State: f.moment(), Since: at(f.now, -30*86400), Recommended: "conformal",
		Bounds: []live.BoundScore{}}
	n := f.settled
	if n == 0 {
		return out, nil
	}
	for _, p := range f.predictions(1)[:3] {
		for _, b := range p.Bounds {
			out.Bounds = append(out.Bounds, live.BoundScore{Predictor: p.Predictor, Quantile: b.Quantile, Answers: n + 40, Held: n - 7, Censored: 25, Open: 15,
				Coverage: b.Coverage, BoundLoss: score.BoundLoss{QuantileLoss: stats.Number(3.25 * b.Quantile), BoundMedian: b.Seconds / 60}})
		}
	}
	return out, nil
}

// logged returns a logger and the text that it writes.
func logged() (*slog.Logger, *safeText) {
	text := &safeText{}
	return slog.New(slog.NewJSONHandler(text, &slog.HandlerOptions{Level: slog.LevelDebug})), text
}

// safeText can be read while requests that were aborted still log.
type safeText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *safeText) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *safeText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}
