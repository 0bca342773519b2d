package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

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
	for u := range l.people {
		for i := range l.people[u].templates {
			t := &l.people[u].templates[i]
			all = append(all, ranked{t.score, int32(len(all)), t})
			total += t.jobs
		}
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
	for u := range l.people {
		x := &l.people[u]
		for i := range x.templates {
			x.templates[i].class = p.class(&x.templates[i])
		}
		for i := range x.jobs {
			t := &x.templates[x.jobs[i].template]
			x.jobs[i].size, x.jobs[i].class = t.size, t.class
		}
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
		for u := range l.people {
			x := &l.people[u]
			for i := range x.jobs {
				counts[x.jobs[i].class][cell(x.jobs[i].score+x.shift)/coarse]++
			}
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
	for u := range l.people {
		x := &l.people[u]
		for i := range x.jobs {
			below[x.jobs[i].class][cell(x.jobs[i].score+x.shift)]++
		}
	}
	for c := range below {
		for k, n := range below[c] {
			below[c][k] = total[c]
			total[c] += n
		}
	}
	for u := range l.people {
		x := &l.people[u]
		for i := range x.jobs {
			j := &x.jobs[i]
			at := &below[j.class][cell(j.score+x.shift)]
			j.run = math.Round(p.runLaw[j.class].at((*at + .5) / total[j.class]))
			*at++
		}
	}
}

func cell(z float64) int { return int(max(0, min(cells, (z+edge)*(cells/(2*edge))))) }
