package live

import (
	"sync"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// event is something that happens to an open job.
type event struct {
	workload.Event
	of *openJob
}

// predictors are two equal sets of predictors. One answers while the other one learns.
type predictors struct {
	sides [2]side
	front atomic.Int32 // which answers
	// behind gives the outcome of the side that learns last; nil when both are even.
	behind chan error
}

type side struct {
	mu         sync.Mutex
	predictors []predict.Predictor
}

// learnedAtOnce is how many events a side learns before it lets an answer through.
const learnedAtOnce = 32

func newPredictors(fresh func() ([]predict.Predictor, error)) (*predictors, error) {
	p := &predictors{}
	for i := range p.sides {
		var err error
		if p.sides[i].predictors, err = fresh(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// ask returns the bounds of a request that is not counted as a job.
func (p *predictors) ask(r workload.Request) ([]predict.Bound, error) {
	for {
		front := p.front.Load()
		s := &p.sides[front]
		if !s.mu.TryLock() {
			if p.front.Load() != front {
				continue // it has begun to learn
			}
			s.mu.Lock() // another answer
		}
		bounds, err := s.ask(&r)
		s.mu.Unlock()
		return bounds, err
	}
}

// learn feeds events to both sides, in order. given is told the bounds of each
// submission, by its place in events, before the next event. The second side learns while
// the caller goes on; events are not to be altered.
func (p *predictors) learn(events []event, given func(i int, bounds []predict.Bound)) error {
	if err := p.settled(); err != nil {
		return err
	}
	back := 1 - p.front.Load()
	if err := p.sides[back].learn(events, given); err != nil {
		return err
	}
	p.front.Store(back)
	p.behind = make(chan error, 1)
	go func() { p.behind <- p.sides[1-back].learn(events, func(int, []predict.Bound) {}) }()
	return nil
}

// settled waits until the second side has learned what the first one has.
func (p *predictors) settled() error {
	if p.behind == nil {
		return nil
	}
	err := <-p.behind
	p.behind = nil
	return err
}

func (s *side) learn(events []event, given func(i int, bounds []predict.Bound)) error {
	for first := 0; first < len(events); first += learnedAtOnce {
		if err := s.learnSome(events[first:min(first+learnedAtOnce, len(events))], first, given); err != nil {
			return err
		}
	}
	return nil
}

func (s *side) learnSome(events []event, first int, given func(i int, bounds []predict.Bound)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range events {
		e := &events[i]
		if e.Kind == workload.Submit {
			bounds, err := s.ask(e.of.request)
			if err != nil {
				return err
			}
			given(first+i, bounds)
		}
		for _, p := range s.predictors {
			if err := p.Learn(e.Event); err != nil {
				return err
			}
		}
	}
	return nil
}

// ask returns the bounds of all predictors, by slot.
func (s *side) ask(r *workload.Request) (all []predict.Bound, err error) {
	for _, p := range s.predictors {
		f, err := p.Ask(nil, r)
		if err != nil {
			return nil, err
		}
		all = append(all, f.Bounds...)
	}
	return all, nil
}
