package live

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/loadstone-hpc/loadstone/live/plan"
)

// Service answers questions about a machine that a Feed watches. Run keeps it
// up to date; the other methods may be called from any goroutine, even while
// Run learns.
type Service struct {
	o       Options
	feed    Feed
	origin  time.Time
	engine  *engine
	planner planner
	view    atomic.Pointer[view] // nil until the first batch
	learned atomic.Int64         // events
	scored  time.Time            // when the scores of the view were made
	synced  time.Time            // when the journal was

	mu       sync.Mutex
	status   Status
	digested float64 // s of the feed's clock from a poll to the question for the next
}

// batchEvents is how many events are learned, and then stored, at once.
const batchEvents = 4096

// New returns a Service that has learned nothing yet.
func New(feed Feed, origin time.Time, o Options) (*Service, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	e, err := newEngine(&o)
	if err != nil {
		return nil, err
	}
	var p planner
	if o.Plan != nil {
		with := *o.Plan
		with.Quantiles = o.Quantiles
		if p.Planner, err = plan.NewPlanner(with); err != nil {
			return nil, err
		}
	}
	s := &Service{o: o, feed: feed, origin: origin, engine: e, planner: p}
	s.status = Status{Schema: StatusSchema, Phase: Learning, Source: feed.Name()}
	return s, nil
}

// Run learns from the journal, and then from the feed, until the context ends
// or nothing follows. It returns nil in both cases. It is an error if the
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

// end says that nothing follows, and brings the scores up to date.
func (s *Service) end() error {
	if err := s.engine.predictors.settled(); err != nil {
		return err
	}
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

// failed notes that a poll has failed.
func (s *Service) failed(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Polls++
	s.status.Failed++
	s.status.InARow++
	s.status.Fault = err.Error()
}

// Status reports whether s can answer, and from how old a state.
func (s *Service) Status() Status {
	v := s.view.Load()
	s.mu.Lock()
	status := s.status
	s.mu.Unlock()
	status.Learned = s.learned.Load()
	if v != nil {
		status.State = s.momentNow(v)
	}
	status.Ready = v != nil && !status.State.Stale
	if due := s.feed.Due(); status.Phase != Ended && !due.IsZero() {
		due = due.In(s.origin.Location()).Round(time.Millisecond)
		status.Next = &due
	}
	if s.o.Journal != nil {
		status.Store = s.o.Journal.Size()
	}
	return status
}
