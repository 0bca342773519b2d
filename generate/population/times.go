package population

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/placement"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// times gives a user's jobs their times, from the user's first week.
func (p *prepared) times(x *person, rng *rand.Rand) {
	t := &x.traits
	days, at := p.diary(x, rng), math.Inf(-1)
	most, last, done := p.m.Users.Strata[x.stratum].DayWork, math.Inf(-1), 0.0
	if !(most > 0) {
		most = math.Inf(1)
	}
	for i := range x.jobs {
		j := &x.jobs[i]
		switch j.how {
		case opens:
			at = p.opening(days, at+hour+1, rng)
		case inBag:
			at += p.within.at(j.gap)
		case apart:
			prev := &x.jobs[i-1]
			response := prev.run + p.waited(prev)
			chance := population.Follows(t[population.Follow], response)
			if to := at + response + p.think.at(rng.Float64()); rng.Float64() < p.atHour(chance, at, to) {
				at = to
			} else {
				at += p.apart.at(j.gap)
			}
		}
		at = math.Floor(at)
		work := j.run * float64(j.size)
		if d := math.Floor(at / day); d > last {
			last, done = d, 0
		} else if done > 0 && done+work > most {
			at += day
			last, done = last+1, 0
		}
		done += work
		j.at = at
	}
}

// costs finds the shares of a user's sessions in what it does: half by their number, half
// by their work.
func (p *prepared) costs(x *person) {
	x.costs = make([]float64, 0, len(x.sessions))
	first := 0
	for _, n := range x.sessions {
		work := 0.0
		for _, j := range x.jobs[first : first+int(n)] {
			work += j.run * float64(j.size)
		}
		first += int(n)
		x.costs = append(x.costs, .5/float64(len(x.sessions))+.5*work/math.Max(1, x.work))
	}
}

// waited is the wait that a job's user saw.
func (p *prepared) waited(j *job) float64 {
	c := p.m.Waits.Classes
	k := len(c) - 1
	if k < 0 {
		return 0
	}
	for k > 0 && c[k].From > j.run {
		k--
	}
	return p.waits[k].at(j.wait)
}

// link finds the job that each waits for, as package sessions does in a log.
func (p *prepared) link(l *lap) {
	if len(p.m.Waits.Classes) == 0 {
		return
	}
	for u := range l.people {
		x := &l.people[u]
		t := sessions.NewTracker()
		var j workload.Job
		for i := range x.jobs {
			k := &x.jobs[i]
			if i > 0 && k.at < x.jobs[i-1].at { // the lap's end is between
				t = sessions.NewTracker()
			}
			j.Row, j.Submit, j.Run, j.Wait = int64(i), k.at, k.run, p.waited(k)
			if f := t.Add(&j); f.Preceding != workload.Unknown {
				k.pred, k.think = int32(f.Preceding), float32(math.Round(f.Think)) // whole seconds, as SWF has them
			}
		}
	}
}

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
