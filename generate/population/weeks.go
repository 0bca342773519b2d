package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/placement"
)

const (
	tries          = 40
	passes         = 3
	dayWeight      = 1  // of squares by day beside those by period
	draws          = 12 // of the times of a user, at most
	drawsPerPeriod = 8  // of work that a user has
)

// schedule gives the users of a lap their times. Each user is moved by whole
// periods in the lap's ring, so that the work by period comes near a target drawn
// from the model's law; those with much work have several drawn times among which
// to choose.
func (w *Workload) schedule(l *lap, rng *rand.Rand) {
	total := make([]float64, len(l.people))
	all := 0.0
	for u := range l.people {
		x := &l.people[u]
		x.cost()
		total[u] = x.work
		all += x.work
	}
	r := &ring{cycle: &w.cycle, lots: make([][][]lot, len(l.people)), gap: w.target(rng, all)}
	r.days = r.byDay()
	c := w.sessionCycle(l)
	draw := func(u, draw int) { w.times(&c, &l.people[u], w.stream(l, scheduling, u*draws+draw)) }
	par.Each(w.o.Workers, len(l.people), func(u int) {
		for k := range min(draws, 1+int(drawsPerPeriod*total[u]*float64(w.periods)/all)) {
			draw(u, k)
			r.lots[u] = append(r.lots[u], w.lots(&l.people[u]))
		}
	})
	pick := func(u int) choice { return choice{rng.IntN(len(r.lots[u])), rng.IntN(w.periods)} }
	at := make([]choice, len(l.people))
	for u := range at {
		at[u] = pick(u)
	}
	placement.Search[choice]{
		Weights: total,
		Passes:  passes,
		Tries:   func(u int) int { return tries * len(r.lots[u]) },
		Draw:    pick,
		Cost:    r.cost,
		Put:     r.put,
	}.Improve(at, rng)
	par.Each(w.o.Workers, len(l.people), func(u int) {
		if at[u].draw != len(r.lots[u])-1 {
			draw(u, at[u].draw)
		}
		for i := range l.people[u].jobs {
			j := &l.people[u].jobs[i]
			j.at = math.Mod(j.at+float64(at[u].move)*w.period, w.length())
		}
	})
}

// target is the work of each period.
func (w *Workload) target(rng *rand.Rand, all float64) []float64 {
	out := make([]float64, w.periods)
	cv, r := w.m.Load.CV, w.m.Load.Lag1
	sigma := math.Sqrt(math.Log1p(cv * cv))
	x := rng.NormFloat64()
	for i := range out {
		out[i] = math.Exp(sigma * x)
		x = r*x + math.Sqrt(1-r*r)*rng.NormFloat64()
	}
	scale := all / sum(out)
	for i := range out {
		out[i] *= scale
	}
	return out
}

// lot is the work of a user in a day of the ring.
type lot struct {
	day  int
	work float64
}

// lots are the work of a user by day.
func (c *cycle) lots(x *person) (out []lot) {
	for i := range x.jobs {
		j := &x.jobs[i]
		at := int(j.at/day) % (c.periods * c.days())
		if k := len(out); k > 0 && out[k-1].day == at {
			out[k-1].work += j.work()
			continue
		}
		out = append(out, lot{at, j.work()})
	}
	return out
}

// choice is one of a user's drawn times, and by how many periods it is moved.
type choice struct{ draw, move int }

// ring is the work that is missing in a lap, by period and by day.
type ring struct {
	*cycle
	lots [][][]lot // by user and draw; those of a draw are of different days
	gap  []float64 // processor seconds by period
	days []float64 // and by day
}

// byDay spreads what is missing by period over the days.
func (r *ring) byDay() (days []float64) {
	for _, gap := range r.gap {
		for d := range r.cycle.days() {
			days = append(days, gap*(r.hours[24*d+24]-r.hours[24*d])/r.total())
		}
	}
	return days
}

// day returns where a lot of a choice falls, and the period of it.
func (r *ring) day(x lot, c choice) (day, period int) {
	day = x.day + c.move*r.cycle.days()
	if day >= len(r.days) {
		day -= len(r.days)
	}
	return day, day / r.cycle.days()
}

// cost returns by how much the squares of what is missing grow with a user's work there.
func (r *ring) cost(u int, c choice) (grows float64) {
	before, sum := -1, 0.0
	for _, x := range r.lots[u][c.draw] {
		d, k := r.day(x, c)
		grows += dayWeight * x.work * (x.work - 2*r.days[d])
		if k != before {
			if before >= 0 {
				grows += sum * (sum - 2*r.gap[before])
			}
			before, sum = k, 0
		}
		sum += x.work
	}
	if before >= 0 {
		grows += sum * (sum - 2*r.gap[before])
	}
	return grows
}

// put adds a user's work there, or takes it away for a sign of -1. cost says by how much the
// squares grow.
func (r *ring) put(u int, c choice, sign float64) float64 {
	for _, x := range r.lots[u][c.draw] {
		d, k := r.day(x, c)
		r.gap[k] -= sign * x.work
		r.days[d] -= sign * x.work
	}
	return 0
}
