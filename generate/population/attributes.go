package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// gaps gives jobs the probabilities of the gaps before them: within bags by the rank
// of their scores in the lap, so that these gaps have their law, between bags by the
// normal law.
func (p *prepared) gaps(l *lap) {
	var below [cells + 1]float64
	total := 0.0
	for _, j := range l.jobs() {
		switch j.how {
		case inBag:
			below[cell(j.gap)]++
			total++
		case apart:
			j.gap = phi(j.gap)
		}
	}
	sum := 0.0
	for c, n := range below {
		below[c] = sum
		sum += n
	}
	for _, j := range l.jobs() {
		if j.how == inBag {
			at := &below[cell(j.gap)]
			j.gap = (*at + .5) / total
			*at++
		}
	}
}

// atHour is the probability that a bag waits for the end of a job, given that of any
// hour: the odds are multiplied by how active users are then over how active they
// are at the job's submission, since who sleeps when a job ends does not wait for it.
func (p *prepared) atHour(chance, submitted, ended float64) float64 {
	odds := chance * p.activity(ended) / p.activity(submitted)
	return odds / (odds + 1 - chance)
}

// asleep is the activity of hours in which nobody begins a session, over the mean.
const asleep = 1e-3

// activity is the share of sessions that begin in the hour of a moment, over the
// mean hour's.
func (p *prepared) activity(at float64) float64 {
	return p.active[min(len(p.active)-1, int((at-math.Floor(at/p.period)*p.period)/hour))]
}

// activities are the activities by hour.
func activities(hours []float64) []float64 {
	out := make([]float64, len(hours))
	before := 0.0
	for h, sum := range hours {
		out[h] = asleep + (sum-before)*float64(len(hours))/hours[len(hours)-1]
		before = sum
	}
	return out
}

// sizes gives templates their sizes, and the resources that go with them: by rank, so
// that all jobs have their laws.
func (p *prepared) sizes(l *lap) {
	type ranked struct {
		score float64
		order int32
		t     *template
	}
	var all []ranked
	total := 0.0
	for _, t := range l.templates() {
		all = append(all, ranked{t.score, int32(len(all)), t})
		total += t.jobs
	}
	slices.SortFunc(all, func(a, b ranked) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return cmp.Compare(a.order, b.order)
	})
	sum, k, upTo := 0.0, 0, p.m.Sizes.Shares[0]
	last := len(p.m.Sizes.Sizes) - 1
	for _, r := range all {
		for (sum+r.t.jobs/2)/total > upTo && k < last {
			k++
			upTo += p.m.Sizes.Shares[k]
		}
		sum += r.t.jobs
		r.t.size = p.m.Sizes.Sizes[k]
	}
	if p.asks[asksResources] {
		p.resources(l)
	}
	for _, t := range l.templates() {
		t.class = p.class(t)
	}
	for x, j := range l.jobs() {
		t := &x.templates[j.template]
		j.size, j.class = t.size, t.class
	}
}

// class is the class of the run times of a template's jobs.
func (p *prepared) class(t *template) uint8 {
	first, c := 0, len(p.m.RunTimes.Classes)-1
	if len(p.classes) > c+1 && p.asks[asksResources] && !(p.rows[int(t.asks[asksResources])].TakesGPUs > 0) {
		first, c = c+1, len(p.classes)-1
	}
	for c > first && p.classes[c].From > t.size {
		c--
	}
	return uint8(c)
}

const (
	cells  = 1 << 14 // of scores, from -edge to edge
	coarse = 1 << 3  // of them are one while users' scores are shifted
	edge   = 7.0
)

// runs gives jobs their run times: by rank within the class of their size, so that
// these have their law, in rounds in which each user's scores are shifted towards
// the work that it is to do.
func (p *prepared) runs(l *lap) {
	nc := len(p.classes)
	const n = cells/coarse + 1
	counts, tables := make([][n]float64, nc), make([][n]float64, nc)
	work := make([]float64, len(l.people))
	for round := range shifts {
		clear(counts)
		for x, j := range l.jobs() {
			counts[j.class][cell(j.score+x.shift)/coarse]++
		}
		for c := range counts {
			total := 0.0
			for _, n := range counts[c] {
				total += n
			}
			below := 0.0
			for k, n := range counts[c] {
				if n > 0 {
					tables[c][k] = p.runLaw[c].at((below + n/2) / total)
				}
				below += n
			}
		}
		par.Each(p.workers, len(l.people), func(u int) {
			x := &l.people[u]
			work[u] = 0
			for i := range x.jobs {
				j := &x.jobs[i]
				work[u] += tables[j.class][cell(j.score+x.shift)/coarse] * float64(j.size)
			}
		})
		if round == 0 {
			p.budgets(l, work)
		}
		for u := range l.people {
			x := &l.people[u]
			x.shift += .35 * math.Max(-3, math.Min(3, math.Log(x.work/math.Max(1, work[u]))))
		}
	}
	p.final(l)
}

const shifts = 8

// budgets gives the work to be done in a stratum to its users in the order of the work
// that they have made, so that little is left to shift.
func (p *prepared) budgets(l *lap, made []float64) {
	for first := 0; first < len(l.people); {
		last := first
		for last < len(l.people) && l.people[last].stratum == l.people[first].stratum {
			last++
		}
		of := make([]int, last-first)
		budgets := make([]float64, last-first)
		for i := range of {
			of[i], budgets[i] = first+i, l.people[first+i].work
		}
		slices.SortFunc(of, func(a, b int) int { return cmp.Or(cmp.Compare(made[a], made[b]), cmp.Compare(a, b)) })
		slices.Sort(budgets)
		for i, u := range of {
			l.people[u].work = budgets[i]
		}
		first = last
	}
}

// final gives each job the run time of its rank, equals in their users' order.
func (p *prepared) final(l *lap) {
	below := make([][cells + 1]float64, len(p.classes))
	total := make([]float64, len(p.classes))
	for x, j := range l.jobs() {
		below[j.class][cell(j.score+x.shift)]++
	}
	for c := range below {
		for k, n := range below[c] {
			below[c][k] = total[c]
			total[c] += n
		}
	}
	for x, j := range l.jobs() {
		at := &below[j.class][cell(j.score+x.shift)]
		j.run = math.Round(p.runLaw[j.class].at((*at + .5) / total[j.class]))
		*at++
	}
}

func cell(z float64) int { return int(max(0, min(cells, (z+edge)*(cells/(2*edge))))) }

// resources assigns to each template a row of the model's resources with its size. Templates
// take the rows in the order of their scores, so that the jobs of each size have the model's
// shares.
func (p *prepared) resources(l *lap) {
	of := map[int64][]*template{}
	for u := range l.people {
		last := map[int64]float32{} // the user's score of each size
		for i := range l.people[u].templates {
			t := &l.people[u].templates[i]
			if score, ok := last[t.size]; ok && t.same[asksResources] {
				t.asks[asksResources] = score
			}
			last[t.size] = t.asks[asksResources]
			of[t.size] = append(of[t.size], t)
		}
	}
	r := &p.m.Resources
	r.Rows(func(size int64, lo, hi int) {
		all := of[size]
		slices.SortStableFunc(all, func(a, b *template) int { return cmp.Compare(a.asks[asksResources], b.asks[asksResources]) })
		place := make([]int, len(all))
		rankPlaces(place, func(i int) float64 { return all[i].jobs }, r.Shares[lo:hi])
		for i, t := range all {
			t.asks[asksResources] = float32(lo + place[i])
		}
	})
}

// rowsOf returns the rows of resources as jobs with no other values.
func rowsOf(r *population.Resources) []workload.Job {
	rows := make([]workload.Job, len(r.Sizes))
	for i := range rows {
		j := workload.UnknownJob()
		for k := range r.Columns {
			column, x := workload.FindColumn(r.Columns[k].Name), r.Columns[k].Values[i]
			switch {
			case x < 0:
			case column.Float():
				column.SetNumber(&j, x)
			default:
				column.SetInt(&j, int64(x))
			}
		}
		j.Derive()
		rows[i] = j
	}
	return rows
}

// has sets a job's resources to those of a row.
func (p *prepared) has(j *workload.Job, row int) {
	of := &p.rows[row]
	j.Partition, j.QOS, j.MemoryTotal = of.Partition, of.QOS, of.MemoryTotal
	j.Nodes, j.AllocatedNodes, j.TakesNodes = of.Nodes, of.AllocatedNodes, of.TakesNodes
	j.GPUs, j.AllocatedGPUs, j.TakesGPUs = of.GPUs, of.AllocatedGPUs, of.TakesGPUs
	j.GPUType, j.GPUShare = of.GPUType, of.GPUShare
	if p.m.Queues.Values == nil {
		j.Queue = of.Queue
	}
	if p.m.Memory.Values == nil {
		j.Memory = of.Memory
	}
}

// Optional returns the optional columns of the job table that the generated jobs have.
func (w *Workload) Optional() (s workload.ColumnSet) {
	for _, column := range w.p.m.Resources.Columns {
		if at := workload.ColumnIndex(column.Name); at >= workload.FirstOptional {
			s |= workload.ColumnSetOf(at)
		}
	}
	return s
}
