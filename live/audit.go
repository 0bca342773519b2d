package live

import (
	"math"

	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// slot is one predictor at one quantile.
type slot struct {
	predictor string
	quantile  float64
}

// audit is the scores of the answers about real jobs, by slot.
type audit struct {
	slots []slot
	all   []slotTally
	hours hours[[]HourBound]
}

// slotTally is the scores of a slot over all time.
type slotTally struct {
	answers, censored, late int
	held, missed            int // settled; a missed one may still wait
	loss                    score.BoundLossTally
}

func newAudit(slots []slot) *audit {
	a := &audit{slots: slots, all: make([]slotTally, len(slots))}
	for i, s := range slots {
		a.all[i].loss.Quantile = s.quantile
	}
	return a
}

// gave counts the answers of a job that is scored.
func (a *audit) gave(given []float64) {
	for i, bound := range given {
		if !math.IsNaN(bound) {
			a.all[i].answers++
		}
	}
}

// started settles the answers of a job that has started at a time; late says that they
// were given no earlier.
func (a *audit) started(now float64, given []float64, wait float64, late bool) {
	for i, bound := range given {
		t := &a.all[i]
		t.loss.Add(bound, wait)
		if math.IsNaN(bound) {
			continue
		}
		a.settle(now, i, wait <= bound)
		if late {
			t.late++
		}
	}
}

// withdrawn settles the answers of a job that left after having waited so long.
func (a *audit) withdrawn(now float64, given []float64, waited float64) {
	for i := range given {
		switch bound := given[i]; {
		case math.IsNaN(bound):
		case waited > bound:
			a.settle(now, i, false)
		default:
			a.all[i].censored++
		}
	}
}

func (a *audit) settle(now float64, i int, held bool) {
	if held {
		a.all[i].held++
	} else {
		a.all[i].missed++
	}
	hour := &(*a.hours.at(now, func() *[]HourBound { h := make([]HourBound, len(a.slots)); return &h }))[i]
	hour.Settled++
	if held {
		hour.Held++
	}
}

// score returns the scores at a moment. missing and open count, by slot, jobs that wait
// beyond their bounds and within them.
func (a *audit) score(now float64, missing, open []int) []BoundScore {
	var out []BoundScore
	for i, s := range a.slots {
		t := &a.all[i]
		all := HourBound{Settled: t.held + t.missed + missing[i], Held: t.held}
		out = append(out, BoundScore{
			Predictor: s.predictor, Quantile: s.quantile,
			Answers: t.answers, Settled: all.Settled, Censored: t.censored, Open: open[i], Late: t.late,
			Coverage: Coverage{
				Day:     a.within(now, 24, i, missing[i]).share(),
				Week:    a.within(now, hoursKept, i, missing[i]).share(),
				All:     all.share(),
				Settled: all.Settled,
			},
			BoundLoss: t.loss.Result(),
		})
	}
	return out
}

// within sums the last hours of a slot, the current one included, and missed answers of
// jobs that still wait.
func (a *audit) within(now float64, last int64, i, missed int) HourBound {
	sum := HourBound{Settled: missed}
	for _, h := range a.hours.last(now, last) {
		sum.Settled += (*h)[i].Settled
		sum.Held += (*h)[i].Held
	}
	return sum
}

// share is the share that held, NaN of none.
func (h HourBound) share() stats.Number {
	if h.Settled == 0 {
		return stats.Number(math.NaN())
	}
	return stats.Number(float64(h.Held) / float64(h.Settled))
}
