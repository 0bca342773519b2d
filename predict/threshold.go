package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Threshold chooses the n' below which predictor A is used, and from which on B
// is used, as the paper chose 32: by the correlation of logarithms over ranges
// of n'. Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 5.3. The zero value is empty.
type Threshold struct {
	byNeed map[int64]*thresholdPairs
}

// thresholdPairs are the correlations at one n'; a is B's where A is silent.
type thresholdPairs struct{ a, b stats.Correlation }

// ThresholdChoice is one threshold (A for n' < Needed, else B) with the
// correlation of the logarithms of predicted and actual times.
type ThresholdChoice struct {
	Needed         int64
	CorrelationLog float64
}

// ThresholdRange contains the correlations of the logarithms of predicted and
// actual times, for predictors A and B, over a range of n'.
type ThresholdRange struct {
	From, To int64 // From <= n' < To; To is 0 for the last, open range
	Jobs     int
	A, B     float64
}

// Add enters one job that waited at the head: its n', the predictions of A and
// B (NaN for none) and the actual time at the head, in seconds.
func (t *Threshold) Add(needed int64, a, b, actual float64) {
	if math.IsNaN(b) || !(actual > 0) {
		return
	}
	if t.byNeed == nil {
		t.byNeed = map[int64]*thresholdPairs{}
	}
	p := t.byNeed[needed]
	if p == nil {
		p = new(thresholdPairs)
		t.byNeed[needed] = p
	}
	if math.IsNaN(a) {
		a = b
	}
	p.a.Add(math.Log(a), math.Log(actual))
	p.b.Add(math.Log(b), math.Log(actual))
}

func (t *Threshold) needs() []int64 {
	var needs []int64
	for n := range t.byNeed {
		needs = append(needs, n)
	}
	slices.Sort(needs)
	return needs
}

// Best returns the threshold with the largest correlation; the smallest of
// equals. A threshold above every n' that was met means A alone, the smallest
// threshold B alone. It is false if nothing was added.
func (t *Threshold) Best() (ThresholdChoice, bool) {
	best := ThresholdChoice{CorrelationLog: math.Inf(-1)}
	for _, c := range t.Choices() {
		if c.CorrelationLog > best.CorrelationLog {
			best = c
		}
	}
	return best, best.CorrelationLog > math.Inf(-1)
}

// Choices returns all thresholds that differ in effect, in ascending order.
func (t *Threshold) Choices() []ThresholdChoice {
	needs := t.needs()
	if len(needs) == 0 {
		return nil
	}
	above := make([]stats.Correlation, len(needs)+1) // B from there on
	for i := len(needs) - 1; i >= 0; i-- {
		above[i] = above[i+1]
		above[i].Merge(t.byNeed[needs[i]].b)
	}
	var out []ThresholdChoice
	var below stats.Correlation
	for i := range above {
		c := below
		c.Merge(above[i])
		at := needs[len(needs)-1] + 1
		if i < len(needs) {
			at = needs[i]
			below.Merge(t.byNeed[at].a)
		}
		out = append(out, ThresholdChoice{at, c.R()})
	}
	return out
}

// Ranges returns the correlations over the ranges of n' between the given
// edges, which must ascend.
func (t *Threshold) Ranges(edges []int64) []ThresholdRange {
	sums := make([]thresholdPairs, len(edges)+1)
	for _, n := range t.needs() {
		i, at := slices.BinarySearch(edges, n)
		if at {
			i++
		}
		sums[i].a.Merge(t.byNeed[n].a)
		sums[i].b.Merge(t.byNeed[n].b)
	}
	var out []ThresholdRange
	for i, s := range sums {
		r := ThresholdRange{Jobs: s.b.N(), A: s.a.R(), B: s.b.R()}
		if i > 0 {
			r.From = edges[i-1]
		}
		if i < len(edges) {
			r.To = edges[i]
		}
		out = append(out, r)
	}
	return out
}
