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
	byDay          = 1  // weight of squares by day beside those by period
	draws          = 12 // of the times of a user, at most
	drawsPerPeriod = 8  // of work that a user has
)

// schedule gives the users of a lap their times. Each user is moved by whole
// periods in the lap's ring, so that the work by period comes near a target drawn
// from the model's law; those with much work have several drawn times among which
// to choose.
func (p *prepared) schedule(l *lap, number int64, rng *rand.Rand) {
	n := p.periods
	source := func(u, draw int) *rand.Rand {
		return rand.New(rand.NewPCG(p.seed^uint64(u*draws+draw+1)*0xbf58476d1ce4e5b9, uint64(number)^1<<62))
	}
	lots := make([][][]lot, len(l.people))
	total := make([]float64, len(l.people))
	all := 0.0
	for u := range l.people {
		for i := range l.people[u].jobs {
			total[u] += l.people[u].jobs[i].run * float64(l.people[u].jobs[i].size)
		}
		all += total[u]
		l.people[u].work = total[u]
		p.costs(&l.people[u])
	}
	par.Each(p.workers, len(l.people), func(u int) {
		k := min(draws, 1+int(drawsPerPeriod*total[u]*float64(n)/all))
		for draw := range k {
			p.times(&l.people[u], source(u, draw))
			lots[u] = append(lots[u], p.lots(&l.people[u]))
		}
	})
	r := p.newRing(lots, p.target(rng, all))
	pick := func(u int) choice { return choice{rng.IntN(len(lots[u])), rng.IntN(n)} }
	at := make([]choice, len(l.people))
	for u := range at {
		at[u] = pick(u)
	}
	placement.Search[choice]{
		Weights: total,
		Passes:  passes,
		Tries:   func(u int) int { return tries * len(lots[u]) },
		Draw:    pick,
		Cost:    r.cost,
		Put:     r.put,
	}.Improve(at, rng)
	length := float64(n) * p.period
	par.Each(p.workers, len(l.people), func(u int) {
		if at[u].draw != len(lots[u])-1 {
			p.times(&l.people[u], source(u, at[u].draw))
		}
		by := float64(at[u].move) * p.period
		for i := range l.people[u].jobs {
			j := &l.people[u].jobs[i]
			j.at = math.Mod(j.at+by, length)
		}
	})
}

// lots are the work of a user by day.
func (p *prepared) lots(x *person) (out []lot) {
	for i := range x.jobs {
		j := &x.jobs[i]
		at, work := int(j.at/day)%int(math.Round(float64(p.periods)*p.period/day)), j.run*float64(j.size)
		if k := len(out); k > 0 && out[k-1].day == at {
			out[k-1].work += work
			continue
		}
		out = append(out, lot{at, work})
	}
	return out
}

// target is the work of each period.
func (p *prepared) target(rng *rand.Rand, all float64) []float64 {
	out := make([]float64, p.periods)
	cv := p.m.Load.CV
	sigma := math.Sqrt(math.Log1p(cv * cv))
	r := p.m.Load.Lag1
	x, sum := rng.NormFloat64(), 0.0
	for i := range out {
		out[i] = math.Exp(sigma * x)
		x = r*x + math.Sqrt(1-r*r)*rng.NormFloat64()
		sum += out[i]
	}
	for i := range out {
		out[i] *= all / sum
	}
	return out
}

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

// level brings a lap's jobs to the load from one moment to another, by one factor
// on the longest run times, those that make three quarters of the work.
func (p *prepared) level(l *lap, from, to float64) {
	want := p.load * float64(p.m.Processors) * (to - from)
	if !(want > 0) {
		return
	}
	var by [2048]float64 // work by ln run time
	at := func(run float64) int { return min(len(by)-1, int(50*math.Log1p(run))) }
	all := 0.0
	for _, e := range l.order {
		j := &l.people[e.user].jobs[e.job]
		w := j.run * float64(j.size)
		all += w
		if !j.reached {
			by[at(j.run)] += w
		}
	}
	long, least := 0.0, len(by)
	for least > 1 && (long < .75*all || long+want <= all) {
		least--
		long += by[least]
	}
	if !(long > 0) {
		return
	}
	var of []int32
	for k, e := range l.order {
		if j := &l.people[e.user].jobs[e.job]; !j.reached && at(j.run) >= least {
			of = append(of, int32(k))
		}
	}
	for range 4 { // estimates cut what grows beyond them
		f := math.Max(.01, 1+(want-all)/long)
		for _, k := range of {
			e := l.order[k]
			x := &l.people[e.user]
			j := &x.jobs[e.job]
			run := math.Max(1, p.below(x, j, math.Round(j.run*f)))
			all += (run - j.run) * float64(j.size)
			long += (run - j.run) * float64(j.size)
			j.run = run
		}
		if math.Abs(want-all) < 1e-4*want {
			return
		}
	}
}

// cut leaves the first n jobs before a moment.
func (l *lap) cut(n int64, before float64) {
	k := 0
	for k < len(l.order) && int64(k) < n && l.order[k].at < before {
		k++
	}
	l.order = l.order[:k]
}
