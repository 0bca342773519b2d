package population

import (
	"cmp"
	"maps"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// requests fits the distributions of what users request and of how jobs end, and sets the scores
// of each job.
func (f *fitter) requests() {
	m := &f.m
	for i, z := range scores(values(f.jobs, func(j *job) float64 { return j.run })) {
		f.jobs[i].runOfAll = float32(z)
	}
	if m.Estimates.Atoms = f.atoms(population.AsksTime, "requested run times; 0: none", 0); m.Asks(population.AsksTime) {
		f.reached()
	}
	f.resources()
	if m.Resources.Column("requested_memory_kb") == nil {
		m.Memory = f.atoms(population.AsksMemory, "requested memory in KB per processor; 0: none", 0)
	}
	if m.Resources.Column("queue_id") == nil {
		f.queues()
	}
	applications := map[int64]bool{}
	for _, j := range f.jobs {
		if j.app != workload.Unknown {
			applications[j.app] = true
			m.Applications.Jobs++
		}
	}
	if m.Applications.Count = int64(len(applications)); m.Applications.Count > 0 {
		m.Applications.About = "each user has different applications: application_new and application_same of the margins"
	}
	f.statuses()
}

// atoms fits the distribution of one kind of request, empty if no job makes it. If there are many
// values, only the most frequent are kept, and others count as the next larger one.
func (f *fitter) atoms(what int, about string, absent float64) population.Atoms {
	const most = 60
	x := values(f.jobs, func(j *job) float64 { return j.asks[what] })
	all, counts := stats.Distinct(x)
	n := len(x)
	if k, ok := slices.BinarySearch(all, absent); ok {
		n -= int(counts[k])
	}
	if n == 0 {
		return population.Atoms{}
	}
	for i, z := range scores(x) {
		f.jobs[i].asked[what] = float32(z)
	}
	frequent := indices(len(all), func(a, b int) int { return cmp.Compare(counts[b], counts[a]) })[:min(len(all), most-1)]
	a := population.Atoms{About: about, Jobs: int64(n)}
	below := 0.0
	for k, v := range all {
		below += counts[k]
		if k == len(all)-1 || v == absent || slices.Contains(frequent, k) { // absent must not count as a larger value
			a.Values, a.Shares = append(a.Values, v), append(a.Shares, population.Short(below/float64(len(x))))
			below = 0
		}
	}
	return a
}

// indices returns the numbers from 0 to n-1 sorted by order; equal ones stay in order.
func indices(n int, order func(a, b int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, order)
	return out
}

// reached finds the shares of jobs that reach or exceed their estimates, and by how much.
func (f *fitter) reached() {
	e := &f.m.Estimates
	classes := make([]population.ReachedClass, len(runTimeClasses))
	var late, over []float64
	early := 0.0
	for _, j := range f.jobs {
		asked := j.asks[population.AsksTime]
		if !(asked > 0) {
			continue
		}
		c := &classes[classOf(j.run)]
		c.Jobs++
		switch {
		case j.reached() && j.run < asked:
			c.Share++
			early++
		case j.reached():
			c.Share++
			late = append(late, j.run-asked)
		case j.run >= asked:
			c.Beyond++
			over = append(over, j.run/asked)
		}
	}
	for k, c := range classes {
		if n := float64(c.Jobs); n > 0 {
			c.From, c.Share, c.Beyond = runTimeClasses[k], population.Short(c.Share/n), population.Short(c.Beyond/n)
			e.Reached = append(e.Reached, c)
		}
	}
	e.Early = population.Short(early / max(1, early+float64(len(late))))
	e.Late, e.Overrun = quantiles(late), quantiles(over)
}

// reached reports whether a job ended at its estimate.
func (j *job) reached() bool {
	asked := j.asks[population.AsksTime]
	return asked > 0 && j.run >= population.ReachedFrom*asked && j.run <= population.ReachedTo*asked+60
}

// like reports whether next, the user's next job, has the same template: equal size, application,
// estimate and resources.
func (j *job) like(next *job) bool {
	return j.size == next.size && j.app == next.app && j.asks[population.AsksTime] == next.asks[population.AsksTime] && j.combination == next.combination
}

// queues fits the distribution of queues. They are sorted by the mean score of their jobs' run
// times, so that they can be ranked.
func (f *fitter) queues() {
	queues := f.byRunTime(func(j *job) int64 { return j.queue })
	place := map[int64]float64{workload.Unknown: -1}
	for k, label := range queues {
		place[label] = float64(k)
	}
	for _, j := range f.jobs {
		j.asks[population.AsksQueue] = place[j.queue]
	}
	a := f.atoms(population.AsksQueue, "queues, by the mean score of their run times; -1: none", -1)
	for i, k := range a.Values {
		if k >= 0 {
			a.Values[i] = float64(queues[int(k)])
		}
	}
	f.m.Queues = a
}

// byRunTime returns the labels of jobs, sorted by the mean score of the run times of their jobs.
// Jobs with an unknown label are ignored.
func (f *fitter) byRunTime(label func(j *job) int64) []int64 {
	n, mean := map[int64]float64{}, map[int64]float64{}
	for _, j := range f.jobs {
		if at := label(j); at != workload.Unknown {
			n[at]++
			mean[at] += (j.runRank - mean[at]) / n[at]
		}
	}
	return slices.SortedFunc(maps.Keys(n), func(a, b int64) int { return cmp.Or(cmp.Compare(mean[a], mean[b]), cmp.Compare(a, b)) })
}

// statuses fits the distribution of the jobs' statuses.
func (f *fitter) statuses() {
	s := population.Statuses{About: "status codes by lower bound of run time, and for jobs that reached their estimates"}
	place := map[int64]int{}
	for _, j := range f.jobs {
		place[j.status] = 0
	}
	delete(place, -1)
	if len(place) == 0 {
		return
	}
	s.Values = append(slices.Sorted(maps.Keys(place)), -1)
	for k, code := range s.Values {
		place[code] = k
	}
	last := len(runTimeClasses) // index for the jobs that reached their estimates
	counts, sums := make([][]float64, last+1), make([]float64, last+1)
	for k := range counts {
		counts[k] = make([]float64, len(s.Values))
	}
	for _, j := range f.jobs {
		k := last
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
		if k == last {
			s.Reached = shares
		} else {
			s.Classes = append(s.Classes, population.StatusClass{Class: population.Class{From: runTimeClasses[k], Jobs: int64(sum)}, Shares: shares})
		}
	}
	// How often a job has the status of the previous job of its template, beyond chance.
	var same, chance, pairs float64
	for _, p := range f.people {
		for i, j := range p.jobs[1:] {
			before, k := p.jobs[i], classOf(j.run)
			if before.like(j) && sums[k] > 0 {
				pairs++
				chance += counts[k][place[before.status]] / sums[k]
				if before.status == j.status {
					same++
				}
			}
		}
	}
	if pairs > chance {
		s.Again = population.Short(max(0, (same-chance)/(pairs-chance)))
	}
	f.m.Statuses = s
}
