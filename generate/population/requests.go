package population

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// laws returns the distributions of the requests that do not depend on size.
func (w *Workload) laws() [population.AsksResources]*population.Atoms {
	return [...]*population.Atoms{population.AsksTime: &w.m.Estimates.Atoms, population.AsksMemory: &w.m.Memory, population.AsksQueue: &w.m.Queues}
}

// requests assigns requests to templates by rank, so that all jobs together follow the model's
// distributions, and ends jobs at their estimates. Estimates are no shorter than the run times of
// a template's jobs.
func (w *Workload) requests(l *lap) {
	for _, what := range []int{population.AsksMemory, population.AsksQueue} {
		if !w.asks[what] {
			continue
		}
		newAtoms(w.laws()[what].Shares).assign(l.templates(),
			func(t *template) float64 { return float64(t.asks[what]) },
			func(t *template, place int) { t.asks[what] = float32(place) })
	}
	var maps []runMap
	if w.asks[population.AsksTime] {
		w.means(l)
		w.estimate(l)
		w.each(l, reaching, w.lift)
		maps = w.restore(l)
	}
	if maps != nil || w.m.Statuses.Values != nil {
		w.each(l, finishing, func(x *person, rng *rand.Rand) { w.finish(x, maps, rng) })
	}
}

// means sets the mean run times of templates and, from the scores of these, the scores of the
// estimates.
func (w *Workload) means(l *lap) {
	scores := make(ranking, runCells)
	for _, j := range l.jobs() {
		scores[runCell(j.run)]++
	}
	for c, p := range slices.Clone(scores).middles() {
		scores[c] = quantile(p)
	}
	w.each(l, wishing, func(x *person, rng *rand.Rand) {
		for i := range x.jobs {
			j := &x.jobs[i]
			t := &x.templates[j.template]
			t.mean += float32(j.run * j.run * j.run / t.jobs)
		}
		n := float64(len(x.templates))
		mean, v, expected := 0.0, 0.0, 0.0
		for i := range x.templates {
			t := &x.templates[i]
			t.mean = float32(math.Cbrt(float64(t.mean)))
			mean += scores[runCell(float64(t.mean))] / n
			expected += w.reaches(t).Share * t.jobs / float64(len(x.jobs))
		}
		for i := range x.templates {
			d := scores[runCell(float64(x.templates[i].mean))] - mean
			v += d * d / n
		}
		more := 0.0
		if expected > 0 {
			more = x.traits.EstimateReached / expected
		}
		r := x.traits.EstimateRun
		slope := r / math.Max(.05, math.Sqrt(v))
		for i := range x.templates {
			t := &x.templates[i]
			t.over = 1
			if c := w.reaches(t); rng.Float64() < more*c.Share {
				t.reached = true
			} else if c.Beyond > 0 && rng.Float64() < c.Beyond {
				t.ignores, t.over = true, float32(math.Max(1, w.m.Estimates.Overrun.At(rng.Float64())))
			}
			z := &t.asks[population.AsksTime]
			if t.same[population.AsksTime] {
				*z = x.templates[i-1].asks[population.AsksTime]
				continue
			}
			of := slope*(scores[runCell(float64(t.mean))]-mean) + math.Sqrt(1-r*r)*float64(*z)
			*z = float32(x.traits.EstimateMean + x.traits.EstimateSD*of)
		}
	})
}

// reaches returns the shares of jobs that reach their estimates, and that run beyond them, for a
// template's mean run time.
func (w *Workload) reaches(t *template) (c population.ReachedClass) {
	classes := w.m.Estimates.Reached
	if k := population.Find(classes, float64(t.mean)); k >= 0 {
		c = classes[k]
	}
	return c
}

// slack is the least ratio of an estimate to the mean run time of its template.
const slack = .97

const estimateRounds = 12

// estimate assigns estimates to templates by rank; if an estimate is too short for a template's
// jobs, it takes the next one that is long enough. The distribution used for the ranks is
// adjusted in rounds, until the assigned estimates follow the model's.
func (w *Workload) estimate(l *lap) {
	law := w.m.Estimates.Atoms
	templates := l.templates()
	jobs, bound := make(ranking, cells), make([]float64, len(law.Values))
	least, score := make([]int, len(templates)), make([]int, len(templates)) // indexes of the shortest allowed estimates; cells of the scores
	isBound := func(t *template) bool { return t.reached || t.ignores }
	for i, t := range templates {
		if isBound(t) {
			least[i] = nearest(law.Values, float64(t.mean/t.over))
			bound[least[i]] += t.jobs
			continue
		}
		k, _ := slices.BinarySearch(law.Values, slack*float64(t.mean))
		least[i], score[i] = min(k, len(law.Values)-1), cell(float64(t.asks[population.AsksTime]))
		jobs[score[i]] += t.jobs
	}
	total, sumOfShares := sum(jobs)+sum(bound), sum(law.Shares)
	shares := slices.Clone(law.Shares)
	for round := range estimateRounds {
		asked, rank, got := newAtoms(shares), jobs.ranks(), slices.Clone(bound)
		for i, t := range templates {
			k := least[i]
			if !isBound(t) {
				// A value of 0 is no estimate, which is never too short.
				if want := asked.at(rank(score[i], t.jobs)); law.Values[want] == 0 || want > k {
					k = want
				}
				got[k] += t.jobs
			}
			if round == estimateRounds-1 {
				t.asks[population.AsksTime] = float32(k)
			}
		}
		for k := range shares {
			want := law.Shares[k] / sumOfShares * total
			shares[k] *= math.Max(.1, math.Min(10, (want+.5)/(got[k]+.5)))
		}
	}
}

// nearest returns the index of the positive value nearest to x, by their ratio.
func nearest(values []float64, x float64) int {
	k, _ := slices.BinarySearch(values, x)
	k = min(k, len(values)-1)
	if k > 0 && values[k-1] > 0 && values[k-1]*values[k] > x*x {
		k--
	}
	return k
}
