package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loadstone-hpc/loadstone/live/watch"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

var (
	// ErrNotReady is returned by the methods of a Service before the first state is known.
	ErrNotReady = errors.New("the state of the machine is not known yet")
	// ErrUnknownJob is returned by Service.Job if the job is neither waiting nor running.
	ErrUnknownJob = errors.New("no such job is queued or running; it may have ended")
	// ErrBroken is wrapped by errors of a Feed that cannot continue.
	ErrBroken = errors.New("cannot go on")
)

// StatusSchema is the name and version of the JSON form of a Status.
const StatusSchema = "loadstone.status/1"

// The phases of a Service.
const (
	Learning = "learning" // before the first batch
	Watching = "watching"
	Ended    = "ended" // Run has returned without an error
)

// Status reports whether a Service can answer questions, and the age of its state.
type Status struct {
	Schema   string             `json:"schema"`
	Ready    bool               `json:"ready" metric:"ready" help:"It has learned, and its state is not stale."`
	Phase    string             `json:"phase" help:"Learning, watching or ended."`
	Learned  int64              `json:"events_learned" help:"Submissions, starts and ends of jobs that it has learned from."`
	State    State              `json:"state"`
	Source   string             `json:"source" help:"What it watches."`
	Polls    int64              `json:"polls" metric:"polls_total"`
	Failed   int64              `json:"polls_failed" metric:"polls_failed_total"`
	InARow   int64              `json:"polls_failed_in_a_row"`
	Fault    string             `json:"last_fault,omitempty" help:"The error of the last poll, if it failed."`
	Took     stats.Number       `json:"last_poll_s" metric:"poll_duration_seconds" help:"How long the last poll took."`
	Digest   stats.Number       `json:"last_digest_s" metric:"poll_digest_seconds" help:"How long it took to learn from the last poll."`
	Store    int64              `json:"store_bytes" metric:"store_bytes" help:"Size of the store in bytes; 0 without one."`
	Warnings []workload.Warning `json:"warnings,omitempty"`
}

// Service answers questions about a machine that is watched by a Feed. Run keeps it
// up to date; the other methods may be called from any goroutine, even while
// Run learns.
type Service struct {
	o       Options
	feed    Feed
	origin  time.Time
	engine  *engine
	planner planner
	view    atomic.Pointer[view] // nil until the first batch
	learned atomic.Int64         // number of events
	scored  time.Time            // when the scores of the view were computed
	synced  time.Time            // when the journal was last synced

	mu     sync.Mutex
	status Status
	rhythm float64 // s of the feed's clock between successful polls, see keepRhythm
}

// New returns a Service that has learned nothing yet. origin is second 0 of the feed's clock.
func New(feed Feed, origin time.Time, o Options) (*Service, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	e, err := newEngine(&o)
	if err != nil {
		return nil, err
	}
	s := &Service{o: o, feed: feed, origin: origin, engine: e, planner: newPlanner(&o)}
	s.status = Status{Schema: StatusSchema, Phase: Learning, Source: feed.Name()}
	return s, nil
}

// Run learns from the journal, and then from the feed, until the context is done
// or the feed ends. It returns nil in both cases. It returns an error if the
// journal cannot be read or written, the feed is broken, or a predictor fails.
func (s *Service) Run(ctx context.Context) error {
	err := s.run(ctx)
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = s.end()
		s.observe()
	}
	return err
}

func (s *Service) run(ctx context.Context) error {
	if s.o.Journal != nil {
		if err := s.restore(ctx); err != nil {
			return err
		}
	}
	for {
		b, err := s.feed.Next(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == io.EOF:
			return nil
		case errors.Is(err, ErrBroken):
			return err
		case err != nil:
			s.failed(err)
		default:
			if err := s.take(ctx, b); err != nil {
				return err
			}
		}
		s.observe()
	}
}

func (s *Service) observe() {
	if s.o.Observe != nil {
		s.o.Observe(s.Status())
	}
}

// end sets the phase to Ended, computes the scores again and syncs the journal.
func (s *Service) end() error {
	if v := s.view.Load(); v != nil {
		last := *v
		last.scores = s.scoresNow(v.at)
		s.view.Store(&last)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Phase = Ended
	if s.o.Journal != nil {
		return s.o.Journal.Sync()
	}
	return nil
}

// failed records in the status that a poll has failed.
func (s *Service) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Polls++
	s.status.Failed++
	s.status.InARow++
	s.status.Fault = err.Error()
}

// take learns a batch, and publishes the new view: first with the last plan, then with a
// new one.
func (s *Service) take(ctx context.Context, b *Batch) error {
	began := time.Now()
	if err := s.learn(b); err != nil {
		return err
	}
	v := s.newView(b)
	digest := time.Since(began)
	s.keepRhythm(v.at, b.Took)
	s.view.Store(v)
	plan, err := s.planner.plan(v)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // keep the last plan
		b.Warnings = append(b.Warnings, workload.Warning{Rule: "no-plan", Text: "no schedule could be simulated: " + err.Error(), Count: 1})
	case plan != nil:
		planned := *v
		planned.plan = plan
		v = &planned
	}
	if err := s.expect(v); err != nil {
		return err
	}
	s.view.Store(v)
	if err := s.sync(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Phase = Watching
	s.status.Polls++
	s.status.InARow, s.status.Fault = 0, ""
	s.status.Took, s.status.Digest = stats.Number(b.Took.Seconds()), stats.Number(digest.Seconds())
	s.status.Warnings = b.Warnings
	return nil
}

// keepRhythm updates the time between successful polls, given the time of a poll and its
// duration. A slow poll increases it at once, because the next poll will be later.
func (s *Service) keepRhythm(at float64, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rhythm = max(spacing*took.Seconds(), rhythmKept*s.rhythm)
	if last := s.view.Load(); last != nil && s.status.InARow == 0 {
		s.rhythm = max(s.rhythm, at-last.at)
	}
}

// rhythmKept is the factor by which the rhythm decreases at a quick poll. It decreases
// slowly because most polls of a machine may be quick and some slow.
const rhythmKept = 0.9

// syncedEvery is the least time between syncs, which protect the journal from a power failure.
// Appended entries survive the end of the process even without a sync.
const syncedEvery = time.Second

func (s *Service) sync() error {
	if s.o.Journal == nil || time.Since(s.synced) < syncedEvery {
		return nil
	}
	s.synced = time.Now()
	return s.o.Journal.Sync()
}

// batchEvents is the largest number of events that are learned and then stored together.
const batchEvents = 4096

// learn passes a batch to the engine, and stores it with the answers.
func (s *Service) learn(b *Batch) error {
	if err := s.storeNames(); err != nil {
		return err
	}
	training := b.Training
	for events := range slices.Chunk(b.Events, batchEvents) {
		taken := make([]change, 0, len(events))
		for _, e := range events {
			c := change{Event: e, givenAt: b.At}
			if b.Jobs == nil { // a replayed log shows each job at its submission
				c.givenAt = e.Time
			}
			if e.Kind == workload.Submit {
				c.scored = training <= 0 && !e.Again
				training--
			}
			if ok, err := s.follow(&c); err != nil {
				return err
			} else if ok {
				taken = append(taken, c)
			}
		}
		if err := s.storeChanges(taken); err != nil {
			return err
		}
	}
	return nil
}

// follow passes a change to the engine and the planner. It returns false if the engine ignores
// the change.
func (s *Service) follow(c *change) (bool, error) {
	ok, err := s.engine.learn(c)
	if ok && err == nil {
		err = s.planner.learn(c)
		s.learned.Add(1)
	}
	return ok, err
}

// Status returns the present status.
func (s *Service) Status() Status {
	v := s.view.Load()
	s.mu.Lock()
	status := s.status
	s.mu.Unlock()
	status.Learned = s.learned.Load()
	if v != nil {
		status.State = s.stateNow(v)
	}
	status.Ready = v != nil && !status.State.Stale
	if s.o.Journal != nil {
		status.Store = s.o.Journal.Size()
	}
	return status
}

// Wait predicts the wait of a request that is submitted now. The error is a
// *workload.OptionError if the machine or the partition cannot run such a job or the
// partition or queue is unknown, and ErrNotReady before the first state.
func (s *Service) Wait(ctx context.Context, q Request) (*Answer, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	r, err := q.job(s.feed.Names(), v.at, v.rows)
	if err != nil {
		return nil, err
	}
	if err := fits(&v.capacity, &r); err != nil {
		return nil, err
	}
	a := answer(q, s.stateNow(v))
	a.Warnings = q.unseen(&r)
	if a.Withheld = v.withheld(&a.State, &r, false); a.Withheld != nil {
		return a, nil
	}
	forecasts, err := s.engine.ask(&r)
	if err != nil {
		return nil, err
	}
	for i, name := range s.o.Predictors {
		f := forecasts[i]
		f.Missing = whyNoBound(name, &r, f.Bounds, s.o.Confidence)
		a.add(name, f, v.scores.covered(name), a.State.Time)
	}
	a.add(PlanName, v.planned(&r), v.scores.covered(PlanName), a.State.Time)
	a.recommend(s.tested(v.scores.Bounds))
	return a, nil
}

// whyNoBound returns the reason why a predictor from past waits has no bound at any quantile, or
// "" if it has one.
func whyNoBound(name string, r *workload.Request, bounds []predict.Bound, confidence float64) string {
	switch {
	case slices.ContainsFunc(bounds, func(b predict.Bound) bool { return !math.IsNaN(b.Seconds) }):
		return ""
	case name == "qbets" && !(r.Time > 0):
		return "it groups past waits by requested time, and " + standing.NoTime
	}
	lowest := slices.MinFunc(bounds, func(a, b predict.Bound) int { return cmp.Compare(a.Quantile, b.Quantile) })
	return fmt.Sprintf("%d past waits of such jobs (%s) are too few for a bound, which needs at least %d",
		lowest.Observations, lowest.Group, stats.MinimumHistory(lowest.Quantile, confidence))
}

// fits returns a *workload.OptionError if the machine or the partition can never run a request.
// It sets the partition of a request without one to the default partition.
func fits(c *watch.Capacity, r *workload.Request) error {
	most := cmp.Or(c.Total, c.Processors)
	if most > 0 && r.Size > most {
		return workload.OptionFault("size", r.Size, "at most %d, the processors of the machine", most)
	}
	for _, p := range c.Partitions {
		if r.Partition == workload.Unknown && p.Default {
			r.Partition = p.Number
		}
		if p.Number != r.Partition {
			continue
		}
		most := p.Total
		if p.MaxProcessors > 0 && (most == 0 || p.MaxProcessors < most) {
			most = p.MaxProcessors
		}
		if most > 0 && r.Size > most {
			return workload.OptionFault("size", r.Size, "at most %d in the partition %s", most, p.Name)
		}
		if p.MaxTime > 0 && r.Time > p.MaxTime {
			return workload.OptionFault("time", r.Time, "at most %g s in the partition %s", p.MaxTime, p.Name)
		}
	}
	return nil
}
