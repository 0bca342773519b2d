package runtime

import (
	"errors"
	"fmt"

	"github.com/loadstone-hpc/loadstone/workload"
)

// foreign applies a custom Rule. It has a Predictor for each class.
type foreign struct {
	rule  Rule
	shelf shelf[Predictor]
	fresh Predictor // that has observed nothing, for classes of which no job has ended
	err   error     // the first error, after which the rule predicts nothing
}

var (
	_ rule  = (*foreign)(nil)
	_ early = (*foreign)(nil)
)

func newForeign(r Rule) (rule, error) {
	fresh, err := r.New()
	if err == nil && fresh == nil {
		err = errors.New("the rule created no predictor")
	}
	if err != nil {
		return nil, fmt.Errorf("job runtime: %s: %w", r.Name(), err)
	}
	return &foreign{rule: r, fresh: fresh}, nil
}

func (*foreign) early() {}

func (*foreign) width() int { return 1 }

func (f *foreign) observe(state []float64, _ int, j *workload.Job) {
	p := f.shelf.open(state)
	if *p == nil {
		made, err := f.rule.New()
		if err != nil {
			f.fail(fmt.Errorf("job runtime: %s: %w", f.rule.Name(), err))
			return
		}
		*p = made
	}
	(*p).Observe(*j)
	f.ask(*p)
}

func (f *foreign) predict(state []float64, _ int, r *workload.Request) workload.Prediction {
	if f.err != nil {
		return nothing()
	}
	p := f.fresh
	if met := f.shelf.at(state); met != nil {
		p = *met
	}
	said, ok := p.Predict(*r)
	f.ask(p)
	if !ok || f.err != nil {
		return nothing()
	}
	f.fail(checkPrediction(f.rule.Name(), said, r))
	return said
}

// Err returns the first error of the rule.
func (f *foreign) Err() error { return f.err }

// ask records the error of a predictor that has failed.
func (f *foreign) ask(p Predictor) {
	if p, ok := p.(Fallible); ok && p.Err() != nil {
		f.fail(fmt.Errorf("job runtime: %s: %w", f.rule.Name(), p.Err()))
	}
}

// fail keeps the first error.
func (f *foreign) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// checkPrediction returns an error if the predicted seconds are negative or not finite.
func checkPrediction(name string, p workload.Prediction, r *workload.Request) error {
	if isTime(p.Seconds) {
		return nil
	}
	return fmt.Errorf("job runtime: %s predicts %g s for %s, want a finite number of 0 or more, or no prediction", name, p.Seconds, r.Label())
}
