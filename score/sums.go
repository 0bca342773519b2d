package score

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Sums contains the sums, over the jobs of one cluster, from which scores are
// computed. A cluster is the jobs of one user, or those submitted in one week.
// A bootstrap draws clusters and needs nothing else of the jobs.
type Sums struct {
	Predicted float64           // jobs that had a prediction
	Held      float64           // of these, jobs whose wait does not exceed the prediction; 0 for run times
	Accuracy  float64           // sum of the accuracies
	Loss      float64           // sum of the pinball losses of bounds of waits, min; NaN if unknown, 0 for run times
	Logs      stats.Correlation // of ln predicted and ln actual waits; empty for run times
}

// AccuracyMean returns the mean accuracy in [0, 1]; NaN without predictions.
func (s Sums) AccuracyMean() float64 { return s.Accuracy / s.Predicted }

// HeldShare returns the share of the predicted jobs whose wait does not exceed
// the prediction: the coverage of a bound.
func (s Sums) HeldShare() float64 { return s.Held / s.Predicted }

// LossMean returns the mean pinball loss of bounds of waits, min.
func (s Sums) LossMean() float64 { return s.Loss / s.Predicted }

// CorrelationLog returns the correlation coefficient of ln predicted and ln
// actual.
func (s Sums) CorrelationLog() float64 { return s.Logs.R() }

// SumsScore returns the function that computes a score from sums, by the tag sums of the
// score's field. It panics for an unknown tag.
func SumsScore(tag string) func(Sums) float64 {
	switch tag {
	case "accuracy", "common":
		return Sums.AccuracyMean
	case "held":
		return Sums.HeldShare
	case "loss":
		return Sums.LossMean
	case "correlation":
		return Sums.CorrelationLog
	}
	panic("score: unknown sums tag " + strconv.Quote(tag))
}

func (s *Sums) add(o *Sums, times int) {
	s.Predicted += float64(times) * o.Predicted
	s.Held += float64(times) * o.Held
	s.Accuracy += float64(times) * o.Accuracy
	s.Loss += float64(times) * o.Loss
	for range times {
		s.Logs.Merge(o.Logs)
	}
}

// Clusters contains the sums of one predictor for each cluster of a log's jobs.
type Clusters struct {
	// Jobs is a fingerprint of the scored jobs and their clusters, with or
	// without predictions: equal values mean the same jobs.
	Jobs uint64
	Sums []Sums
}

// Same reports whether two runs scored the same jobs in the same clusters.
func (c Clusters) Same(o Clusters) bool { return c.Jobs == o.Jobs && len(c.Sums) == len(o.Sums) }

// Difference draws clusters with replacement, replicates times, and returns the
// percentile interval at that level (0.95 for 95 %) of the change of a score:
// now less before. If both runs scored the same jobs (see Clusters.Same), each
// draw takes the same clusters of both: the comparison is paired, and jobs that
// are hard for either run cancel. Else the two are drawn independently. Low and
// High are NaN if either has fewer than two clusters. The same seed gives the
// same interval.
func Difference(before, now Clusters, of func(Sums) float64, replicates int, level float64, seed uint64) Interval {
	if len(before.Sums) < 2 || len(now.Sums) < 2 {
		replicates = 0
	}
	other := seed
	if !before.Same(now) {
		other = ^seed
	}
	a, b := before.draw(of, replicates, other), now.draw(of, replicates, seed)
	var drawn []float64
	for i := range b {
		// A draw may lack all that was predicted.
		if d := b[i] - a[i]; d == d {
			drawn = append(drawn, d)
		}
	}
	return interval(of(now.Whole())-of(before.Whole()), drawn, level)
}

// Whole returns the sums over all clusters.
func (c Clusters) Whole() (s Sums) {
	for i := range c.Sums {
		s.add(&c.Sums[i], 1)
	}
	return s
}

// draw returns the score of each draw.
func (c Clusters) draw(of func(Sums) float64, replicates int, seed uint64) []float64 {
	var all []float64
	resample(len(c.Sums), replicates, seed, func(times []int) {
		var drawn Sums
		for i, t := range times {
			if t > 0 {
				drawn.add(&c.Sums[i], t)
			}
		}
		all = append(all, of(drawn))
	})
	return all
}

// identify is a job's part in Clusters.Jobs, which is the sum over all jobs.
func identify(cluster int64, actual float64) uint64 {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:8], uint64(cluster))
	binary.LittleEndian.PutUint64(b[8:], math.Float64bits(actual))
	h := fnv.New64a()
	h.Write(b[:])
	return h.Sum64()
}

// resample draws n clusters with replacement, as many as there are, replicates
// times, and tells each time how often each was drawn. Each draw has a stream
// of the seed of its own. times is valid until the next draw.
func resample(n, replicates int, seed uint64, each func(times []int)) {
	times := make([]int, n)
	for r := range replicates {
		stats.DrawTimes(rand.New(rand.NewPCG(seed, uint64(r))), times)
		each(times)
	}
}
