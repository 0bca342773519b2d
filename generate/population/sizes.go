package population

import "github.com/loadstone-hpc/loadstone/model/population"

// sizes assigns to templates their sizes, and the resources that go with them, by rank, so that
// all jobs together follow the model's distributions.
func (w *Workload) sizes(templates []*template, l *lap) {
	w.sizeLaw.assign(templates, func(t *template) float64 { return t.score }, func(t *template, place int) { t.size = w.m.Sizes.Sizes[place] })
	if w.asks[population.AsksResources] {
		w.resources(l)
	}
	for _, t := range templates {
		t.class = w.class(t)
	}
}

// resources assigns to each template a row of the model's resources with its size. Templates
// take the rows in the order of their scores, so that the jobs of each size have the model's
// shares.
func (w *Workload) resources(l *lap) {
	const what = population.AsksResources
	bySize, scores := map[int64][]*template{}, map[*template]float32{}
	for u := range l.people {
		last := map[int64]float32{} // the user's last score by size
		for i := range l.people[u].templates {
			t := &l.people[u].templates[i]
			// The drawn score in t.asks stays unchanged: in another round the template may have
			// another size.
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
		newAtoms(r.Shares[lo:hi]).assign(bySize[r.Sizes[lo]],
			func(t *template) float64 { return float64(scores[t]) },
			func(t *template, place int) { t.row = int32(lo + place) })
	}
}

// class returns the class of run times of a template's jobs.
func (w *Workload) class(t *template) uint8 {
	with := w.m.RunTimes.Classes
	if len(w.classes) > len(with) && w.asks[population.AsksResources] && !(w.rows[t.row].TakesGPUs > 0) {
		return uint8(len(with) + population.Find(w.classes[len(with):], float64(t.size)))
	}
	return uint8(population.Find(with, float64(t.size)))
}
