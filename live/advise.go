package live

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Advice returns what sizes and time limits a program can request, and which of them has the
// least expected turnaround. Its errors are as of Wait.
func (s *Service) Advice(ctx context.Context, q AdviceQuestion) (*Advice, error) {
	v := s.view.Load()
	switch {
	case v == nil:
		return nil, ErrNotReady
	case v.plan == nil:
		return nil, fmt.Errorf("%w: no schedule has been simulated", ErrNotReady)
	}
	question := plan.Question{Sizes: slices.Sorted(maps.Keys(q.RunTimes)), Limits: q.Limits}
	q.Size, q.Question.Time = 1, 0
	var err error
	if question.Request, err = s.request(v, &q.Question); err != nil {
		return nil, err
	}
	run, err := predict.RunByTable(q.RunTimes)
	if err != nil {
		return nil, err
	}
	question.RunTimes = plan.Exactly(run)
	candidates, best, err := v.plan.Advice(question)
	if err != nil {
		return nil, err
	}
	a := &Advice{Schema: AdviceSchema, State: s.momentNow(v), All: []Candidate{}}
	for _, c := range candidates {
		a.All = append(a.All, Candidate{c.Size, finite(c.Limit), finite(c.Wait), finite(c.Run), finite(c.Turnaround), stats.Number(c.Killed)})
	}
	if best >= 0 {
		a.Best = &a.All[best]
	}
	return a, nil
}
