package population

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

const (
	coarse    = 1 << 3 // cells are one while users' scores are shifted
	shifts    = 12
	shiftStep = .35           // of ln work, of the scores of run times
	sizeStep  = shiftStep / 2 // and of those of sizes
)

// sizesAndRunTimes gives jobs their sizes, and their run times by rank within the class of their
// size, so that both have their laws, in rounds in which each user's scores are shifted towards
// the work that it is to do.
func (w *Workload) sizesAndRunTimes(l *lap) {
	tables := make([][cells/coarse + 1]float64, len(w.classes))
	work := make([]float64, len(l.people))
	for round := range shifts {
		w.sizes(l)
		for c, scores := range w.byClass(l, cells/coarse+1, func(x *person, j *job) int { return cell(j.score+x.shift) / coarse }) {
			for k, p := range scores.middles() {
				if scores[k] > 0 {
					tables[c][k] = w.runs[c].at(p)
				}
			}
		}
		par.Each(w.o.Workers, len(l.people), func(u int) {
			x := &l.people[u]
			work[u] = 0
			for i := 0; i < len(x.jobs); {
				end, sum := x.bag(i, func(j *job) float64 {
					return tables[j.class][cell(j.score+x.shift)/coarse] * float64(j.size)
				})
				x.lighten(i, end, sum)
				work[u] += sum
				i = end
			}
		})
		if round == 0 {
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
	var rank []func(c int) float64 // equals in their users' order
	for _, scores := range w.byClass(l, cells+1, func(x *person, j *job) int { return cell(j.score + x.shift) }) {
		rank = append(rank, scores.ranks())
	}
	for x, j := range l.jobs() {
		j.run = math.Round(w.runs[j.class].at(rank[j.class](cell(j.score + x.shift))))
	}
}

// bag returns the end of the bag that begins with the i-th job, and its work.
func (x *person) bag(i int, work func(j *job) float64) (end int, sum float64) {
	for end = i; end == i || end < len(x.jobs) && x.jobs[end].how == inBag; end++ {
		sum += work(&x.jobs[end])
	}
	return end, sum
}

// lighten lowers the scores of a bag of several jobs that has more work than the user has under
// way at once.
func (x *person) lighten(from, end int, work float64) {
	if over := math.Log(work) - x.traits.LnAtOnce; over > 0 && end > from+1 {
		for i := range x.jobs[from:end] {
			x.jobs[from+i].score -= shiftStep * over
		}
	}
}

// byClass counts the jobs of each class of sizes by n cells; those of none do not count.
func (w *Workload) byClass(l *lap, n int, cell func(x *person, j *job) int) []ranking {
	counts := make([]ranking, len(w.classes))
	for c := range counts {
		counts[c] = make(ranking, n)
	}
	for x, j := range l.jobs() {
		if c := cell(x, j); c != none {
			counts[j.class][c]++
		}
	}
	return counts
}

// budgets gives the work to be done in a stratum to its users in the order of the work
// that they have made, so that little is left to shift.
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
