package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// What users ask for beside processors.
const (
	asksTime = iota
	asksMemory
	asksQueue
	asks
)

// maxAtoms are the values that are kept of a law of requests, the most frequent.
// Others are taken as the nearest one above.
const maxAtoms = 60

// requests finds the laws of what users ask for and of how jobs end, and the scores
// of each job.
func (c *Collector) requests(m *population.Model, header *workload.Header) {
	e := &m.Estimates
	scores(len(c.jobs), func(i int) float64 { return c.jobs[i].run }, func(i int, z float64) { c.jobs[i].runOfAll = float32(z) })
	e.Atoms = c.atoms(asksTime, "run times that users ask for; 0: none", 0)
	if e.Values != nil {
		c.reached(e)
	}
	m.Resources = c.resources(header)
	if m.Resources.Column("requested_memory_kb") == nil {
		m.Memory = c.atoms(asksMemory, "memory that users ask for, KB a processor; 0: none", 0)
	}
	if m.Resources.Column("queue_id") == nil {
		m.Queues = c.queueAtoms()
	}
	of := map[int64]bool{}
	for i := range c.jobs {
		if a := c.jobs[i].app; a != workload.Unknown {
			of[a] = true
			m.Applications.Jobs++
		}
	}
	if m.Applications.Count = int64(len(of)); m.Applications.Count > 0 {
		m.Applications.About = "each user has different applications: application_new and application_same of the margins"
	}
	m.Statuses = c.statuses()
}

// atoms finds the law of one thing that users ask for; none where nobody asks.
func (c *Collector) atoms(what int, about string, absent float64) population.Atoms {
	count := map[float64]int{}
	n := 0
	for i := range c.jobs {
		x := c.jobs[i].asks[what]
		if x != absent {
			n++
		}
		count[x]++
	}
	if n == 0 {
		return population.Atoms{}
	}
	scores(len(c.jobs), func(i int) float64 { return c.jobs[i].asks[what] }, func(i int, z float64) { c.jobs[i].asked[what] = float32(z) })
	var all []float64
	for x := range count {
		all = append(all, x)
	}
	slices.Sort(all)
	kept := map[float64]bool{all[len(all)-1]: true}
	byCount := slices.Clone(all)
	slices.SortStableFunc(byCount, func(a, b float64) int { return cmp.Compare(count[b], count[a]) })
	for _, x := range byCount[:min(len(byCount), maxAtoms-1)] {
		kept[x] = true
	}
	a := population.Atoms{About: about, Jobs: int64(n)}
	below := 0
	for _, x := range all {
		if below += count[x]; kept[x] && below > 0 {
			a.Values, a.Shares = append(a.Values, x), append(a.Shares, population.Short(float64(below)/float64(len(c.jobs))))
			below = 0
		}
		if x == absent && n < len(c.jobs) && !kept[x] { // not to be taken as a value
			a.Values, a.Shares = append(a.Values, x), append(a.Shares, population.Short(float64(below)/float64(len(c.jobs))))
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
	slices.Sort(late)
	slices.Sort(over)
	e.Late, e.Overrun = population.NewQuantiles(late), population.NewQuantiles(over)
}

// reached returns whether a job ended at its estimate.
func (j *job) reached() bool {
	asked := j.asks[asksTime]
	return asked > 0 && j.run >= population.ReachedFrom*asked && j.run <= population.ReachedTo*asked+60
}

// classOf is the place of a run time in waitClasses.
func classOf(run float64) int {
	k := len(waitClasses) - 1
	for waitClasses[k] > run {
		k--
	}
	return k
}

// queueAtoms finds the law of queues. They are in the order of their jobs' mean scores
// of run times, so that they have ranks.
func (c *Collector) queueAtoms() population.Atoms {
	queues := c.byRunTime(func(i int) int64 { return c.jobs[i].queue })
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
func (c *Collector) byRunTime(label func(i int) int64) (labels []int64) {
	type mean struct{ n, of float64 }
	of := map[int64]*mean{}
	for i := range c.jobs {
		at := label(i)
		if at == workload.Unknown {
			continue
		}
		m := of[at]
		if m == nil {
			m = &mean{}
			of[at] = m
			labels = append(labels, at)
		}
		m.n++
		m.of += (c.jobs[i].runRank - m.of) / m.n
	}
	slices.SortFunc(labels, func(a, b int64) int { return cmp.Or(cmp.Compare(of[a].of, of[b].of), cmp.Compare(a, b)) })
	return labels
}

// statuses finds how jobs end.
func (c *Collector) statuses() population.Statuses {
	s := population.Statuses{About: "status codes by run time, from the run times named on, and of the jobs that reached their estimates"}
	place := map[int64]int{}
	for i := range c.jobs {
		if j := &c.jobs[i]; j.status >= 0 {
			place[j.status] = 0
		}
	}
	if len(place) == 0 {
		return population.Statuses{}
	}
	for code := range place {
		s.Values = append(s.Values, code)
	}
	slices.Sort(s.Values)
	unknown := len(s.Values)
	for k, code := range s.Values {
		place[code] = k
	}
	s.Values = append(s.Values, -1)
	at := func(j *job) int {
		if k, ok := place[j.status]; ok {
			return k
		}
		return unknown
	}
	law := func(n []float64, of float64) (shares []float64) {
		for _, x := range n {
			shares = append(shares, population.Short(x/of))
		}
		return shares
	}
	classes := make([][]float64, len(waitClasses))
	for k := range classes {
		classes[k] = make([]float64, len(s.Values))
	}
	sums, reached := make([]float64, len(waitClasses)), make([]float64, len(s.Values))
	ends := 0.0
	for i := range c.jobs {
		j := &c.jobs[i]
		if j.reached() {
			reached[at(j)]++
			ends++
			continue
		}
		k := classOf(j.run)
		classes[k][at(j)]++
		sums[k]++
	}
	if ends > 0 {
		s.Reached = law(reached, ends)
	}
	for k, from := range waitClasses {
		if sums[k] > 0 {
			s.Classes = append(s.Classes, population.StatusClass{From: from, Jobs: int64(sums[k]), Shares: law(classes[k], sums[k])})
		}
	}
	var same, chance, pairs float64
	last := map[int64]*job{}
	for i := range c.jobs {
		j := &c.jobs[i]
		if p := last[j.user]; p != nil && p.like(j) {
			k := classOf(j.run)
			if sums[k] > 0 {
				pairs++
				chance += classes[k][at(p)] / sums[k]
				if at(p) == at(j) {
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
	type group struct {
		n, run float64
		asked  [asks]float64 // scores
		first  [asks]float64 // of its first job
	}
	var of []group
	var prev *job
	seen := map[int64]bool{}
	fresh, same, changes, reached := 0.0, 0.0, 0.0, 0.0
	for _, i := range p.jobs {
		j := &c.jobs[i]
		if prev == nil || !prev.like(j) {
			of = append(of, group{first: j.asks})
			if prev != nil {
				changes++
				if j.app == prev.app {
					same++
				} else if !seen[j.app] {
					fresh++
				}
			}
			seen[j.app] = true
		}
		if j.reached() {
			reached++
		}
		g := &of[len(of)-1]
		g.n++
		g.run += (float64(j.runOfAll) - g.run) / g.n
		for k := range g.asked {
			g.asked[k] += (float64(j.asked[k]) - g.asked[k]) / g.n
		}
		prev = j
	}
	t := &p.traits
	if m.Applications.Count > 0 && changes > 0 {
		t[population.ApplicationNew], t[population.ApplicationSame] = fresh/changes, same/changes
	}
	for k, mean := range []population.Trait{population.EstimateMean, population.MemoryMean, population.QueueMean} {
		if !m.Has(mean) {
			continue
		}
		var x, n float64
		for _, g := range of {
			x, n = x+g.n*g.asked[k], n+g.n
		}
		t[mean] = x / n
		if k == asksTime {
			t[population.EstimateReached] = reached / n
		}
		if len(of) < 2 {
			continue
		}
		again := 0.0
		for i := range of[1:] {
			if of[i+1].first[k] == of[i].first[k] {
				again++
			}
		}
		t[mean+2] = again / float64(len(of)-1)
		if len(of) < 3 {
			continue
		}
		groups := float64(len(of))
		var mx, mr float64
		for _, g := range of {
			mx, mr = mx+g.asked[k]/groups, mr+g.run/groups
		}
		var xx, rr, xr float64
		for _, g := range of {
			a, b := g.asked[k]-mx, g.run-mr
			xx, rr, xr = xx+a*a, rr+b*b, xr+a*b
		}
		t[mean+1] = math.Sqrt(xx / (groups - 1))
		if k == asksTime && xx > 1e-6*groups && rr > 1e-6*groups {
			t[population.EstimateRun] = max(-.95, min(.95, xr/math.Sqrt(xx*rr)))
		}
	}
	if m.Has(population.ResourceMean) {
		c.resourceTraits(p)
	}
}
