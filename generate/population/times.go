package population

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/placement"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// times gives a user's jobs their times, from the user's first week.
func (p *prepared) times(x *person, rng *rand.Rand) {
	t := &x.traits
	span := max(1, min(p.periods, int(math.Round(math.Exp(t[population.LnSpan])))))
	active := max(1, min(span, int(math.Round(t[population.Active]*float64(span)))))
	days := int(p.period / day)
	var slots []float64
	for _, w := range rng.Perm(span)[:active] {
		var taken [7]bool
		for range max(1, min(days, int(t[population.Days]+rng.Float64()))) {
			d := 0
			for try := 0; try < 20; try++ {
				h := min(len(p.hours)-1, sort.SearchFloat64s(p.hours, rng.Float64()*p.hours[len(p.hours)-1]))
				if d = h / 24; !taken[d] {
					break
				}
			}
			if taken[d] {
				continue
			}
			taken[d] = true
			slots = append(slots, float64(w)*p.period+float64(d)*day)
		}
	}
	slices.Sort(slots)
	quota := quotas(len(slots), float64(len(x.jobs)), t[population.DayCV], rng)
	starts := make([]float64, len(x.sessions))
	k, given := 0, 0.0
	for i := range starts {
		// A day takes sessions to its share of the jobs, one at least if there are enough.
		left, todo := len(slots)-1-k, len(starts)-i
		for k < len(slots)-1 && i > 0 && todo > 0 && (todo <= left || given+float64(x.sessions[i])/2 > quota[k]) {
			k++
			if left = len(slots) - 1 - k; todo <= left+1 {
				break
			}
		}
		given += float64(x.sessions[i])
		at := slots[k]
		of := int(math.Mod(at, p.period) / hour)
		lo := 0.0
		if of > 0 {
			lo = p.hours[of-1]
		}
		h := sort.SearchFloat64s(p.hours, lo+rng.Float64()*(p.hours[of+23]-lo)) - of
		starts[i] = at + (float64(max(0, min(23, h)))+rng.Float64())*hour
	}
	slices.Sort(starts)
	at, session := math.Inf(-1), 0
	most, today, done := p.m.Users.Strata[x.stratum].DayWork, math.Inf(-1), 0.0
	if !(most > 0) {
		most = math.Inf(1)
	}
	for i := range x.jobs {
		j := &x.jobs[i]
		switch j.how {
		case opens:
			at = max(starts[session], at+hour+1)
			session++
		case inBag:
			at += p.within.at(j.gap)
		case apart:
			prev := &x.jobs[i-1]
			response := prev.run + p.waited(prev)
			chance := t[population.FollowShort]
			if response >= population.Brief {
				chance = t[population.FollowLong]
			}
			if to := at + response + p.think.at(rng.Float64()); rng.Float64() < p.atHour(chance, at, to) {
				at = to
			} else {
				at += p.apart.at(j.gap)
			}
		}
		at = math.Floor(at)
		work := j.run * float64(j.size)
		if d := math.Floor(at / day); d > today {
			today, done = d, 0
		} else if done > 0 && done+work > most {
			at += day
			today, done = today+1, 0
		}
		done += work
		j.at = at
	}
}

// quotas are the sums of the shares of n days in jobs, of a coefficient of variation.
func quotas(n int, jobs, cv float64, rng *rand.Rand) []float64 {
	z, share := make([]float64, n), make([]float64, n)
	for i := range z {
		z[i] = rng.NormFloat64()
	}
	cv = math.Min(cv, .9*math.Sqrt(float64(n-1)))
	s := math.Sqrt(math.Log1p(cv * cv))
	total := 0.0
	for range 5 {
		total = 0
		squares := 0.0
		for i := range z {
			share[i] = math.Exp(s * z[i])
			total += share[i]
			squares += share[i] * share[i]
		}
		if got := squares*float64(n)/(total*total) - 1; got > 0 {
			s = math.Min(10, s*math.Sqrt(math.Log1p(cv*cv)/math.Log1p(got)))
		}
	}
	sum := 0.0
	for i := range share {
		sum += share[i] / total * jobs
		share[i] = sum
	}
	return share
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
		t := sessions.NewTracker(sessions.Defaults())
		var j workload.Job
		for i := range x.jobs {
			k := &x.jobs[i]
			if i > 0 && k.at < x.jobs[i-1].at { // the lap's end is between
				t = sessions.NewTracker(sessions.Defaults())
			}
			j.Row, j.Submit, j.Run, j.Wait = int64(i), k.at, k.run, p.waited(k)
			if f := t.Add(&j); f.Preceding != workload.Unknown {
				k.pred, k.think = int32(f.Preceding), float32(f.Think)
			}
		}
	}
}

const (
	tries  = 40
	passes = 3
	byDay  = 1  // weight of squares by day beside those by period
	draws  = 12 // of the times of a user with much work
)

// lot is the work of a user in a day of the ring.
type lot struct {
	day  int
	work float64
}

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
	}
	par.Each(p.workers, len(l.people), func(u int) {
		k := 1
		if total[u]*float64(n) > .05*all { // above a twentieth of a period's work
			k = draws
		}
		for draw := range k {
			p.times(&l.people[u], source(u, draw))
			lots[u] = append(lots[u], p.lots(&l.people[u]))
		}
	})
	gap := p.target(rng, all)
	type choice struct{ draw, move int }
	pick := func(u int) choice { return choice{rng.IntN(len(lots[u])), rng.IntN(n)} }
	perPeriod := int(math.Round(p.period / day))
	days := make([]float64, n*perPeriod) // what is missing by day
	share := make([]float64, perPeriod)
	for d := range share {
		share[d] = p.hours[24*d+23]
		if d > 0 {
			share[d] -= p.hours[24*d-1]
		}
	}
	for d := range days {
		days[d] = gap[d/perPeriod] * share[d%perPeriod] / p.hours[len(p.hours)-1]
	}
	// What a user's work adds to the squares at a place. Its lots are of different days.
	cost := func(u int, c choice) (grows float64) {
		before, sum := -1, 0.0
		for _, x := range lots[u][c.draw] {
			d := x.day + c.move*perPeriod
			if d >= len(days) {
				d -= len(days)
			}
			grows += byDay * x.work * (x.work - 2*days[d])
			if k := d / perPeriod; k != before {
				if before >= 0 {
					grows += sum * (sum - 2*gap[before])
				}
				before, sum = k, 0
			}
			sum += x.work
		}
		if before >= 0 {
			grows += sum * (sum - 2*gap[before])
		}
		return grows
	}
	put := func(u int, c choice, sign float64) (grows float64) {
		for _, x := range lots[u][c.draw] {
			d := x.day + c.move*perPeriod
			if d >= len(days) {
				d -= len(days)
			}
			w, k := sign*x.work, d/perPeriod
			grows += w*(w-2*gap[k]) + byDay*w*(w-2*days[d])
			gap[k] -= w
			days[d] -= w
		}
		return grows
	}
	at := make([]choice, len(l.people))
	for u := range at {
		at[u] = pick(u)
	}
	placement.Search[choice]{
		Weights: total,
		Passes:  passes,
		Tries:   func(u int) int { return tries * len(lots[u]) },
		Draw:    pick,
		Cost:    cost,
		Put:     put,
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
