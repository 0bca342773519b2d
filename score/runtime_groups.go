package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// UserClusters is the largest number of clusters of a bootstrap of users. Each
// user is a cluster; where there are more users, several share one.
const UserClusters = 4096

// FewUsers is the number of users below which the intervals of users are
// too short: of 10 to 40 users, 95 % intervals hold the expected accuracy in 85
// to 93 % of logs, the less often the more the users' numbers of jobs differ, and
// of 200 users in 92 to 94 %.
const FewUsers = 50

// RunTimeGroups accumulates the sums of several predictors for each group of jobs: for the
// parts of a log, such as its sites, months or classes of run time, or for its users, whom a
// bootstrap draws. Jobs of one user are alike, and so are their prediction errors, so users
// are drawn, not jobs: drawing jobs would give far too narrow intervals. The zero value is
// empty and compares with the first predictor.
type RunTimeGroups struct {
	// Reference is the index of the predictor with which the others are
	// compared.
	Reference int
	Most      int // groups; more values share them. 0 for no limit

	numbers  map[int64]int // of groups, by value
	groups   []runTimeGroup
	jobs     uint64    // as in Clusters
	common   uint64    // the same of the common jobs
	accuracy []float64 // of one job: scratch
}

// runTimeGroup is the jobs of one group.
type runTimeGroup struct {
	value int64
	jobs  int
	sums  []groupSums // one a predictor
}

// groupSums are one predictor's on the jobs of one group.
type groupSums struct {
	predicted, under, over     float64
	accuracy, absolute, signed float64
	both, difference           float64 // jobs that the reference predicted too, and the accuracy over its
	common, commonAccuracy     float64 // jobs that all predictors answered
}

// RunTimePart is one part of a log.
type RunTimePart struct {
	Part   int64 // number of the part, such as a site
	Jobs   int
	Scores []PartScore // one a predictor
}

// PartScore contains the scores of one predictor on a part of a log. An
// undefined score is NaN.
type PartScore struct {
	Predicted int          `json:"predicted"`
	Coverage  stats.Number `json:"coverage" show:"coverage,%.4f"` // in [0, 1]
	MeanAccuracy
	// AccuracyCommon is the mean accuracy over the CommonJobs, those that all
	// predictors answered.
	AccuracyCommon    stats.Number `json:"accuracy_common_mean"`
	CommonJobs        int          `json:"accuracy_common_jobs"`
	AbsoluteErrorMean stats.Number `json:"absolute_error_mean_s" show:"mean abs. error,s"` // s
	Bias              stats.Number `json:"bias_s" show:"bias,s"`                           // mean of predicted less actual, s
	UnderPct          stats.Number `json:"under_pct"`                                      // %
	OverPct           stats.Number `json:"over_pct"`                                       // %
}

// Best returns the index of the score with the highest accuracy over the common
// jobs, or over each predictor's own jobs if there are no common ones; the
// first of equals. It is -1 if no predictor has an accuracy.
func (p RunTimePart) Best() int {
	best := -1
	for i, s := range p.Scores {
		if s.Predicted > 0 && (best < 0 || s.Rank() > p.Scores[best].Rank()) {
			best = i
		}
	}
	return best
}

// Rank returns the score by which predictors are ranked, highest first.
func (s *PartScore) Rank() stats.Number {
	if s.CommonJobs > 0 {
		return s.AccuracyCommon
	}
	return s.AccuracyMean
}

// Interval is a mean with a confidence interval. Low and High are NaN if fewer
// than two clusters (users or blocks of time) were scored.
type Interval struct{ Mean, Low, High float64 }

// RunTimeInterval contains confidence intervals of a predictor's accuracy.
type RunTimeInterval struct {
	Accuracy Interval
	Common   Interval // of the accuracy over the jobs that all predictors answered
	// Difference is the predictor's mean accuracy less that of the reference,
	// over the jobs that both predict (Both of them), with the same users
	// drawn for both. The two differ significantly if the interval does not
	// contain 0.
	Difference Interval
	Both       int
}

// NoRunTimeInterval returns a RunTimeInterval with all values NaN, for a
// predictor without a bootstrap.
func NoRunTimeInterval() RunTimeInterval {
	none := Interval{math.NaN(), math.NaN(), math.NaN()}
	return RunTimeInterval{Accuracy: none, Common: none, Difference: none}
}

// Add enters one job with the value that makes its group: the prediction of each predictor,
// with Seconds NaN if it made none, and the actual run time in seconds. The number of
// predictions must be the same in each call. common is what RunTimeCommon.Add returned for
// the job. Jobs of unknown users are one group.
func (u *RunTimeGroups) Add(value int64, predictions []workload.Prediction, actual float64, common CommonJob) {
	if !finite(actual) {
		return
	}
	number := u.number(value, len(predictions))
	g := &u.groups[number]
	g.jobs++
	u.jobs += identify(int64(number), actual)
	if common.Voids {
		u.voidCommon()
	}
	if common.All {
		u.common += identify(int64(number), actual)
	}
	if len(u.accuracy) < len(predictions) {
		u.accuracy = make([]float64, len(predictions))
	}
	reference := math.NaN()
	for i, p := range predictions {
		u.accuracy[i] = math.NaN()
		if finite(p.Seconds) {
			u.accuracy[i] = stats.Accuracy(p.Seconds, actual)
		}
	}
	if u.Reference >= 0 && u.Reference < len(predictions) {
		reference = u.accuracy[u.Reference]
	}
	for i, p := range predictions {
		a := u.accuracy[i]
		if a != a {
			continue
		}
		s := &g.sums[i]
		s.predicted++
		s.accuracy += a
		miss := p.Seconds - actual
		s.signed += miss
		s.absolute += math.Abs(miss)
		switch {
		case miss < 0:
			s.under++
		case miss > 0:
			s.over++
		}
		if common.All {
			s.common++
			s.commonAccuracy += a
		}
		if reference == reference {
			s.both++
			s.difference += a - reference
		}
	}
}

// voidCommon forgets the common jobs so far.
func (u *RunTimeGroups) voidCommon() {
	u.common = 0
	for _, g := range u.groups {
		for i := range g.sums {
			g.sums[i].common, g.sums[i].commonAccuracy = 0, 0
		}
	}
}

// number returns the number of a value's group, a new one where the value is new.
func (u *RunTimeGroups) number(value int64, predictors int) int {
	n, ok := u.numbers[value]
	if ok {
		return n
	}
	if u.numbers == nil {
		u.numbers = map[int64]int{}
	}
	if n = len(u.numbers); u.Most > 0 {
		n %= u.Most
	}
	u.numbers[value] = n
	if n == len(u.groups) {
		u.groups = append(u.groups, runTimeGroup{value: value, sums: make([]groupSums, predictors)})
	}
	return n
}

// Parts returns the groups in ascending order of their values.
func (u *RunTimeGroups) Parts() []RunTimePart {
	var all []RunTimePart
	for _, g := range u.groups {
		x := RunTimePart{Part: g.value, Jobs: g.jobs}
		for _, s := range g.sums {
			mean := func(sum float64) stats.Number { return stats.Number(sum / s.predicted) }
			x.Scores = append(x.Scores, PartScore{
				Predicted: int(s.predicted), Coverage: stats.Number(s.predicted / float64(g.jobs)), MeanAccuracy: MeanAccuracy{mean(s.accuracy)},
				AccuracyCommon: stats.Number(s.commonAccuracy / s.common), CommonJobs: int(s.common), AbsoluteErrorMean: mean(s.absolute), Bias: mean(s.signed),
				UnderPct: 100 * mean(s.under), OverPct: 100 * mean(s.over),
			})
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b RunTimePart) int { return cmp.Compare(a.Part, b.Part) })
	return all
}

// Clusters returns the sums of one predictor, by index, over the jobs that it
// predicted.
func (u *RunTimeGroups) Clusters(predictor int) Clusters {
	return u.clusters(predictor, u.jobs, func(s *groupSums) Sums { return Sums{Predicted: s.predicted, Accuracy: s.accuracy} })
}

// CommonClusters returns the sums of one predictor over the jobs that all
// predictors answered.
func (u *RunTimeGroups) CommonClusters(predictor int) Clusters {
	return u.clusters(predictor, u.common, func(s *groupSums) Sums { return Sums{Predicted: s.common, Accuracy: s.commonAccuracy} })
}

func (u *RunTimeGroups) clusters(predictor int, jobs uint64, of func(*groupSums) Sums) Clusters {
	c := Clusters{Jobs: jobs}
	for _, g := range u.groups {
		c.Sums = append(c.Sums, of(&g.sums[predictor]))
	}
	return c
}

// Groups returns the number of values that Add has met.
func (u *RunTimeGroups) Groups() int { return len(u.numbers) }

// Intervals draws groups with replacement, as many as there are, replicates
// times, and returns for each predictor the percentile intervals of that level
// (0.95 for 95 %). With fewer than 2/(1-level)-1 replicates no draw lies beyond
// the ends. The same seed gives the same intervals.
func (u *RunTimeGroups) Intervals(replicates int, level float64, seed uint64) []RunTimeInterval {
	if len(u.groups) == 0 {
		return nil
	}
	n := len(u.groups[0].sums)
	whole := make([]groupSums, n)
	for _, g := range u.groups {
		addSums(whole, g.sums, 1)
	}
	accuracies, commons, differences := make([][]float64, n), make([][]float64, n), make([][]float64, n)
	drawn := make([]groupSums, n)
	if len(u.groups) < 2 {
		replicates = 0
	}
	resample(len(u.groups), replicates, seed, func(times []int) {
		clear(drawn)
		for c, t := range times {
			if t > 0 {
				addSums(drawn, u.groups[c].sums, float64(t))
			}
		}
		for i, d := range drawn {
			// A draw may lack all users whose jobs were predicted.
			if d.predicted > 0 {
				accuracies[i] = append(accuracies[i], d.accuracy/d.predicted)
			}
			if d.common > 0 {
				commons[i] = append(commons[i], d.commonAccuracy/d.common)
			}
			if d.both > 0 {
				differences[i] = append(differences[i], d.difference/d.both)
			}
		}
	})
	var all []RunTimeInterval
	for i, w := range whole {
		all = append(all, RunTimeInterval{
			Accuracy:   interval(w.accuracy/w.predicted, accuracies[i], level),
			Common:     interval(w.commonAccuracy/w.common, commons[i], level),
			Difference: interval(w.difference/w.both, differences[i], level),
			Both:       int(w.both),
		})
	}
	return all
}

func addSums(to, from []groupSums, times float64) {
	for i := range from {
		t, f := &to[i], &from[i]
		t.predicted += times * f.predicted
		t.accuracy += times * f.accuracy
		t.both += times * f.both
		t.difference += times * f.difference
		t.common += times * f.common
		t.commonAccuracy += times * f.commonAccuracy
	}
}

func interval(mean float64, drawn []float64, level float64) Interval {
	slices.Sort(drawn)
	return Interval{mean, stats.Quantile(drawn, (1-level)/2), stats.Quantile(drawn, (1+level)/2)}
}

// The classes of jobs by actual run time.
const (
	Short  int64 = iota // below ShortBelow
	Medium              // below LongFrom
	Long
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
