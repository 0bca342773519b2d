package population

import "math"

// gaps gives jobs the probabilities of the gaps before them: within bags by the rank
// of their scores in the lap, so that these gaps have their law, between bags by the
// normal law.
func (p *prepared) gaps(l *lap) {
	var below [cells + 1]float64
	total := 0.0
	each := func(f func(j *job)) {
		for u := range l.people {
			for i := range l.people[u].jobs {
				f(&l.people[u].jobs[i])
			}
		}
	}
	each(func(j *job) {
		switch j.how {
		case inBag:
			below[cell(j.gap)]++
			total++
		case apart:
			j.gap = phi(j.gap)
		}
	})
	sum := 0.0
	for c, n := range below {
		below[c] = sum
		sum += n
	}
	each(func(j *job) {
		if j.how == inBag {
			at := &below[cell(j.gap)]
			j.gap = (*at + .5) / total
			*at++
		}
	})
}

// atHour is the probability that a bag waits for the end of a job, given that of any
// hour: the odds are multiplied by how active users are then over how active they
// are at the job's submission, since who sleeps when a job ends does not wait for it.
func (p *prepared) atHour(chance, submitted, ended float64) float64 {
	odds := chance * p.activity(ended) / p.activity(submitted)
	return odds / (odds + 1 - chance)
}

// asleep is the activity of hours in which nobody begins a session, over the mean.
const asleep = 1e-3

// activity is the share of sessions that begin in the hour of a moment, over the
// mean hour's.
func (p *prepared) activity(at float64) float64 {
	return p.active[min(len(p.active)-1, int((at-math.Floor(at/p.period)*p.period)/hour))]
}

// activities are the activities by hour.
func activities(hours []float64) []float64 {
	out := make([]float64, len(hours))
	before := 0.0
	for h, sum := range hours {
		out[h] = asleep + (sum-before)*float64(len(hours))/hours[len(hours)-1]
		before = sum
	}
	return out
}
