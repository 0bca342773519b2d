package population

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// traits finds the traits of a user; NaN where its jobs do not tell.
func (c *Collector) traits(p *person, m *population.Model, of times) {
	t := &p.traits
	for i := range t {
		t[i] = math.NaN()
	}
	c.dayTraits(p, of)
	t[population.BagOne] = 1 - float64(len(p.bagZ))/float64(len(p.bags))
	t[population.BagMean], t[population.BagSD] = moments(p.bagZ)
	t[population.BagAlike], t[population.BagAgain] = alike(p.bags, p.sessions)
	t[population.BagAlike] = math.Max(0, t[population.BagAlike])
	_, t[population.SessionAgain] = alike(p.sessions, nil)
	t[population.SessionOne] = 1 - float64(len(p.sessionZ))/float64(len(p.sessions))
	t[population.SessionMean], t[population.SessionSD] = moments(p.sessionZ)
	perSession := make([]float64, len(p.sessions)) // jobs
	bags := p.bags
	for i, n := range p.sessions {
		for _, jobs := range bags[:int(n)] {
			perSession[i] += jobs
		}
		bags = bags[int(n):]
	}
	t[population.BagRun], t[population.BagSize] = c.slopes(p, p.bags, p.bags)
	t[population.SessionRun], t[population.SessionSize] = c.slopes(p, p.sessions, perSession)
	c.jobTraits(p)
	c.templateTraits(p)
	c.requestTraits(p, m)
}

// dayTraits finds how much a user does, and on which days.
func (c *Collector) dayTraits(p *person, of times) {
	t := &p.traits
	period := func(i int32) float64 { return math.Floor((c.jobs[i].submit - of.first) / of.period) }
	t[population.LnJobs], t[population.LnWork] = math.Log(float64(len(p.jobs))), math.Log(max(1, p.work))
	span := period(p.jobs[len(p.jobs)-1]) - period(p.jobs[0]) + 1
	t[population.LnSpan] = math.Log(min(of.periods, span))
	active, latest, today, opened := 0.0, math.Inf(-1), math.Inf(-1), math.Inf(-1)
	var byDay []float64 // sessions that begin
	dayWork := 0.0
	for _, i := range p.jobs {
		j := &c.jobs[i]
		d := math.Floor((j.submit - c.midnight) / day)
		if d != today {
			today, dayWork = d, 0
		}
		if j.bag == opens {
			if d != opened {
				opened, byDay = d, append(byDay, 0)
			}
			byDay[len(byDay)-1]++
		}
		dayWork += float64(j.size) * j.run
		p.dayWork = max(p.dayWork, dayWork)
		if w := period(i); w != latest {
			active, latest = active+1, w
		}
	}
	t[population.Days] = float64(len(byDay)) / active
	if mean, sd := moments(byDay); len(byDay) > 2 {
		t[population.DayCV] = sd / mean
	}
	if span > 1 {
		t[population.Active] = active / span
	}
}

// slopes finds how the run times and sizes of jobs go with the jobs of their bag, or the bags of
// their session: the slopes of the mean scores of groups' jobs on the score of x, of groups of so
// many jobs each.
func (c *Collector) slopes(p *person, x, jobs []float64) (runs, sizes float64) {
	n := len(x)
	if n < 5 {
		return math.NaN(), math.NaN()
	}
	z, run, size := scores(x), make([]float64, n), make([]float64, n)
	left := p.jobs
	for i, k := range jobs {
		for _, at := range left[:int(k)] {
			run[i] += c.jobs[at].runRank / k
			size[i] += c.jobs[at].sizeRank / k
		}
		left = left[int(k):]
	}
	mz, _ := moments(z)
	mr, _ := moments(run)
	ms, _ := moments(size)
	var zz, zr, zs float64
	for i := range z {
		d := z[i] - mz
		zz, zr, zs = zz+d*d, zr+d*(run[i]-mr), zs+d*(size[i]-ms)
	}
	if zz < .05*float64(n) {
		return math.NaN(), math.NaN()
	}
	return max(-2, min(2, zr/zz)), max(-2, min(2, zs/zz))
}

// moments is a mean and a standard deviation, NaN for too few values. What is alike of two
// users has to be equal to the last bit, for it is ranked.
func moments(x []float64) (mean, sd float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	n := float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / (n - 1)) // 0/0 of one
}

// alike is the correlation of the scores of neighbours in one group, of so many values
// each, and of neighbours in two; without groups each value is one. It is NaN of few.
func alike(x, groups []float64) (within, across float64) {
	z, n := scores(x), float64(len(x))
	mean, _ := moments(z)
	ones, v := 0.0, 0.0
	for i, s := range z {
		v += (s - mean) * (s - mean) / n
		if x[i] == 1 {
			ones++
		}
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
		return untied(math.Max(-.5, math.Min(.98, sum[k]/pairs[k]/v)), ones/n)
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
	all := squares - c[0]*c[0]
	return rising(-.98, .98, 1e-4, r*all, func(r float64) (sum float64) {
		power := 1.0
		for _, x := range c[1:] {
			power *= r
			sum += x * x * power
		}
		return sum
	})
}

// rising returns where a function that rises reaches a value, by halving the range.
func rising(lo, hi, within, value float64, of func(x float64) float64) float64 {
	for hi-lo > within {
		if mid := (lo + hi) / 2; of(mid) < value {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// jobTraits finds how a user's jobs follow one another: when they change, what they wait
// for, and how alike neighbours of a template are.
func (c *Collector) jobTraits(p *person) {
	t := &p.traits
	var change, chance, gap, gaps [4]float64 // by kind; those that follow are apart
	var diff, pairs [2]float64               // squared differences within a template, of a bag and of others
	var responses []float64                  // of jobs before bags, s
	followed := 0.0
	for n, i := range p.jobs[1:] {
		j, prev := &c.jobs[i], &c.jobs[p.jobs[n]]
		k, other := j.bag, min(1, j.bag)
		switch k {
		case follows:
			followed++
			k = apart
		case inBag, apart:
			gap[k] += j.think
			gaps[k]++
		}
		if k == apart {
			if response := prev.wait + prev.run; response >= 0 {
				responses = append(responses, response)
			}
		}
		chance[k]++
		if !prev.like(j) {
			change[k]++
			continue
		}
		diff[other] += (j.runRank - prev.runRank) * (j.runRank - prev.runRank)
		pairs[other]++
	}
	ratio := func(to population.Trait, a, b float64) {
		if b > 0 {
			t[to] = a / b
		}
	}
	ratio(population.ChangeInBag, change[inBag], chance[inBag])
	ratio(population.ChangeBetween, change[apart], chance[apart])
	ratio(population.ChangeSession, change[opens], chance[opens])
	ratio(population.WithinMean, gap[inBag], gaps[inBag])
	ratio(population.ApartMean, gap[apart], gaps[apart])
	if len(responses) > 0 {
		// As many bags are expected to wait for jobs of these response times as did: the
		// likeliest. Half a bag more that waits and half a one that does not, for a job of ten
		// minutes, keep it finite.
		lo, hi := population.Follow.Range()
		t[population.Follow] = rising(lo, hi, 1e-5, followed+.5, func(at float64) float64 {
			expected := population.Follows(at, 600)
			for _, r := range responses {
				expected += population.Follows(at, r)
			}
			return expected
		})
	}
	for k, to := range []population.Trait{population.RunSame, population.RunAgain} {
		if pairs[k] > 0 {
			t[to] = math.Sqrt(diff[k] / pairs[k] / 2)
		}
	}
}

// weights are the numbers of jobs of a user's templates.
func (p *person) weights() (n []float64) {
	for _, of := range p.templates {
		n = append(n, float64(len(of)))
	}
	return n
}

// means returns the mean of each template, and the squares of the deviations from them.
func (c *Collector) means(templates [][]int32, value func(j *job) float64) (means []float64, squares float64) {
	means = make([]float64, len(templates))
	for k, of := range templates {
		within := 0.0
		for n, i := range of {
			d := value(&c.jobs[i]) - means[k]
			means[k] += d / float64(n+1)
			within += d * (value(&c.jobs[i]) - means[k])
		}
		squares += within
	}
	return means, squares
}

// templateTraits finds what templates tell of sizes and run times. Means are by jobs, deviations
// by templates.
func (c *Collector) templateTraits(p *person) {
	t := &p.traits
	k, n := float64(len(p.templates)), float64(len(p.jobs))
	size, _ := c.means(p.templates, func(j *job) float64 { return j.sizeRank })
	run, within := c.means(p.templates, func(j *job) float64 { return j.runRank })
	t[population.SizeMean], t[population.RunMean] = stat.Mean(size, p.weights()), stat.Mean(run, p.weights())
	if n > k {
		t[population.RunWithin] = math.Sqrt(within / (n - k))
	}
	if k < 3 {
		return
	}
	ms, _ := moments(size)
	mr, _ := moments(run)
	var ss, rr, sr, ds float64
	for i, x := range size {
		ss += (x - ms) * (x - ms) / (k - 1)
		rr += (run[i] - mr) * (run[i] - mr) / (k - 1)
		sr += (x - ms) * (run[i] - mr) / (k - 1)
	}
	var dr, nr [2]float64 // of templates that begin in a bag, and of others
	for i, of := range p.templates[1:] {
		ds += (size[i+1] - size[i]) * (size[i+1] - size[i]) / (k - 1) / 2
		b := min(1, c.jobs[of[0]].bag)
		dr[b] += (run[i+1] - run[i]) * (run[i+1] - run[i]) / 2
		nr[b]++
	}
	t[population.SizeSD], t[population.RunSD] = math.Sqrt(ss), math.Sqrt(rr)
	if ss > 1e-6 {
		t[population.SizeDrift] = max(-.9, min(.98, 1-ds/ss))
	}
	for i, to := range []population.Trait{population.RunSweep, population.RunDrift} {
		if nr[i] > 0 {
			t[to] = math.Sqrt(dr[i] / nr[i])
		}
	}
	if ss > 1e-6 && rr > 1e-6 {
		t[population.SizeRun] = max(-.95, min(.95, sr/math.Sqrt(ss*rr)))
	}
}
