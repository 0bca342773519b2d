package runtime

import "github.com/loadstone-hpc/loadstone/workload"

// classed applies one rule to every class.
type classed struct{ *histories }

var _ Predictor = classed{}

// New returns the predictor with that name (see PredictorNames) that learns
// for each class on its own. It is an error if the name is unknown or an
// option out of range.
func New(name string, c Classes, o Options) (Predictor, error) {
	r, err := newRule(name, o)
	if err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	h := newHistories(c)
	h.add(r)
	return classed{h}, nil
}

// Predict implements Predictor. A class that is only asked about takes no
// memory.
func (p classed) Predict(r workload.Request) (workload.Prediction, bool) {
	class := p.index.find(p.classes.Key(&r))
	if class < 0 {
		return workload.Prediction{}, false
	}
	var one [1]workload.Prediction
	ok := p.predict(class, one[:], []int{0})
	return one[0], ok
}

// Observe implements Predictor.
func (p classed) Observe(j workload.Job) {
	p.observe(p.class(p.classes.Key(&j.Request)), j.Run)
}
