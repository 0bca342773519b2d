package population

import (
	"math"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// bagScores gives the bags and sessions of a stratum their scores.
func bagScores(of []*person) {
	type place struct{ p, i int }
	var bags, visits []place
	for p, x := range of {
		x.bagZ, x.sessionZ = make([]float64, len(x.bags)), make([]float64, len(x.sessions))
		for i := range x.bags {
			if x.bags[i] > 1 {
				bags = append(bags, place{p, i})
			}
		}
		for i := range x.sessions {
			if x.sessions[i] > 1 {
				visits = append(visits, place{p, i})
			}
		}
	}
	scores(len(bags), func(i int) float64 { return of[bags[i].p].bags[bags[i].i] }, func(i int, z float64) { of[bags[i].p].bagZ[bags[i].i] = z })
	scores(len(visits), func(i int) float64 { return of[visits[i].p].sessions[visits[i].i] }, func(i int, z float64) { of[visits[i].p].sessionZ[visits[i].i] = z })
}

// slopes finds how the run times and sizes of jobs go with the jobs of their bag
// and the bags of their session.
func (c *Collector) slopes(p *person) {
	t := &p.traits
	per := make([]float64, len(p.sessions)) // jobs of a session
	at := 0
	for i, bags := range p.sessions {
		for range int(bags) {
			per[i] += p.bags[at]
			at++
		}
	}
	t[population.BagRun], t[population.BagSize] = c.slope(p, p.bags, p.bags)
	t[population.SessionRun], t[population.SessionSize] = c.slope(p, p.sessions, per)
}

// slope is that of the mean scores of groups' jobs on the score of x.
func (c *Collector) slope(p *person, x, jobs []float64) (runs, sizes float64) {
	n := len(x)
	if n < 5 {
		return math.NaN(), math.NaN()
	}
	z := make([]float64, n)
	scores(n, func(i int) float64 { return x[i] }, func(i int, s float64) { z[i] = s })
	var zz, zr, zs, mz, mr, ms float64
	run, size := make([]float64, n), make([]float64, n)
	at := 0
	for i, k := range jobs {
		for range int(k) {
			run[i] += c.jobs[p.jobs[at]].runRank / k
			size[i] += c.jobs[p.jobs[at]].sizeRank / k
			at++
		}
		mz, mr, ms = mz+z[i]/float64(n), mr+run[i]/float64(n), ms+size[i]/float64(n)
	}
	for i := range z {
		d := z[i] - mz
		zz, zr, zs = zz+d*d, zr+d*(run[i]-mr), zs+d*(size[i]-ms)
	}
	if zz < .05*float64(n) {
		return math.NaN(), math.NaN()
	}
	return math.Max(-2, math.Min(2, zr/zz)), math.Max(-2, math.Min(2, zs/zz))
}

// alike is the correlation of the scores of neighbours in one group, of so many values
// each, and of neighbours in two; without groups each value is one. It is NaN of few.
func alike(x, groups []float64) (within, across float64) {
	n := len(x)
	z := make([]float64, n)
	scores(n, func(i int) float64 { return x[i] }, func(i int, s float64) { z[i] = s })
	var v, mean, ones float64
	for i, s := range z {
		mean += s / float64(n)
		if x[i] == 1 {
			ones++
		}
	}
	for _, s := range z {
		v += (s - mean) * (s - mean) / float64(n)
	}
	var sum, pairs [2]float64
	group, left := 0, 0.0
	for i := range z {
		k := 0
		if left == 0 {
			k, left = 1, 1
			if groups != nil {
				left = groups[group]
				group++
			}
		}
		left--
		if i > 0 {
			sum[k] += (z[i] - mean) * (z[i-1] - mean)
			pairs[k]++
		}
	}
	of := func(k int) float64 {
		if pairs[k] < 5 || !(v > 0) {
			return math.NaN()
		}
		return untied(math.Max(-.5, math.Min(.98, sum[k]/pairs[k]/v)), ones/float64(n))
	}
	return of(0), of(1)
}

// untied is the correlation of two normal variates of which the scores of those below
// a probability are equal, given the correlation of these scores: by Mehler's expansion
// in Hermite polynomials.
func untied(r, tied float64) float64 {
	const (
		terms = 20
		from  = 8.0
		width = .02
	)
	edge, low := normal(tied), normal(tied/2)
	if tied == 0 {
		return r
	}
	var c [terms + 1]float64
	squares := 0.0
	for x := -from + width/2; x < from; x += width {
		f := x
		if x < edge {
			f = low
		}
		w := f * math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) * width
		squares += w * f
		h, before := 1.0, 0.0 // normalised polynomials
		for k := range c {
			c[k] += w * h
			h, before = (x*h-math.Sqrt(float64(k))*before)/math.Sqrt(float64(k+1)), h
		}
	}
	at := func(r float64) (sum float64) {
		power := 1.0
		for _, x := range c[1:] {
			power *= r
			sum += x * x * power
		}
		return sum
	}
	all := squares - c[0]*c[0]
	lo, hi := -.98, .98
	for hi-lo > 1e-4 {
		if mid := (lo + hi) / 2; at(mid) < r*all {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// many is the share of values of 1, and the moments of the scores of the others.
func many(x, z []float64) (one, mean, sd float64) {
	var of []float64
	for i := range x {
		if x[i] > 1 {
			of = append(of, z[i])
		}
	}
	mean, sd = moments(of)
	return 1 - float64(len(of))/float64(len(x)), mean, sd
}
