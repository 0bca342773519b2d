package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// UserClusters is the largest number of clusters of a bootstrap of users. Each
// user is a cluster; if there are more users, several share one.
const UserClusters = 4096

// FewUsers is the number of users below which intervals drawn by user are too short.
// With 10 to 40 users, 95 % intervals contain the expected accuracy in 85 to 93 % of
// logs, less often the more the users' numbers of jobs differ; with 200 users, in 92
// to 94 %.
const FewUsers = 50

// Groups accumulates the sums of several predictors for each group of jobs. Groups are
// parts of a log, such as its sites, months or classes of run time, or the clusters of a
// bootstrap: users, or blocks of time such as weeks. Jobs of one user are similar, and jobs
// submitted close together meet the same queue, so their prediction errors are correlated:
// drawing single jobs would give intervals that are far too narrow. The zero value is empty, is
// for run times, and compares with the first predictor.
type Groups struct {
	// Waits is set for predictions of waits, grouped by blocks of time. Clusters then
	// contain the sums of logarithms, and are in the order of the groups' values.
	Waits bool
	// Quantile is the quantile of waits that bounds predict, in (0, 1), for Sums.Loss; 0 if
	// the predictions are not bounds.
	Quantile float64
	// Reference is the index of the predictor with which the others are
	// compared.
	Reference int
	// Most is the largest number of groups; further values share these groups. 0 means no
	// limit.
	Most int

	numbers  map[int64]int // numbers of groups, by value
	groups   []group
	accuracy []float64 // accuracies for one job, scratch memory
}

// group contains the sums of one group of jobs.
type group struct {
	value int64
	jobs  int
	sums  []groupSums // one for each predictor
}

// groupSums contains the sums of one predictor over the jobs of one group.
type groupSums struct {
	Sums
	under, over, absolute, signed float64
	common, commonAccuracy        float64 // jobs that all predictors answered, and the accuracy over them
	both, difference              float64 // jobs that the reference predicted, too, and the sum of the differences of accuracy
}

// Add adds one job with the value that determines its group: the prediction of each predictor,
// with Seconds NaN if it made none, and the actual time in seconds. The number of
// predictions must be the same in each call. common is the result of RunTimeCommon.Add for
// the job. Jobs of unknown users form one group.
func (g *Groups) Add(value int64, predictions []workload.Prediction, actual float64, common CommonJob) {
	if !finite(actual) {
		return
	}
	to := &g.groups[g.number(value, len(predictions))]
	to.jobs++
	if common.Voids {
		for _, x := range g.groups {
			for i := range x.sums {
				x.sums[i].common, x.sums[i].commonAccuracy = 0, 0
			}
		}
	}
	g.accuracy = g.accuracy[:0]
	for _, p := range predictions {
		a := math.NaN()
		if finite(p.Seconds) {
			a = stats.Accuracy(p.Seconds, actual)
		}
		g.accuracy = append(g.accuracy, a)
	}
	reference := g.accuracy[g.Reference]
	for i, a := range g.accuracy {
		if a != a {
			continue
		}
		s, predicted := &to.sums[i], predictions[i].Seconds
		s.Predicted++
		s.Accuracy += a
		miss := predicted - actual
		s.signed += miss
		s.absolute += math.Abs(miss)
		switch {
		case miss < 0:
			s.under++
		case miss > 0:
			s.over++
		}
		if actual <= predicted {
			s.Held++
		}
		if common.All {
			s.common++
			s.commonAccuracy += a
		}
		if reference == reference {
			s.both++
			s.difference += a - reference
		}
		if g.Quantile > 0 {
			s.Loss += stats.QuantileLoss(g.Quantile, predicted, actual) / secondsPerMinute
		}
		if g.Waits && g.Quantile == 0 && predicted > 0 && actual > 0 {
			s.Logs.Add(math.Log(predicted), math.Log(actual))
		}
	}
}

// number returns the number of a value's group, and assigns one if the value is new.
func (g *Groups) number(value int64, predictors int) int {
	n, ok := g.numbers[value]
	if ok {
		return n
	}
	if g.numbers == nil {
		g.numbers = map[int64]int{}
	}
	if n = len(g.numbers); g.Most > 0 {
		n %= g.Most
	}
	g.numbers[value] = n
	if n == len(g.groups) {
		x := group{value: value, sums: make([]groupSums, predictors)}
		for i := range x.sums {
			if g.Waits && g.Quantile == 0 {
				x.sums[i].Loss = math.NaN()
			}
		}
		g.groups = append(g.groups, x)
	}
	return n
}

// Groups returns the number of different values added so far.
func (g *Groups) Groups() int { return len(g.numbers) }

// inOrder returns the groups in order of their values, or else of first appearance.
func (g *Groups) inOrder(byValue bool) []group {
	if !byValue {
		return g.groups
	}
	return slices.SortedFunc(slices.Values(g.groups), func(a, b group) int { return cmp.Compare(a.value, b.value) })
}

// Clusters returns the sums of one predictor, by index, over the jobs that it
// predicted.
func (g *Groups) Clusters(predictor int) Clusters {
	return g.clusters(predictor, func(s *groupSums) Sums { return s.Sums })
}

// CommonClusters returns the sums of one predictor over the jobs that all
// predictors answered.
func (g *Groups) CommonClusters(predictor int) Clusters {
	return g.clusters(predictor, func(s *groupSums) Sums { return Sums{Predicted: s.common, Accuracy: s.commonAccuracy} })
}

// differences returns the sums of the differences between a predictor's accuracy and that of the
// reference, over the jobs that both predicted.
func (g *Groups) differences(predictor int) Clusters {
	return g.clusters(predictor, func(s *groupSums) Sums { return Sums{Predicted: s.both, Accuracy: s.difference} })
}

func (g *Groups) clusters(predictor int, of func(*groupSums) Sums) (c Clusters) {
	for _, x := range g.inOrder(g.Waits) {
		c = append(c, of(&x.sums[predictor]))
	}
	return c
}

// RunTimeInterval contains confidence intervals of a predictor's accuracy.
type RunTimeInterval struct {
	Accuracy Interval
	Common   Interval // of the accuracy over the jobs that all predictors answered
	// Difference is the predictor's mean accuracy minus that of the reference,
	// over the Both jobs that both predict, with the same users drawn for both.
	// The two differ significantly if the interval does not contain 0.
	Difference Interval
	Both       int
}

// RunTimeIntervals draws groups with replacement, as many as there are, replicates
// times, and returns for each predictor the percentile intervals of the given level
// (0.95 for 95 %). With fewer than 2/(1-level)-1 replicates, no draw lies beyond
// the ends. The same seed gives the same intervals. Without replicates, all values are NaN.
func (g *Groups) RunTimeIntervals(predictors, replicates int, level float64, seed uint64) []RunTimeInterval {
	var all []Clusters
	for i := range predictors {
		all = append(all, g.Clusters(i), g.CommonClusters(i), g.differences(i))
	}
	drawn := bootstrap(all, replicates, seed, Sums.AccuracyMean)
	out := make([]RunTimeInterval, predictors)
	for i := range out {
		r := &out[i]
		for k, to := range []*Interval{&r.Accuracy, &r.Common, &r.Difference} {
			*to = interval(all[3*i+k].Whole().AccuracyMean(), drawn[3*i+k][0], level)
		}
		r.Both = int(all[3*i+2].Whole().Predicted)
	}
	return out
}

// WaitIntervals contains confidence intervals of the scores of a predictor of
// waits.
type WaitIntervals struct {
	Accuracy       Interval
	Held           Interval // coverage of bounds
	CorrelationLog Interval // of WaitPoints.CorrelationLog, for point predictions
}

// WaitIntervals returns the intervals of the first predictor. It draws the groups in which
// that predictor has a prediction, as RunTimeIntervals does.
func (g *Groups) WaitIntervals(replicates int, level float64, seed uint64) WaitIntervals {
	var c Clusters
	for _, x := range g.inOrder(true) {
		if s := x.sums[0].Sums; s.Predicted > 0 {
			c = append(c, s)
		}
	}
	whole, drawn := c.Whole(), bootstrap([]Clusters{c}, replicates, seed, Sums.AccuracyMean, Sums.HeldShare, Sums.CorrelationLog)[0]
	in := WaitIntervals{
		Accuracy:       interval(whole.AccuracyMean(), drawn[0], level),
		Held:           interval(whole.HeldShare(), drawn[1], level),
		CorrelationLog: interval(whole.CorrelationLog(), drawn[2], level),
	}
	if g.Quantile == 0 {
		in.Held = Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	return in
}

// RunTimePart is one part of a log.
type RunTimePart struct {
	Part   int64 // number of the part, such as a site
	Jobs   int
	Scores []PartScore // one for each predictor
}

// PartScore contains the scores of one predictor on a part of a log. An
// undefined score is NaN.
type PartScore struct {
	Predicted int          `json:"predicted"`
	Coverage  stats.Number `json:"coverage" show:"coverage,%.4f"` // in [0, 1]
	MeanAccuracy
	// AccuracyCommon is the mean accuracy over the CommonJobs jobs that all
	// predictors answered.
	AccuracyCommon    stats.Number `json:"accuracy_common_mean"`
	CommonJobs        int          `json:"accuracy_common_jobs"`
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_s" show:"mean abs. error,s"` // s
	Bias              stats.Number `json:"bias_s" show:"bias,s"`                           // mean of predicted minus actual, s
	UnderPct          stats.Number `json:"under_pct"`                                      // %
	OverPct           stats.Number `json:"over_pct"`                                       // %
}

// Rank returns the score by which predictors are ranked, highest first: AccuracyCommon or, if
// there are no common jobs, AccuracyMean.
func (s *PartScore) Rank() stats.Number {
	if s.CommonJobs > 0 {
		return s.AccuracyCommon
	}
	return s.AccuracyMean
}

// Parts returns the scores of the groups, in ascending order of their values.
func (g *Groups) Parts() []RunTimePart {
	var all []RunTimePart
	for _, x := range g.inOrder(true) {
		part := RunTimePart{Part: x.value, Jobs: x.jobs}
		for _, s := range x.sums {
			mean := func(sum float64) stats.Number { return stats.Number(sum / s.Predicted) }
			part.Scores = append(part.Scores, PartScore{
				Predicted: int(s.Predicted), Coverage: stats.Number(s.Predicted / float64(x.jobs)), MeanAccuracy: MeanAccuracy{mean(s.Accuracy)},
				AccuracyCommon: stats.Number(s.commonAccuracy / s.common), CommonJobs: int(s.common), AbsoluteErrorMean: mean(s.absolute), Bias: mean(s.signed),
				UnderPct: 100 * mean(s.under), OverPct: 100 * mean(s.over),
			})
		}
		all = append(all, part)
	}
	return all
}

// The classes of jobs by actual run time.
const (
	Short  int64 = iota // below ShortBelow
	Medium              // from ShortBelow, below LongFrom
	Long                // from LongFrom
)

// The limits of short and long jobs, in seconds of run time.
const (
	ShortBelow = 600.0
	LongFrom   = 7200.0
)

// LengthOf returns the class of a run time in seconds: Short, Medium or Long.
func LengthOf(run float64) int64 {
	switch {
	case run < ShortBelow:
		return Short
	case run < LongFrom:
		return Medium
	}
	return Long
}
