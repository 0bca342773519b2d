package population

import (
	"math"
)

// lot is the work of a user in a day of the ring.
type lot struct {
	day  int
	work float64
}

// choice is one of a user's drawn times, and by how many periods it is moved.
type choice struct{ draw, move int }

// ring is the work that is missing in a lap, by period and by day.
type ring struct {
	lots      [][][]lot // by user and draw; those of a draw are of different days
	gap, days []float64 // processor seconds
	perPeriod int       // days
}

// newRing spreads what is missing by period, gap, over the days.
func (p *prepared) newRing(lots [][][]lot, gap []float64) *ring {
	r := &ring{lots: lots, gap: gap, perPeriod: int(math.Round(p.period / day))}
	r.days = make([]float64, len(gap)*r.perPeriod)
	for d := range r.days {
		of := d % r.perPeriod
		share := p.hours[24*of+23]
		if of > 0 {
			share -= p.hours[24*of-1]
		}
		r.days[d] = gap[d/r.perPeriod] * share / p.hours[len(p.hours)-1]
	}
	return r
}

// day returns where a lot of a choice falls.
func (r *ring) day(x lot, c choice) int {
	d := x.day + c.move*r.perPeriod
	if d >= len(r.days) {
		d -= len(r.days)
	}
	return d
}

// cost returns by how much the squares of what is missing grow with a user's work there.
func (r *ring) cost(u int, c choice) (grows float64) {
	before, sum := -1, 0.0
	for _, x := range r.lots[u][c.draw] {
		d := r.day(x, c)
		grows += byDay * x.work * (x.work - 2*r.days[d])
		if k := d / r.perPeriod; k != before {
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

// put adds a user's work there, or takes it away for a sign of -1, and returns by how much
// the squares grow.
func (r *ring) put(u int, c choice, sign float64) (grows float64) {
	for _, x := range r.lots[u][c.draw] {
		d := r.day(x, c)
		w, k := sign*x.work, d/r.perPeriod
		grows += w*(w-2*r.gap[k]) + byDay*w*(w-2*r.days[d])
		r.gap[k] -= w
		r.days[d] -= w
	}
	return grows
}
