package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model/population"
)

const (
	shifts    = 8
	shiftStep = .5            // change of run-time scores per unit of ln work
	sizeStep  = shiftStep / 2 // change of size scores per unit of ln work
)

// sizesAndRunTimes assigns to jobs their sizes and, by rank within the class of their size, their
// run times, so that both follow the model's distributions. It first shifts each user's scores,
// in rounds, towards the work that the user is to do.
func (w *Workload) sizesAndRunTimes(l *lap) {
	templates := l.templates()
	w.sizes(templates, l)
	for round := range shifts {
		w.shift(l, round == 0)
		w.sizes(templates, l)
	}
	var rank []func(c int, n float64) float64 // equals in their users' order
	for _, scores := range w.byScore(l) {
		rank = append(rank, scores.ranks())
	}
	for x, j := range l.jobs() {
		t := &x.templates[j.template]
		j.wait = w.waited(t.size, j.wait)
		j.size, j.run = t.size, math.Round(w.runs[t.class].at(rank[t.class](cell(j.score+x.shift), 1)))
	}
}

// waited returns the wait that users saw for jobs of a size, at a probability.
func (w *Workload) waited(size int64, p float64) float64 {
	k := population.Find(w.m.Waits.Classes, float64(size))
	if k < 0 {
		return 0
	}
	return w.waits[k].at(p)
}

// shift moves the scores of users towards the work that they are to do, given the work that they
// would do with their present scores. In the first round it also assigns to users the work to do.
func (w *Workload) shift(l *lap, first bool) {
	runs := make([][cells]float64, len(w.classes))
	for c, scores := range w.byScore(l) {
		for k, p := range scores.middles() {
			if scores[k] > 0 {
				runs[c][k] = w.runs[c].at(p)
			}
		}
	}
	work := make([]float64, len(l.people))
	par.Each(w.o.Workers, len(l.people), func(u int) {
		x := &l.people[u]
		for i := 0; i < len(x.jobs); {
			end, sum := x.bag(i, func(j *job) float64 {
				t := &x.templates[j.template]
				return runs[t.class][cell(j.score+x.shift)] * float64(t.size)
			})
			x.lighten(i, end, sum)
			work[u] += sum
			i = end
		}
	})
	if first {
		budgets(l.people, work)
	}
	for u := range l.people {
		x := &l.people[u]
		short := math.Max(-3, math.Min(3, math.Log(x.work/math.Max(1, work[u]))))
		x.shift += shiftStep * short
		for i := range x.templates {
			x.templates[i].score += sizeStep * short
		}
	}
}

// byScore counts the jobs of each class of run times by score.
func (w *Workload) byScore(l *lap) []ranking {
	return w.byClass(l, cells, func(x *person, j *job) int { return cell(j.score + x.shift) })
}

// bag returns the end of the bag that begins with job i, and its work.
func (x *person) bag(i int, work func(j *job) float64) (end int, sum float64) {
	for end = i; end == i || end < len(x.jobs) && x.jobs[end].how == inBag; end++ {
		sum += work(&x.jobs[end])
	}
	return end, sum
}

// lighten lowers the scores of a bag of several jobs if it has more work than the user has under
// way at once.
func (x *person) lighten(from, end int, work float64) {
	if over := math.Log(work) - x.traits.LnAtOnce; over > 0 && end > from+1 {
		for i := range x.jobs[from:end] {
			x.jobs[from+i].score -= shiftStep * over
		}
	}
}

// byClass counts the jobs of each class of run times in n cells.
func (w *Workload) byClass(l *lap, n int, cell func(x *person, j *job) int) []ranking {
	counts := make([]ranking, len(w.classes))
	for c := range counts {
		counts[c] = make(ranking, n)
	}
	for x, j := range l.jobs() {
		counts[x.templates[j.template].class][cell(x, j)]++
	}
	return counts
}

// budgets reassigns the users' work within each stratum in the order of the work they have made,
// so that little is left to shift.
func budgets(people []person, made []float64) {
	for first, last := 0, 0; first < len(people); first = last {
		var users []int
		var budgets []float64
		for ; last < len(people) && people[last].stratum == people[first].stratum; last++ {
			users, budgets = append(users, last), append(budgets, people[last].work)
		}
		slices.SortFunc(users, func(a, b int) int { return cmp.Or(cmp.Compare(made[a], made[b]), cmp.Compare(a, b)) })
		slices.Sort(budgets)
		for i, u := range users {
			people[u].work = budgets[i]
		}
	}
}
