package runtime

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// best predicts with the rule, of several, that has predicted best for the
// class so far: each time a job ends, every rule is scored on the prediction it
// would have made just before, and the rule with the highest total accuracy is used,
// the first of equals. It is the method of the Network Weather Service: Wolski (1998),
// "Dynamically forecasting network performance using the Network Weather
// Service"; Sonmez and others (2009), section 6, describe it.
type best []candidate

// candidate is a rule that best may choose.
type candidate struct {
	Predictor
	accuracy float64 // sum over the jobs that it has predicted
}

func bestOf(rules ...rule) best {
	b := make(best, len(rules))
	for i, r := range rules {
		b[i].Predictor = r.New()
	}
	return b
}

func (b best) Observe(j *workload.Job) {
	for i := range b {
		c := &b[i]
		if p, _ := c.Predict(&j.Request); p.Observations > 0 {
			c.accuracy += stats.Accuracy(p.Seconds, j.Run)
		}
		c.Observe(j)
	}
}

func (b best) Predict(r *workload.Request) (workload.Prediction, bool) {
	winner := 0
	for i := range b {
		if b[i].accuracy > b[winner].accuracy {
			winner = i
		}
	}
	return b[winner].Predict(r)
}
