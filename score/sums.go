package score

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Sums contains the sums, over the jobs of one cluster, from which scores are
// computed. A cluster is the jobs of one user, or those submitted in one week.
// A bootstrap draws clusters and needs nothing else of the jobs.
type Sums struct {
	Predicted float64           // number of jobs that had a prediction
	Held      float64           // number of these whose time does not exceed the prediction
	Accuracy  float64           // sum of the accuracies
	Loss      float64           // sum of the pinball losses of bounds of waits, min; NaN if unknown, 0 for run times
	Logs      stats.Correlation // of ln predicted and ln actual waits; empty for run times
}

// AccuracyMean returns the mean accuracy in [0, 1]; NaN without predictions.
func (s Sums) AccuracyMean() float64 { return s.Accuracy / s.Predicted }

// HeldShare returns the share of the predicted jobs whose wait does not exceed
// the prediction: the coverage of a bound.
func (s Sums) HeldShare() float64 { return s.Held / s.Predicted }

// LossMean returns the mean pinball loss of bounds of waits, in minutes.
func (s Sums) LossMean() float64 { return s.Loss / s.Predicted }

// CorrelationLog returns the correlation coefficient of ln predicted and ln
// actual.
func (s Sums) CorrelationLog() float64 { return s.Logs.R() }

// add adds the sums of another cluster, the given number of times.
func (s *Sums) add(o *Sums, times int) {
	n := float64(times)
	s.Predicted += n * o.Predicted
	s.Held += n * o.Held
	s.Accuracy += n * o.Accuracy
	s.Loss += n * o.Loss
	if o.Logs.N() > 0 {
		for range times {
			s.Logs.Merge(o.Logs)
		}
	}
}

// Clusters contains the sums of one predictor for each cluster of a log's jobs.
type Clusters []Sums

// Whole returns the sums over all clusters.
func (c Clusters) Whole() (s Sums) {
	for i := range c {
		s.add(&c[i], 1)
	}
	return s
}

// bootstrap draws clusters with replacement, as many as there are, replicates times. All
// predictors have the same clusters, and each draw is the same for all of them. bootstrap
// returns the values of scores by predictor, score and draw. With fewer than two clusters there
// are no draws. Each draw has its own random stream, derived from the seed and its number.
func bootstrap(predictors []Clusters, replicates int, seed uint64, scores ...func(Sums) float64) [][][]float64 {
	drawn := make([][][]float64, len(predictors))
	for k := range predictors {
		drawn[k] = make([][]float64, len(scores))
	}
	if len(predictors) == 0 || len(predictors[0]) < 2 {
		return drawn
	}
	times := make([]int, len(predictors[0]))
	for r := range replicates {
		stats.DrawTimes(rand.New(rand.NewPCG(seed, uint64(r))), times)
		for k, c := range predictors {
			var sums Sums
			for i, t := range times {
				if t > 0 {
					sums.add(&c[i], t)
				}
			}
			for i, of := range scores {
				drawn[k][i] = append(drawn[k][i], of(sums))
			}
		}
	}
	return drawn
}

// Interval is a mean with a confidence interval. Low and High are NaN if fewer
// than two clusters (users or blocks of time) were scored.
type Interval struct{ Mean, Low, High float64 }

// interval returns the percentile interval of the given level. It ignores draws with the value
// NaN, in which no job was predicted or nothing varies.
func interval(mean float64, drawn []float64, level float64) Interval {
	drawn = slices.DeleteFunc(drawn, math.IsNaN)
	slices.Sort(drawn)
	return Interval{mean, stats.Quantile(drawn, (1-level)/2), stats.Quantile(drawn, (1+level)/2)}
}

// Difference draws clusters with replacement, replicates times, and returns the
// percentile interval of the given level (0.95 for 95 %) for the difference between the scores
// of two predictors on the same jobs: that of b minus that of a. Each draw takes the same
// clusters of both, so the comparison is paired, and the effect of jobs that are hard for both
// cancels. Low and High are NaN if there are fewer than two clusters. The same seed gives the
// same interval.
func Difference(a, b Clusters, of func(Sums) float64, replicates int, level float64, seed uint64) Interval {
	both := bootstrap([]Clusters{a, b}, replicates, seed, of)
	var drawn []float64
	for i, x := range both[1][0] {
		drawn = append(drawn, x-both[0][0][i])
	}
	return interval(of(b.Whole())-of(a.Whole()), drawn, level)
}
