package population

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// diary has the days on which a user begins its sessions.
type diary struct {
	begins []float64 // s, rising
	shares []float64 // of the day in what is done on it and on later ones
	today  int       // of these days
	todo   int       // sessions that are still to begin today
	costs  []float64 // of the sessions from today's first on that is not begun: shares in all that the user does
	left   float64   // the sum of these
}

// diary draws the days on which a user begins its sessions, from the user's first
// week.
func (p *prepared) diary(x *person, rng *rand.Rand) *diary {
	t := &x.traits
	span := max(1, min(p.periods, int(math.Round(math.Exp(t[population.LnSpan])))))
	active := max(1, min(span, int(math.Round(t[population.Active]*float64(span)))))
	days := int(p.period / day)
	var begins []float64
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
			begins = append(begins, float64(w)*p.period+float64(d)*day)
		}
	}
	n := len(x.sessions)
	if len(begins) > n {
		rng.Shuffle(len(begins), func(i, k int) { begins[i], begins[k] = begins[k], begins[i] })
		begins = begins[:n]
	}
	slices.Sort(begins)
	d := &diary{begins: begins, shares: make([]float64, len(begins)), today: -1, costs: x.costs, left: 1}
	sum := 0.0
	for k := range slices.Backward(begins) {
		share := gamma(t[population.DayCV], rng.NormFloat64())
		sum += share
		d.shares[k] = share / sum
	}
	return d
}

// gamma turns a normal score into a gamma variate of mean 1 and of a coefficient of
// variation, by the cube of Wilson and Hilferty (PNAS 17, 1931), not below a tenth.
func gamma(cv, z float64) float64 {
	v := cv * cv / 9
	x := 1 - v + z*math.Sqrt(v)
	return math.Max(.1, x*x*x)
}

// next turns to the day on which a session begins that is not to begin before a moment,
// and takes it. A day that is over leaves its sessions to later ones.
func (d *diary) next(from float64) {
	for last := len(d.begins) - 1; d.today < last && (d.todo == 0 || from >= d.begins[d.today]+day); {
		d.today++
		quota, sum := d.left*d.shares[d.today], d.costs[0]
		most := len(d.costs) - (last - d.today) // each day has one
		for d.todo = 1; d.todo < most && sum+d.costs[d.todo]/2 <= quota; d.todo++ {
			sum += d.costs[d.todo]
		}
	}
	d.todo = max(1, d.todo) - 1
	d.left -= d.costs[0]
	d.costs = d.costs[1:]
}

// opening draws when a user's next session begins, from a moment on: at the first of
// as many moments by the cycle as sessions are still to begin on the day.
func (p *prepared) opening(d *diary, from float64, rng *rand.Rand) float64 {
	d.next(from)
	lo, hi := math.Max(d.begins[d.today], from), d.begins[d.today]+day
	if lo >= hi { // the last day is over
		hi = lo + day
	}
	u := rng.Float64()
	if d.todo > 0 {
		u = 1 - math.Pow(u, 1/float64(d.todo+1))
	}
	a, b := p.begun(lo), p.begun(hi)
	if !(b > a) { // nobody begins a session
		return lo + u*(hi-lo)
	}
	return math.Max(lo, math.Min(hi, p.moment(a+u*(b-a))))
}

// begun are the sessions that begin up to a moment, in units of the cycle's weights.
func (p *prepared) begun(at float64) float64 {
	k := math.Floor(at / p.period)
	in := (at - k*p.period) / hour
	h := min(len(p.hours)-1, int(in))
	before := 0.0
	if h > 0 {
		before = p.hours[h-1]
	}
	return k*p.hours[len(p.hours)-1] + before + (in-float64(h))*(p.hours[h]-before)
}

// moment is the inverse of begun.
func (p *prepared) moment(sessions float64) float64 {
	total := p.hours[len(p.hours)-1]
	k := math.Floor(sessions / total)
	in := sessions - k*total
	h := min(len(p.hours)-1, sort.SearchFloat64s(p.hours, in))
	before := 0.0
	if h > 0 {
		before = p.hours[h-1]
	}
	part := 0.0
	if w := p.hours[h] - before; w > 0 {
		part = (in - before) / w
	}
	return k*p.period + (float64(h)+part)*hour
}

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
