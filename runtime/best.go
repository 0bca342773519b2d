package runtime

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// best predicts with the one of several rules that has predicted best for the
// class so far: each time a job ends, every rule is scored on what it would
// have said just before, and the highest mean accuracy wins, the first of
// equals. It is the way of the Network Weather Service: Wolski (1998),
// "Dynamically forecasting network performance using the Network Weather
// Service"; Sonmez and others (2009), section 6, describe it.
//
// The slab holds each rule's sum of accuracies, then each rule's numbers.
type best struct {
	rules []rule // none is early
	from  []int  // where each rule's numbers begin, and where the last one's end
}

var _ rule = best{}

func newBest(rules ...rule) best {
	b := best{rules: rules, from: []int{len(rules)}}
	for i, r := range rules {
		b.from = append(b.from, b.from[i]+r.width())
	}
	return b
}

func (b best) width() int { return b.from[len(b.rules)] }

func (b best) of(state []float64, i int) []float64 { return state[b.from[i]:b.from[i+1]] }

func (b best) observe(state []float64, n int, j *workload.Job) {
	for i, r := range b.rules {
		own := b.of(state, i)
		if n > 0 {
			state[i] += stats.Accuracy(r.predict(own, n, &j.Request).Seconds, j.Run)
		}
		r.observe(own, n, j)
	}
}

func (b best) predict(state []float64, n int, r *workload.Request) workload.Prediction {
	winner := 0
	for i := range b.rules {
		if state[i] > state[winner] {
			winner = i
		}
	}
	return b.rules[winner].predict(b.of(state, winner), n, r)
}
