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
	dayWeight      = 1  // of the squares by day, relative to those by period
	draws          = 12 // largest number of draws of a user's times
	drawsPerPeriod = 8  // for each mean period's work of a user
)

// schedule sets the submission times of a lap's jobs. It moves each user by whole periods around
// the lap, so that the work by period comes near a target drawn from the model's distribution.
// For users with much work, times are drawn several times to choose from.
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

// target draws the work of each period, all in total.
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

// lot is the work of a user on one day of the lap.
type lot struct {
	day  int
	work float64
}

// lots returns the work of a user by day.
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

// choice is the index of one of a user's drawn times, and the number of periods by which they are
// moved.
type choice struct{ draw, move int }

// ring holds the work still missing in a lap, by period and by day. The lap's end joins its
// start.
type ring struct {
	*cycle
	lots [][][]lot // by user and draw; neighbours in a draw are on different days
	gap  []float64 // missing processor seconds by period
	days []float64 // missing processor seconds by day
}

// byDay distributes the missing work of each period over its days.
func (r *ring) byDay() (days []float64) {
	for _, gap := range r.gap {
		for d := range r.cycle.days() {
			days = append(days, gap*(r.hours[24*d+24]-r.hours[24*d])/r.total())
		}
	}
	return days
}

// day returns the day on which lot x falls under choice c, and its period.
func (r *ring) day(x lot, c choice) (day, period int) {
	day = x.day + c.move*r.cycle.days()
	if day >= len(r.days) {
		day -= len(r.days)
	}
	return day, day / r.cycle.days()
}

// cost returns the increase of the sum of squares of the missing work if a user's work is put at
// c.
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

// put adds a user's work at c, or removes it if sign is -1. It returns 0, because cost already
// returns the increase.
func (r *ring) put(u int, c choice, sign float64) float64 {
	for _, x := range r.lots[u][c.draw] {
		d, k := r.day(x, c)
		r.gap[k] -= sign * x.work
		r.days[d] -= sign * x.work
	}
	return 0
}
