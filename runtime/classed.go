package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// classed applies one rule to every class.
type classed struct {
	*histories
	job *workload.Job
}

var _ Fallible = classed{}

func newClassed(r rule, c Classes) classed {
	h := newHistories(c)
	h.add(r)
	return classed{h, new(workload.Job)}
}

// Err implements Fallible: a custom rule can fail.
func (p classed) Err() error {
	if f, ok := p.rules[0].(*foreign); ok {
		return f.err
	}
	return nil
}

// New returns the predictor that RuleNamed finds, which learns for each class on its own; a
// Kernel makes its own classes.
func New(text string, c Classes, rules []Rule) (Predictor, error) {
	named, err := RuleNamed(text, rules)
	if err != nil {
		return nil, err
	}
	if !HasClasses(named) {
		return named.New()
	}
	r, err := startRule(named)
	if err != nil {
		return nil, err
	}
	return newClassed(r, c), c.Validate()
}

// Predict implements Predictor. A class that is only asked about takes no
// memory.
func (p classed) Predict(r workload.Request) (workload.Prediction, bool) {
	// The rules take a pointer; a copy of its own would be made anew each time.
	p.job.Request = r
	one := [1]workload.Prediction{nothing()}
	if class, met := p.numbers[p.classes.Key(&p.job.Request)]; met {
		p.predict(class, &p.job.Request, one[:], []int{0})
	} else if len(p.early) > 0 {
		one[0] = p.rules[0].predict(make([]float64, p.rules[0].width()), 0, &p.job.Request)
	}
	return one[0], !math.IsNaN(one[0].Seconds)
}

// Observe implements Predictor.
func (p classed) Observe(j workload.Job) {
	*p.job = j
	p.observe(p.class(p.classes.Key(&p.job.Request)), p.job)
}
