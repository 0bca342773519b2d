package population

import (
	"math"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// gapScores puts the normal scores of gaps in the place of the gaps.
func (c *Collector) gapScores() {
	for _, k := range []kind{inBag, apart} {
		var of []int32
		for i := range c.jobs {
			if c.jobs[i].bag == k {
				of = append(of, int32(i))
			}
		}
		gap := make([]float64, len(of))
		for i, j := range of {
			gap[i] = c.jobs[j].think
		}
		scores(len(of), func(i int) float64 { return gap[i] }, func(i int, z float64) { c.jobs[of[i]].think = z })
	}
}

// moments is a mean and a standard deviation, NaN for too few values.
func moments(x []float64) (mean, sd float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	if len(x) < 2 {
		return mean, math.NaN()
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// template is jobs of one size and request in a row.
type template struct {
	n, size, run, within float64
	swept                bool // begun within a bag
}

// traits finds the traits of a user; NaN where its jobs do not tell. A log has periods of
// period seconds from first on.
func (c *Collector) traits(p *person, periods, period, first float64) {
	t := &p.traits
	for i := range t {
		t[i] = math.NaN()
	}
	c.dayTraits(p, periods, period, first)
	t[population.BagOne], t[population.BagMean], t[population.BagSD] = many(p.bags, p.bagZ)
	t[population.BagAlike], t[population.BagAgain] = alike(p.bags, p.sessions)
	t[population.BagAlike] = math.Max(0, t[population.BagAlike])
	_, t[population.SessionAgain] = alike(p.sessions, nil)
	t[population.SessionOne], t[population.SessionMean], t[population.SessionSD] = many(p.sessions, p.sessionZ)
	c.slopes(p)
	c.jobTraits(p)
}

// dayTraits finds how much a user does, and on which days.
func (c *Collector) dayTraits(p *person, periods, period, first float64) {
	t := &p.traits
	n := float64(len(p.jobs))
	t[population.LnJobs], t[population.LnWork] = math.Log(n), math.Log(max(1, p.work))
	a, b := math.Floor((c.jobs[p.jobs[0]].submit-first)/period), math.Floor((c.jobs[p.jobs[len(p.jobs)-1]].submit-first)/period)
	t[population.LnSpan] = math.Log(min(periods, b-a+1))
	active, latest := 0.0, math.Inf(-1)
	days, today, opened := 0.0, math.Inf(-1), math.Inf(-1)
	var byDay []float64 // sessions that begin
	dayWork := 0.0
	for _, i := range p.jobs {
		d := math.Floor((c.jobs[i].submit - c.midnight) / day)
		if d != today {
			today, dayWork = d, 0
		}
		if c.jobs[i].bag == opens {
			if d != opened {
				days, opened = days+1, d
				byDay = append(byDay, 0)
			}
			byDay[len(byDay)-1]++
		}
		dayWork += float64(c.jobs[i].size) * c.jobs[i].run
		p.dayWork = max(p.dayWork, dayWork)
		if w := math.Floor((c.jobs[i].submit - first) / period); w != latest {
			active, latest = active+1, w
		}
	}
	t[population.Days] = days / active
	if mean, sd := moments(byDay); len(byDay) > 2 {
		t[population.DayCV] = sd / mean
	}
	if b > a {
		t[population.Active] = active / (b - a + 1)
	}
}

// jobTraits finds how a user's jobs follow one another: when they change, what they wait
// for, and how alike those of a template are.
func (c *Collector) jobTraits(p *person) {
	t := &p.traits
	var of []template
	var change, chance [4]float64
	var responses []float64 // of jobs before bags
	followed := 0.0
	var gap, gaps [2]float64
	var diff, pairs [2]float64 // squared differences of neighbours within a template
	var prev *job
	for _, i := range p.jobs {
		j := &c.jobs[i]
		same := prev != nil && prev.like(j)
		if prev != nil {
			k := j.bag
			if k == follows {
				k = apart
			}
			chance[k]++
			if !same {
				change[k]++
			}
		}
		if !same {
			of = append(of, template{size: j.sizeRank, swept: j.bag == inBag})
		} else {
			k := 1
			if j.bag == inBag {
				k = 0
			}
			diff[k] += (j.runRank - prev.runRank) * (j.runRank - prev.runRank)
			pairs[k]++
		}
		x := &of[len(of)-1]
		x.n++
		d := j.runRank - x.run
		x.run += d / x.n
		x.within += d * (j.runRank - x.run)
		if prev != nil && (j.bag == apart || j.bag == follows) {
			if response := prev.wait + prev.run; response >= 0 {
				responses = append(responses, response)
			}
			if j.bag == follows {
				followed++
			}
		}
		if j.bag == inBag || j.bag == apart {
			gap[j.bag] += j.think
			gaps[j.bag]++
		}
		prev = j
	}
	ratio := func(to population.Trait, a, b float64) {
		if b > 0 {
			t[to] = a / b
		}
	}
	ratio(population.ChangeInBag, change[inBag], chance[inBag])
	ratio(population.ChangeBetween, change[apart], chance[apart])
	ratio(population.ChangeSession, change[opens], chance[opens])
	if len(responses) > 0 {
		t[population.Follow] = follow(responses, followed)
	}
	ratio(population.WithinMean, gap[inBag], gaps[inBag])
	ratio(population.ApartMean, gap[apart], gaps[apart])
	templateTraits(t, of, diff, pairs)
}

// follow is the trait by which as many bags are expected to wait for jobs of these
// response times, in seconds, as did: the likeliest. Half a bag more that waits and
// half a one that does not, for a job of ten minutes, keep it finite.
func follow(responses []float64, followed float64) float64 {
	lo, hi := population.Follow.Range()
	for hi-lo > 1e-5 {
		at := (lo + hi) / 2
		expected := population.Follows(at, 600)
		for _, r := range responses {
			expected += population.Follows(at, r)
		}
		if expected < followed+.5 {
			lo = at
		} else {
			hi = at
		}
	}
	return lo
}

// templateTraits finds what templates tell. Means are by jobs, deviations by
// templates.
func templateTraits(t *[population.NumTraits]float64, of []template, diff, pairs [2]float64) {
	var n, size, run, within float64
	for _, x := range of {
		n += x.n
		size += x.n * x.size
		run += x.n * x.run
		within += x.within
	}
	k := float64(len(of))
	size, run = size/n, run/n
	t[population.SizeMean], t[population.RunMean] = size, run
	if n > k {
		v := within / (n - k)
		t[population.RunWithin] = math.Sqrt(v)
		for i, to := range []population.Trait{population.RunSame, population.RunAgain} {
			if pairs[i] > 0 {
				t[to] = math.Sqrt(diff[i] / pairs[i] / 2)
			}
		}
	}
	if k < 3 {
		return
	}
	var ms, mr float64
	for _, x := range of {
		ms, mr = ms+x.size/k, mr+x.run/k
	}
	var ss, rr, sr, ds float64
	var dr, nr [2]float64
	for i, x := range of {
		ss += (x.size - ms) * (x.size - ms) / (k - 1)
		rr += (x.run - mr) * (x.run - mr) / (k - 1)
		sr += (x.size - ms) * (x.run - mr) / (k - 1)
		if i > 0 {
			y := of[i-1]
			ds += (x.size - y.size) * (x.size - y.size) / (k - 1) / 2
			b := 1
			if x.swept {
				b = 0
			}
			dr[b] += (x.run - y.run) * (x.run - y.run) / 2
			nr[b]++
		}
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
