package predict

import "github.com/loadstone-hpc/loadstone/workload"

// Backoff combines predictors of bounds for nested groups, the finest first,
// such as the site's jobs of like size, all jobs of the site, and all jobs. Its
// bound is that of the finest group with enough waits. The change points of
// each predictor depend on its own bounds.
type Backoff struct {
	levels []BoundPredictor
	given  map[int64][]Bound // by Row: of each level, for the jobs that wait
}

var _ BoundPredictor = (*Backoff)(nil)

// NewBackoff returns a Backoff of at least one level. It takes ownership of the levels.
func NewBackoff(levels ...BoundPredictor) *Backoff {
	return &Backoff{levels, map[int64][]Bound{}}
}

// Name returns the name of the levels' predictors.
func (b *Backoff) Name() string { return b.levels[0].Name() }

// Predict implements BoundPredictor. If no level has a bound, the result is that of the
// last level.
func (b *Backoff) Predict(r workload.Request) (Bound, bool) {
	given := make([]Bound, len(b.levels))
	best := -1
	for i, p := range b.levels {
		var ok bool
		if given[i], ok = p.Predict(r); ok && best < 0 {
			best = i
		}
	}
	b.given[r.Row] = given
	if best < 0 {
		return given[len(given)-1], false
	}
	return given[best], true
}

// Observe implements BoundPredictor. It ignores the given bound, because each
// level remembers its own from Predict.
func (b *Backoff) Observe(j workload.Job, _ Bound) {
	given := b.given[j.Row]
	delete(b.given, j.Row)
	for i, p := range b.levels {
		said := NoBound()
		if given != nil {
			said = given[i]
		}
		p.Observe(j, said)
	}
}
