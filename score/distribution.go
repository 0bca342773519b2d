package score

import (
	"encoding/json"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Share is a point of a distribution function.
type Share struct {
	Value  float64
	AtMost float64 // share of the predictions or jobs whose value does not exceed Value, in [0, 1]
}

// MarshalJSON writes the point as a pair: [value, share].
func (s Share) MarshalJSON() ([]byte, error) { return json.Marshal([2]float64{s.Value, s.AtMost}) }

// JSONShape returns a value of the type that MarshalJSON writes.
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

// AccuracyDistribution returns the distribution function of the accuracy at 0,
// 0.01, ... 1: figure 3 of Sonmez and others (2009), upper part. It is exact for any number of
// predictions, and nil if there are none.
func (t *RunTimeTally) AccuracyDistribution() []Share {
	t.settle()
	var all []Share
	for k := 0; k <= accuracyParts && t.sums.predicted() > 0; k++ {
		all = append(all, Share{float64(k) / accuracyParts, ratio(t.accuracyAtMost(k), t.sums.predicted())})
	}
	return all
}

// accuracyParts is the number of parts into which [0, 1] is divided to count accuracies.
const accuracyParts = 100

// hundredth returns the least k for which an accuracy is at most k/100. It corrects the rounding
// of the product, which may be off by one.
func hundredth(accuracy float64) int {
	k := int(math.Ceil(accuracyParts * accuracy))
	switch {
	case accuracy > float64(k)/accuracyParts:
		k++
	case k > 0 && accuracy <= float64(k-1)/accuracyParts:
		k--
	}
	return k
}

// accuracyAtMost returns the number of predictions whose accuracy is at most k/100.
func (t *RunTimeTally) accuracyAtMost(k int) (n int) {
	for _, count := range t.hundredths[:k+1] {
		n += count
	}
	return n
}

// AbsoluteErrorDistribution returns the distribution function of the absolute
// error, in s, at ten points a decade from 1 s to the first that no error
// exceeds: figure 3 of Sonmez and others (2009), lower part. Beyond Keep
// predictions it is approximate: a point may include errors that exceed it by
// up to 2 stats.RelativeError. It is nil if there are no predictions.
func (t *RunTimeTally) AbsoluteErrorDistribution() []Share {
	t.settle()
	return byDecade(&t.absolute)
}

// byDecade returns the distribution function at ten points a decade from 1 to the first that
// no value exceeds; nil if there are no values.
func byDecade(q *stats.Distribution) (all []Share) {
	// The largest float64 is below 10^308.3.
	for i := 0; i <= 3082 && q.N() > 0; i++ {
		x := math.Pow(10, float64(i)/10)
		all = append(all, Share{x, q.AtMost(x)})
		if all[i].AtMost == 1 {
			break
		}
	}
	return all
}

// ScheduleDistributions contains the distribution functions of the jobs' waits,
// response times and slowdowns in a schedule.
type ScheduleDistributions struct {
	Wait     []Share `json:"wait_s"`
	Response []Share `json:"response_s"`
	Slowdown []Share `json:"bounded_slowdown"`
}

// Distributions returns the distribution functions at 0 and at ten points a
// decade from 1 to the first that no value exceeds: figure 6 of Sonmez and
// others (2009). They are as exact as a stats.Distribution, and nil if there are no
// jobs.
func (t *ScheduleTally) Distributions() ScheduleDistributions {
	shares := func(s *spread) []Share {
		atZero := Share{0, s.quantiles.AtMost(0)}
		switch {
		case s.quantiles.N() == 0:
			return nil
		case atZero.AtMost == 1:
			return []Share{atZero}
		}
		return append([]Share{atZero}, byDecade(&s.quantiles)...)
	}
	return ScheduleDistributions{shares(&t.wait), shares(&t.response), shares(&t.slowdown)}
}
