package population

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// requests finds the laws of what users ask for and of how jobs end, and the scores
// of each job.
func (c *Collector) requests(m *population.Model, header *workload.Header) {
	c.score(c.all(), func(j *job) float64 { return j.run }, func(j *job, z float64) { j.runOfAll = float32(z) })
	e := &m.Estimates
	if e.Atoms = c.atoms(asksTime, "run times that users ask for; 0: none", 0); e.Values != nil {
		c.reached(e)
	}
	m.Resources = c.resources(header)
	if m.Resources.Column("requested_memory_kb") == nil {
		m.Memory = c.atoms(asksMemory, "memory that users ask for, KB a processor; 0: none", 0)
	}
	if m.Resources.Column("queue_id") == nil {
		m.Queues = c.queueAtoms()
	}
	applications := map[int64]bool{}
	for i := range c.jobs {
		if a := c.jobs[i].app; a != workload.Unknown {
			applications[a] = true
			m.Applications.Jobs++
		}
	}
	if m.Applications.Count = int64(len(applications)); m.Applications.Count > 0 {
		m.Applications.About = "each user has different applications: application_new and application_same of the margins"
	}
	m.Statuses = c.statuses()
}

// atoms finds the law of one thing that users ask for; none where nobody asks. Of many values
// the most frequent are kept, and others are taken as the nearest one above.
func (c *Collector) atoms(what int, about string, absent float64) population.Atoms {
	const most = 60
	x := make([]float64, len(c.jobs))
	for i := range x {
		x[i] = c.jobs[i].asks[what]
	}
	all, counts := stats.Distinct(x)
	n := len(x)
	if k, ok := slices.BinarySearch(all, absent); ok {
		n -= int(counts[k])
	}
	if n == 0 {
		return population.Atoms{}
	}
	for i, z := range scores(x) {
		c.jobs[i].asked[what] = float32(z)
	}
	byCount := make([]int, len(all))
	for k := range byCount {
		byCount[k] = k
	}
	slices.SortStableFunc(byCount, func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })
	kept := make([]bool, len(all))
	kept[len(all)-1] = true
	for _, k := range byCount[:min(len(all), most-1)] {
		kept[k] = true
	}
	a := population.Atoms{About: about, Jobs: int64(n)}
	below := 0.0
	for k, v := range all {
		below += counts[k]
		if kept[k] || v == absent { // which is not to be taken as a value
			a.Values, a.Shares = append(a.Values, v), append(a.Shares, population.Short(below/float64(len(x))))
			below = 0
		}
	}
	return a
}

// reached finds how jobs end at their estimates.
func (c *Collector) reached(e *population.Estimates) {
	n, k, beyond := make([]float64, len(waitClasses)), make([]float64, len(waitClasses)), make([]float64, len(waitClasses))
	var late, over []float64
	early := 0.0
	for i := range c.jobs {
		j := &c.jobs[i]
		asked := j.asks[asksTime]
		if !(asked > 0) {
			continue
		}
		at := classOf(j.run)
		n[at]++
		switch {
		case j.reached() && j.run < asked:
			k[at]++
			early++
		case j.reached():
			k[at]++
			late = append(late, j.run-asked)
		case j.run >= asked:
			beyond[at]++
			over = append(over, j.run/asked)
		}
	}
	for i := range n {
		if n[i] > 0 {
			e.Reached = append(e.Reached, population.ReachedClass{From: waitClasses[i], Jobs: int64(n[i]), Share: population.Short(k[i] / n[i]), Beyond: population.Short(beyond[i] / n[i])})
		}
	}
	e.Early = population.Short(early / max(1, early+float64(len(late))))
	e.Late, e.Overrun = quantiles(late), quantiles(over)
}

// reached returns whether a job ended at its estimate.
func (j *job) reached() bool {
	asked := j.asks[asksTime]
	return asked > 0 && j.run >= population.ReachedFrom*asked && j.run <= population.ReachedTo*asked+60
}

// queueAtoms finds the law of queues. They are in the order of their jobs' mean scores
// of run times, so that they have ranks.
func (c *Collector) queueAtoms() population.Atoms {
	queues := c.byRunTime(func(j *job) int64 { return j.queue })
	place := map[int64]float64{workload.Unknown: -1}
	for k, label := range queues {
		place[label] = float64(k)
	}
	for i := range c.jobs {
		c.jobs[i].asks[asksQueue] = place[c.jobs[i].queue]
	}
	a := c.atoms(asksQueue, "queues, by the mean score of their run times; -1: none", -1)
	for i, k := range a.Values {
		if k >= 0 {
			a.Values[i] = float64(queues[int(k)])
		}
	}
	return a
}

// byRunTime returns the labels of jobs in the order of the mean scores of their run
// times. Jobs whose label is unknown do not count.
func (c *Collector) byRunTime(label func(j *job) int64) []int64 {
	n, mean := map[int64]float64{}, map[int64]float64{}
	for i := range c.jobs {
		if at := label(&c.jobs[i]); at != workload.Unknown {
			n[at]++
			mean[at] += (c.jobs[i].runRank - mean[at]) / n[at]
		}
	}
	return slices.SortedFunc(maps.Keys(n), func(a, b int64) int { return cmp.Or(cmp.Compare(mean[a], mean[b]), cmp.Compare(a, b)) })
}

// statuses finds how jobs end.
func (c *Collector) statuses() population.Statuses {
	s := population.Statuses{About: "status codes by run time, from the run times named on, and of the jobs that reached their estimates"}
	place := map[int64]int{}
	for i := range c.jobs {
		if status := c.jobs[i].status; status >= 0 {
			place[status] = 0
		}
	}
	if len(place) == 0 {
		return population.Statuses{}
	}
	s.Values = slices.Sorted(maps.Keys(place))
	for k, code := range s.Values {
		place[code] = k
	}
	place[workload.Unknown] = len(s.Values)
	s.Values = append(s.Values, -1)
	counts := make([][]float64, len(waitClasses)+1) // by class, and of those that reached their estimates
	sums := make([]float64, len(counts))
	for k := range counts {
		counts[k] = make([]float64, len(s.Values))
	}
	for i := range c.jobs {
		j := &c.jobs[i]
		k := len(waitClasses)
		if !j.reached() {
			k = classOf(j.run)
		}
		counts[k][place[j.status]]++
		sums[k]++
	}
	for k, sum := range sums {
		if sum == 0 {
			continue
		}
		var shares []float64
		for _, n := range counts[k] {
			shares = append(shares, population.Short(n/sum))
		}
		if k == len(waitClasses) {
			s.Reached = shares
		} else {
			s.Classes = append(s.Classes, population.StatusClass{From: waitClasses[k], Jobs: int64(sum), Shares: shares})
		}
	}
	// How often a job ends as the one before of its template did, beyond chance.
	var same, chance, pairs float64
	last := map[int64]*job{}
	for i := range c.jobs {
		j := &c.jobs[i]
		if p := last[j.user]; p != nil && p.like(j) {
			if k := classOf(j.run); sums[k] > 0 {
				pairs++
				chance += counts[k][place[p.status]] / sums[k]
				if p.status == j.status {
					same++
				}
			}
		}
		last[j.user] = j
	}
	if pairs > chance {
		s.Again = population.Short(max(0, (same-chance)/(pairs-chance)))
	}
	return s
}

// like returns whether a job is of the template of the one before.
func (j *job) like(next *job) bool {
	return j.size == next.size && j.app == next.app && j.asks[asksTime] == next.asks[asksTime] && j.combination == next.combination
}

// requestTraits finds what a user's templates ask for.
func (c *Collector) requestTraits(p *person, m *population.Model) {
	t := &p.traits
	first := func(k int) *job { return &c.jobs[p.templates[k][0]] }
	n := float64(len(p.templates))
	seen := map[int64]bool{first(0).app: true}
	fresh, same := 0.0, 0.0
	for k := range p.templates[1:] {
		switch app := first(k + 1).app; {
		case app == first(k).app:
			same++
		case !seen[app]:
			fresh++
			seen[app] = true
		}
	}
	if m.Applications.Count > 0 && n > 1 {
		t[population.ApplicationNew], t[population.ApplicationSame] = fresh/(n-1), same/(n-1)
	}
	reached := 0.0
	for _, i := range p.jobs {
		if c.jobs[i].reached() {
			reached++
		}
	}
	runs, _ := c.means(p.templates, func(j *job) float64 { return float64(j.runOfAll) })
	for k, mean := range []population.Trait{population.EstimateMean, population.MemoryMean, population.QueueMean} {
		if !m.Has(mean) {
			continue
		}
		x, _ := c.means(p.templates, func(j *job) float64 { return float64(j.asked[k]) })
		t[mean] = stat.Mean(x, p.weights())
		if k == asksTime {
			t[population.EstimateReached] = reached / float64(len(p.jobs))
		}
		again := 0.0
		for i := range p.templates[1:] {
			if first(i + 1).asks[k] == first(i).asks[k] {
				again++
			}
		}
		if n > 1 {
			t[mean+2] = again / (n - 1)
		}
		if n < 3 {
			continue
		}
		mx, sd := moments(x)
		mr, _ := moments(runs)
		var xx, rr, xr float64
		for i := range x {
			a, b := x[i]-mx, runs[i]-mr
			xx, rr, xr = xx+a*a, rr+b*b, xr+a*b
		}
		t[mean+1] = sd
		if k == asksTime && xx > 1e-6*n && rr > 1e-6*n {
			t[population.EstimateRun] = max(-.95, min(.95, xr/math.Sqrt(xx*rr)))
		}
	}
	if m.Has(population.ResourceMean) {
		c.resourceTraits(p)
	}
}
