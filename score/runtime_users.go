package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// UserClusters is the largest number of clusters that RunTimeUsers keeps. Each
// user is a cluster; where there are more users, several share one.
const UserClusters = 4096

// FewUsers is the number of users below which the intervals of RunTimeUsers are
// too short: of 10 to 40 users, 95 % intervals hold the expected accuracy in 85
// to 93 % of logs, the less often the more the users' numbers of jobs differ, and
// of 200 users in 92 to 94 %.
const FewUsers = 50

// RunTimeUsers accumulates the sums that a bootstrap over users needs, for
// several predictors. Jobs of one user are alike, and so are their prediction
// errors, so users are drawn, not jobs: drawing jobs would give far too narrow
// intervals. The zero value is empty and compares with the first predictor.
type RunTimeUsers struct {
	// Reference is the index of the predictor with which the others are
	// compared.
	Reference int

	clusters map[int64]int
	sums     [][]userSums // of each cluster, one a predictor
	jobs     uint64       // as in Clusters
	common   uint64       // the same of the common jobs
	accuracy []float64    // of one job: scratch
}

// userSums are one predictor's on the jobs of one cluster.
type userSums struct {
	predicted, accuracy    float64
	both, difference       float64 // jobs that the reference predicted too, and the accuracy over its
	common, commonAccuracy float64 // jobs that all predictors answered
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

// Add enters one job of a user: the prediction of each predictor, with Seconds
// NaN if it made none, and the actual run time in seconds. The number of
// predictions must be the same in each call. common is what RunTimeCommon.Add
// returned for the job. Jobs of unknown users are one cluster.
func (u *RunTimeUsers) Add(user int64, predictions []workload.Prediction, actual float64, common CommonJob) {
	if !finite(actual) {
		return
	}
	sums, c := u.of(user, len(predictions))
	u.jobs += identify(int64(c), actual)
	if common.Voids {
		u.voidCommon()
	}
	if common.All {
		u.common += identify(int64(c), actual)
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
	for i := range predictions {
		a := u.accuracy[i]
		if a != a {
			continue
		}
		s := &sums[i]
		s.predicted++
		s.accuracy += a
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
func (u *RunTimeUsers) voidCommon() {
	u.common = 0
	for _, sums := range u.sums {
		for i := range sums {
			sums[i].common, sums[i].commonAccuracy = 0, 0
		}
	}
}

// of finds a user's cluster and its sums.
func (u *RunTimeUsers) of(user int64, predictors int) ([]userSums, int) {
	c, ok := u.clusters[user]
	if !ok {
		if u.clusters == nil {
			u.clusters = map[int64]int{}
		}
		c = len(u.clusters) % UserClusters
		u.clusters[user] = c
		if c == len(u.sums) {
			u.sums = append(u.sums, make([]userSums, predictors))
		}
	}
	return u.sums[c], c
}

// Clusters returns the sums of one predictor, by index, over the jobs that it
// predicted.
func (u *RunTimeUsers) Clusters(predictor int) Clusters {
	c := Clusters{Jobs: u.jobs}
	for _, sums := range u.sums {
		s := sums[predictor]
		c.Sums = append(c.Sums, Sums{Predicted: s.predicted, Accuracy: s.accuracy})
	}
	return c
}

// CommonClusters returns the sums of one predictor over the jobs that all
// predictors answered.
func (u *RunTimeUsers) CommonClusters(predictor int) Clusters {
	c := Clusters{Jobs: u.common}
	for _, sums := range u.sums {
		s := sums[predictor]
		c.Sums = append(c.Sums, Sums{Predicted: s.common, Accuracy: s.commonAccuracy})
	}
	return c
}

// Users returns the number of users; all unknown ones count as one.
func (u *RunTimeUsers) Users() int { return len(u.clusters) }

// Intervals draws users with replacement, as many as there are, replicates
// times, and returns for each predictor the percentile intervals of that level
// (0.95 for 95 %). With fewer than 2/(1-level)-1 replicates no draw lies beyond
// the ends. The same seed gives the same intervals.
func (u *RunTimeUsers) Intervals(replicates int, level float64, seed uint64) []RunTimeInterval {
	if len(u.sums) == 0 {
		return nil
	}
	n := len(u.sums[0])
	whole := make([]userSums, n)
	for _, c := range u.sums {
		addSums(whole, c, 1)
	}
	accuracies, commons, differences := make([][]float64, n), make([][]float64, n), make([][]float64, n)
	drawn := make([]userSums, n)
	if len(u.sums) < 2 {
		replicates = 0
	}
	resample(len(u.sums), replicates, seed, func(times []int) {
		clear(drawn)
		for c, t := range times {
			if t > 0 {
				addSums(drawn, u.sums[c], float64(t))
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

func addSums(to, from []userSums, times float64) {
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
