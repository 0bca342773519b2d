package score

import (
	"encoding/json"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/stats"
)

// accuracyParts is how many parts [0, 1] has where accuracies are counted.
const accuracyParts = 1000

// runTimeCounts are the distributions of many predictions. They merge, and
// depend on the predictions only.
type runTimeCounts struct {
	accuracy [accuracyParts + 1]int // of those above (k-1)/accuracyParts, up to k/accuracyParts
	absolute stats.LogLinear        // s
	relative stats.LogLinear        // of jobs that did run
}

func (c *runTimeCounts) add(block []runTimePair) {
	for _, p := range block {
		e := math.Abs(p.predicted - p.actual)
		c.accuracy[int(math.Ceil(accuracyParts*stats.Accuracy(p.predicted, p.actual)))]++
		c.absolute.Add(e)
		if p.actual > 0 {
			c.relative.Add(e / p.actual)
		}
	}
}

// distribution is what quantiles and shares are asked of.
type distribution interface {
	Quantile(p float64) float64
	AtMost(x float64) float64
}

// accuracies, absoluteErrors and relativeErrors are the distributions of a
// tally's predictions, exact or from counts.
func (t *RunTimeTally) accuracies() distribution {
	if t.settle(); t.counts != nil {
		return accuracyCounts{t.counts}
	}
	return t.ascending(func(p runTimePair) float64 { return stats.Accuracy(p.predicted, p.actual) })
}

func (t *RunTimeTally) absoluteErrors() distribution {
	if t.settle(); t.counts != nil {
		return &t.counts.absolute
	}
	return t.ascending(func(p runTimePair) float64 { return math.Abs(p.predicted - p.actual) })
}

func (t *RunTimeTally) relativeErrors() distribution {
	if t.settle(); t.counts != nil {
		return &t.counts.relative
	}
	return t.ascending(func(p runTimePair) float64 {
		if !(p.actual > 0) {
			return math.NaN()
		}
		return math.Abs(p.predicted-p.actual) / p.actual
	})
}

// ascending are some number of each kept prediction, but for NaN.
func (t *RunTimeTally) ascending(of func(runTimePair) float64) ascending {
	all := make(ascending, 0, len(t.kept))
	for _, p := range t.kept {
		if x := of(p); !math.IsNaN(x) {
			all = append(all, x)
		}
	}
	slices.Sort(all)
	return all
}

// ascending are the values themselves.
type ascending []float64

func (a ascending) Quantile(p float64) float64 { return stats.Quantile(a, p) }

func (a ascending) AtMost(x float64) float64 {
	return ratio(sort.Search(len(a), func(i int) bool { return a[i] > x }), len(a))
}

// accuracyCounts asks the counts of accuracies: a quantile is right to the
// width of a part, a share at a part's end exactly.
type accuracyCounts struct{ *runTimeCounts }

func (c accuracyCounts) total() int {
	n := 0
	for _, k := range c.accuracy {
		n += k
	}
	return n
}

func (c accuracyCounts) Quantile(p float64) float64 {
	n := c.total()
	if n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	place := p * float64(n-1)
	i := int(place)
	low := c.at(i)
	if place == float64(i) {
		return low
	}
	return low + (c.at(i+1)-low)*(place-float64(i))
}

// at is the i-th smallest accuracy, from 0, to the width of a part.
func (c accuracyCounts) at(i int) float64 {
	for k, count := range c.accuracy {
		if i -= count; i < 0 {
			return float64(k) / accuracyParts
		}
	}
	return 1
}

func (c accuracyCounts) AtMost(x float64) float64 {
	n := 0
	for k := 0; k <= accuracyParts && float64(k)/accuracyParts <= x; k++ {
		n += c.accuracy[k]
	}
	return ratio(n, c.total())
}

// Share is a point of a distribution function.
type Share struct {
	Value  float64
	AtMost float64 // share of the predictions, or jobs, whose value does not exceed Value, in [0, 1]
}

// MarshalJSON writes the point as a pair: [value, share].
func (s Share) MarshalJSON() ([]byte, error) { return json.Marshal([2]float64{s.Value, s.AtMost}) }

// JSONShape returns the type that the JSON has.
func (Share) JSONShape() any { return [2]float64{} }

// UnmarshalJSON reads a pair written by MarshalJSON.
func (s *Share) UnmarshalJSON(text []byte) error {
	var pair [2]float64
	if err := json.Unmarshal(text, &pair); err != nil {
		return err
	}
	s.Value, s.AtMost = pair[0], pair[1]
	return nil
}

// accuracySteps are the points of AccuracyDistribution less one.
const accuracySteps = 100

// AccuracyDistribution returns the distribution function of the accuracy at 0,
// 0.01, ... 1: figure 3 of Sonmez and others (2009), upper part. It is exact,
// and nil if there are no predictions.
func (t *RunTimeTally) AccuracyDistribution() []Share {
	d := t.accuracies()
	var all []Share
	for i := 0; i <= accuracySteps && t.sums.predicted() > 0; i++ {
		x := float64(i) / accuracySteps
		all = append(all, Share{x, d.AtMost(x)})
	}
	return all
}

// AbsoluteErrorDistribution returns the distribution function of the absolute
// error, in s, at ten points a decade from 1 s to the first that no error
// exceeds: figure 3 of Sonmez and others (2009), lower part. Beyond Keep
// predictions it is approximate: a point may include errors that exceed it by
// up to 2 stats.RelativeError. It is nil if there are no predictions.
func (t *RunTimeTally) AbsoluteErrorDistribution() []Share {
	d := t.absoluteErrors()
	var all []Share
	// Errors end before 10^300.
	for i := 0; i <= 3000 && t.sums.predicted() > 0; i++ {
		x := math.Pow(10, float64(i)/10)
		s := Share{x, d.AtMost(x)}
		all = append(all, s)
		if s.AtMost == 1 {
			break
		}
	}
	return all
}
