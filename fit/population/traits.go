package population

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

// traits sets the traits of a user. A trait that its jobs do not determine is NaN.
func (f *fitter) traits(p *person) {
	t := &p.traits
	for i := range t.All() {
		t.All()[i] = math.NaN()
	}
	for lo, hi := 0, 1; lo < len(p.jobs); hi++ {
		if hi == len(p.jobs) || !p.jobs[hi-1].like(p.jobs[hi]) {
			p.templates = append(p.templates, p.jobs[lo:hi])
			lo = hi
		}
	}
	f.days(p)
	bags, sessions := p.bags.sizes, p.sessions.sizes
	t.BagOne = 1 - float64(len(p.bags.scores))/float64(len(bags))
	t.BagMean, t.BagSD = moments(p.bags.scores)
	t.BagAlike, t.BagAgain = alike(bags, sessions)
	t.BagAlike = math.Max(0, t.BagAlike)
	t.SessionOne = 1 - float64(len(p.sessions.scores))/float64(len(sessions))
	t.SessionMean, t.SessionSD = moments(p.sessions.scores)
	_, t.SessionAgain = alike(sessions, nil)
	jobs := make([]float64, len(sessions))
	for i, n := range sessions {
		for _, k := range bags[:int(n)] {
			jobs[i] += k
		}
		bags = bags[int(n):]
	}
	t.BagRun, t.BagSize = p.slopes(p.bags.sizes, p.bags.sizes)
	t.SessionRun, t.SessionSize = p.slopes(sessions, jobs)
	p.steps()
	p.sizesAndRuns()
	p.wishes(&f.m)
	if f.m.Asks(population.AsksResources) {
		p.resources()
	}
}

// days sets the traits of the amount of a user's work and of its distribution over days and
// periods.
func (f *fitter) days(p *person) {
	t := &p.traits
	period := func(j *job) float64 { return math.Floor((j.submit - f.first) / f.period) }
	t.LnJobs, t.LnWork = math.Log(float64(len(p.jobs))), math.Log(max(1, p.work))
	span := period(p.jobs[len(p.jobs)-1]) - period(p.jobs[0]) + 1
	t.LnSpan = math.Log(min(f.periods, span))
	active, latest, opened := 0.0, math.Inf(-1), math.Inf(-1)
	var byDay []float64 // number of sessions that begin on each day with any
	weekWork, largest := 0.0, 0.0
	for _, j := range p.jobs {
		if j.bag == opens {
			if d := math.Floor((j.submit - f.midnight) / day); d != opened {
				opened, byDay = d, append(byDay, 0)
			}
			byDay[len(byDay)-1]++
		}
		if w := period(j); w != latest {
			active, latest, weekWork = active+1, w, 0
		}
		weekWork += j.work()
		largest = max(largest, weekWork)
	}
	t.Days = math.Min(7, float64(len(byDay))/active) // a week that begins at noon touches eight days
	if mean, sd := moments(byDay); len(byDay) > 2 {
		t.DayCV = sd / mean
	}
	if p.work > 0 {
		t.LnWeek = math.Log(largest / p.work)
		t.LnAtOnce = math.Log(max(1, p.atOnce()))
	}
	if span > 1 {
		t.Active = active / span
	}
}

// atOnce returns the work that a user has under way at once: the 0.9 quantile, weighted by the
// bags' work, of the work under way when a bag is submitted, including the bag itself. Waits are
// ignored, and each earlier bag counts as one job that ends at the mean end of its jobs.
func (p *person) atOnce() float64 {
	const share = .9
	type bag struct{ work, underWay float64 }
	var bags []bag
	var underWay sessions.UnderWay
	var one sessions.Bag
	for _, j := range p.jobs {
		if j.bag != inBag {
			one.Finish(&underWay)
			bags = append(bags, bag{underWay: underWay.Work(j.submit)})
		}
		one.Add(float64(j.size), j.submit+j.run)
		last := &bags[len(bags)-1]
		last.work, last.underWay = last.work+j.work(), last.underWay+j.work()
	}
	slices.SortFunc(bags, func(a, b bag) int { return cmp.Compare(a.underWay, b.underWay) })
	work := 0.0
	for _, b := range bags {
		if work += b.work; work >= share*p.work {
			return b.underWay
		}
	}
	return bags[len(bags)-1].underWay
}

// slopes returns the slopes of the regressions of run times and sizes on the size of a bag or
// session. x holds the size of each group and jobs its number of jobs; the regressions are of the
// mean scores of each group's jobs on the score of x. The slopes are NaN for fewer than 5 groups,
// or if x hardly varies.
func (p *person) slopes(x, jobs []float64) (runs, sizes float64) {
	n := len(x)
	if n < 5 {
		return math.NaN(), math.NaN()
	}
	z, run, size := scores(x), make([]float64, n), make([]float64, n)
	left := p.jobs
	for i, k := range jobs {
		for _, j := range left[:int(k)] {
			run[i] += j.runRank / k
			size[i] += j.sizeRank / k
		}
		left = left[int(k):]
	}
	zz, _, zr := products(z, run, 1)
	_, _, zs := products(z, size, 1)
	if zz < .05*float64(n) {
		return math.NaN(), math.NaN()
	}
	return within(zr/zz, -2, 2), within(zs/zz, -2, 2)
}

func within(x, lo, hi float64) float64 { return max(lo, min(hi, x)) }

// steps sets the traits of consecutive jobs: how often templates change, the gaps, how often bags
// wait for earlier jobs, and how similar the run times of neighbours in a template are.
func (p *person) steps() {
	t := &p.traits
	var change, chance, gap [4]float64 // by kind; follows counts as apart
	var gaps, diff, pairs [2]float64   // [0] within bags, [1] others; diff: squared differences within templates
	var responses []float64            // of the jobs before bags, in seconds
	followed := 0.0
	for n, j := range p.jobs[1:] {
		prev, k, other := p.jobs[n], j.bag, min(1, j.bag)
		switch k {
		case follows:
			followed++
			k = apart
		case inBag, apart:
			gap[k] += j.think
			gaps[k]++
		}
		if response := prev.wait + prev.run; k == apart && response >= 0 {
			responses = append(responses, response)
		}
		chance[k]++
		if !prev.like(j) {
			change[k]++
			continue
		}
		diff[other] += (j.runRank - prev.runRank) * (j.runRank - prev.runRank)
		pairs[other]++
	}
	// NaN (0/0), for unknown, if there are no such jobs.
	t.ChangeInBag, t.ChangeBetween, t.ChangeSession = change[inBag]/chance[inBag], change[apart]/chance[apart], change[opens]/chance[opens]
	t.WithinMean, t.ApartMean = gap[inBag]/gaps[inBag], gap[apart]/gaps[apart]
	t.RunSame, t.RunAgain = math.Sqrt(diff[0]/pairs[0]/2), math.Sqrt(diff[1]/pairs[1]/2)
	if len(responses) > 0 {
		// The maximum-likelihood estimate: the expected number of bags that wait, given these
		// response times, equals the number that did. To keep it finite, half a bag that waits
		// and half a bag that does not are added, after a job of ten minutes.
		t.Follow = rising(0, 25, 1e-5, followed+.5, func(at float64) float64 {
			expected := population.Follows(at, 600)
			for _, r := range responses {
				expected += population.Follows(at, r)
			}
			return expected
		})
	}
}

// means returns the mean value of each template, the mean of these means weighted by jobs, and
// the sum of the squared deviations of jobs from the mean of their template.
func (p *person) means(value func(j *job) float64) (means []float64, mean, squares float64) {
	means = make([]float64, len(p.templates))
	var weights []float64
	for k, jobs := range p.templates {
		within := 0.0
		for n, j := range jobs {
			d := value(j) - means[k]
			means[k] += d / float64(n+1)
			within += d * (value(j) - means[k])
		}
		squares += within
		weights = append(weights, float64(len(jobs)))
	}
	return means, stat.Mean(means, weights), squares
}

// sizesAndRuns sets the traits of sizes and run times. For means, templates are weighted by their
// jobs; for deviations, equally.
func (p *person) sizesAndRuns() {
	t := &p.traits
	k := float64(len(p.templates))
	var size, run []float64 // size: mean of each template; run: score of its first job
	var inside float64
	size, t.SizeMean, _ = p.means(func(j *job) float64 { return j.sizeRank })
	_, t.RunMean, inside = p.means(func(j *job) float64 { return j.runRank })
	inside /= float64(len(p.jobs)) - k
	t.RunWithin = math.Sqrt(inside)
	if k < 3 {
		return
	}
	for _, jobs := range p.templates {
		run = append(run, jobs[0].runRank)
	}
	ss, rr, sr := products(size, run, k-1)
	if inside > 0 { // the deviation of the first job within its template is included in rr
		rr = math.Max(0, rr-inside)
	}
	ds := 0.0
	var dr, nr [2]float64 // [0] templates that begin within a bag, [1] others
	for i, jobs := range p.templates[1:] {
		ds += (size[i+1] - size[i]) * (size[i+1] - size[i]) / (k - 1) / 2
		b := min(1, jobs[0].bag)
		step := run[i+1] - p.templates[i][len(p.templates[i])-1].runRank
		dr[b] += step * step / 2
		nr[b]++
	}
	t.SizeSD, t.RunSD = math.Sqrt(ss), math.Sqrt(rr)
	if ss > 1e-6 {
		t.SizeDrift = within(1-ds/ss, -.9, .98)
	}
	t.RunSweep, t.RunDrift = math.Sqrt(dr[0]/nr[0]), math.Sqrt(dr[1]/nr[1])
	t.SizeRun = correlation(ss, rr, sr, 1)
}

// wishes sets the traits of the requests of a user's templates.
func (p *person) wishes(m *population.Model) {
	t, n := &p.traits, float64(len(p.templates))
	changes := func(alike func(before, j *job) bool) (share float64) { // NaN (0/0) for one template
		for k, jobs := range p.templates[1:] {
			if alike(p.templates[k][0], jobs[0]) {
				share++
			}
		}
		return share / (n - 1)
	}
	if m.Applications.Count > 0 {
		seen := map[int64]bool{p.jobs[0].app: true}
		t.ApplicationNew = changes(func(_, j *job) bool {
			fresh := !seen[j.app]
			seen[j.app] = true
			return fresh
		})
		t.ApplicationSame = changes(func(before, j *job) bool { return j.app == before.app })
	}
	runs, _, _ := p.means(func(j *job) float64 { return float64(j.runOfAll) })
	for what := range population.AsksResources {
		if !m.Asks(what) {
			continue
		}
		mean, sd, same := t.Asks(what)
		var x []float64
		x, *mean, _ = p.means(func(j *job) float64 { return float64(j.asked[what]) })
		*same = changes(func(before, j *job) bool { return before.asks[what] == j.asks[what] })
		if n >= 3 {
			_, *sd = moments(x)
		}
		if what == population.AsksTime {
			reached := 0.0
			for _, j := range p.jobs {
				if j.reached() {
					reached++
				}
			}
			t.EstimateReached = reached / float64(len(p.jobs))
			if n >= 3 {
				xx, rr, xr := products(x, runs, 1)
				t.EstimateRun = correlation(xx, rr, xr, n)
			}
		}
	}
}

// resources sets the traits of a user's resources: mean and standard deviation of the jobs'
// scores, and how often a job repeats the combination of the user's last job of the same size.
// Every job counts once, so that a few test jobs without GPUs hardly change a user of GPUs.
func (p *person) resources() {
	t := &p.traits
	n, mean, squares, again, pairs := 0.0, 0.0, 0.0, 0.0, 0.0
	last := map[int64]*job{} // by size
	var prev *job
	for _, j := range p.jobs {
		if z := float64(j.resourceRank); !math.IsNaN(z) { // NaN: all jobs of this size have the same combination
			n++
			d := z - mean
			mean += d / n
			squares += d * (z - mean)
			if before := last[j.size]; before != nil && !prev.like(j) {
				pairs++
				if before.combination == j.combination {
					again++
				}
			}
			last[j.size] = j
		}
		prev = j
	}
	if n > 0 {
		t.ResourceMean, t.ResourceSD = mean, math.Sqrt(squares/n)
	}
	t.ResourceSame = again / pairs
}
