package live

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/live/plan"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Advice returns what sizes and time limits a program can request, and which of them has the
// least expected turnaround. Its errors are those of Wait.
func (s *Service) Advice(ctx context.Context, q AdviceQuestion) (*Advice, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	sizes := slices.Sorted(maps.Keys(q.RunTimes))
	question := plan.Question{Limits: q.Limits}
	q.Size, q.Question.Time = 1, 0
	var err error
	if question.Request, err = s.request(v, &q.Question); err != nil {
		return nil, err
	}
	if question.RunTimes, err = q.runTimes(); err != nil {
		return nil, err
	}
	a := &Advice{Schema: AdviceSchema, State: s.momentNow(v), All: []Candidate{}}
	able := 0 // sizes that can start; whatever holds up one of them holds up the larger ones
	for ; able < len(sizes); able++ {
		question.Request.Size = sizes[able]
		if a.Withheld = v.withheld(&a.State, &question.Request, false); a.Withheld != nil {
			break
		}
	}
	if able == 0 && len(sizes) > 0 {
		return a, nil
	}
	a.Withheld, question.Sizes = nil, sizes[:able]
	if v.plan == nil {
		return nil, fmt.Errorf("%w: no schedule has been simulated", ErrNotReady)
	}
	candidates, best, err := v.plan.Advice(question)
	if err != nil {
		return nil, err
	}
	for _, c := range candidates {
		a.All = append(a.All, Candidate{c.Size, finite(c.Limit), finite(c.Wait), finite(c.Run), finite(c.Turnaround), stats.Number(c.Killed)})
	}
	for _, n := range sizes[able:] {
		a.All = append(a.All, Candidate{n, unknown, unknown, unknown, unknown, unknown})
	}
	if best >= 0 {
		a.Best = &a.All[best]
	}
	return a, nil
}

// runTimes are the run times of a question.
func (q *AdviceQuestion) runTimes() (plan.RunTimes, error) {
	run, err := predict.RunByTable(q.RunTimes)
	switch {
	case err != nil:
		return nil, &workload.OptionError{Option: "run-times", Saw: err.Error(), Want: "run times above 0 by size"}
	case q.Spread == 0 || q.Spread == 1:
		return plan.Exactly(run), nil
	case !(q.Spread > 1) || math.IsInf(q.Spread, 1):
		return nil, workload.OptionFault("spread", q.Spread, "a factor of 1 or more")
	}
	return func(size int64) (predict.RunTimeDistribution, bool) {
		x := run(size)
		d, err := plan.NewQuantiles([]float64{0.05, 0.5, 0.95}, []float64{x / q.Spread, x, x * q.Spread})
		return d, err == nil
	}, nil
}
