package population

import (
	"cmp"
	"slices"

	"github.com/loadstone-hpc/loadstone/model/population"
)

// sizes gives templates their sizes, and the resources that go with them: by rank, so
// that all jobs have their laws.
func (w *Workload) sizes(l *lap) {
	all := l.templates()
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b *template) int {
		switch {
		case a.score < b.score:
			return -1
		case a.score > b.score:
			return 1
		}
		return 0
	})
	for i, k := range jobsOf(sorted).places(w.m.Sizes.Shares, 1) {
		sorted[i].size = w.m.Sizes.Sizes[k]
	}
	if w.asks[population.AsksResources] {
		w.resources(l)
	}
	for _, t := range all {
		t.class = w.class(t)
	}
	for x, j := range l.jobs() {
		t := &x.templates[j.template]
		j.size, j.class = t.size, t.class
	}
}

// jobsOf are the jobs of each template.
func jobsOf(templates []*template) ranking {
	jobs := make(ranking, len(templates))
	for i, t := range templates {
		jobs[i] = t.jobs
	}
	return jobs
}

// resources assigns to each template a row of the model's resources with its size. Templates
// take the rows in the order of their scores, so that the jobs of each size have the model's
// shares.
func (w *Workload) resources(l *lap) {
	const what = population.AsksResources
	bySize, scores := map[int64][]*template{}, map[*template]float32{}
	for u := range l.people {
		last := map[int64]float32{} // the user's score of each size
		for i := range l.people[u].templates {
			t := &l.people[u].templates[i]
			// The drawn score stays: in another round the template may have another size.
			score, ok := last[t.size]
			if !ok || !t.same[what] {
				score = t.asks[what]
			}
			last[t.size], scores[t] = score, score
			bySize[t.size] = append(bySize[t.size], t)
		}
	}
	r := &w.m.Resources
	for lo, hi := range r.Rows() {
		all := bySize[r.Sizes[lo]]
		slices.SortStableFunc(all, func(a, b *template) int { return cmp.Compare(scores[a], scores[b]) })
		for i, k := range jobsOf(all).places(r.Shares[lo:hi], sum(r.Shares[lo:hi])) {
			all[i].row = int32(lo + k)
		}
	}
}

// class is the class of the run times of a template's jobs.
func (w *Workload) class(t *template) uint8 {
	with := w.m.RunTimes.Classes
	if len(w.classes) > len(with) && w.asks[population.AsksResources] && !(w.rows[t.row].TakesGPUs > 0) {
		return uint8(len(with) + population.Find(w.classes[len(with):], float64(t.size)))
	}
	return uint8(population.Find(with, float64(t.size)))
}
