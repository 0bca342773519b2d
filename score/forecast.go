package score

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
)

// Forecast is a predictor's forecast of one wait, in seconds. Values that were not
// predicted are NaN.
type Forecast struct {
	Point float64 // expected wait
	Bound float64 // upper bound of the wait
	// CRPS is the score of the predicted distribution (stats.CRPS). The
	// distribution itself is not kept.
	CRPS float64
}

// NoForecast returns the forecast of a predictor that predicted nothing.
func NoForecast() Forecast { return Forecast{math.NaN(), math.NaN(), math.NaN()} }

// ForecastJob is a job whose wait was forecast: its wait and its submission.
type ForecastJob struct {
	Actual float64 // wait, s
	Submit float64 // submission, s
}

// ForecastScore contains the scores of one predictor's forecasts of waits.
// The scores of points, bounds or distributions that it did not predict are NaN. Times are in
// minutes.
type ForecastScore struct {
	Jobs      int `json:"jobs"`
	Predicted int `json:"predicted" show:"predicted"` // with a point, a bound or both
	Bounded   int `json:"bounded"`                    // with a bound

	// Coverage is the share of the bounded jobs whose wait does not exceed the
	// bound, in [0, 1]. NonZeroCoverage is the same for the bounded jobs with a wait
	// above 0.
	Coverage        stats.Number `json:"coverage" show:"covered,share"`
	NonZeroCoverage stats.Number `json:"coverage_nonzero" show:"of waits > 0,share" narrow:"5"`
	// WorstWeeks is the lowest coverage of any stretch of time (see
	// ForecastStretch). Weeks is the number of stretches, and WeakWeeks the
	// number of those whose coverage is more than WeakBelow below the
	// requested quantile.
	WorstWeeks stats.Number `json:"coverage_worst_weeks" show:"worst weeks,share"`
	Weeks      int          `json:"weeks"`
	WeakWeeks  int          `json:"weak_weeks"`

	// QuantileLoss is the mean stats.QuantileLoss over the bounded jobs. CommonLoss is
	// the mean over the common jobs, for which every predictor of bounds has one; use it
	// to compare predictors.
	QuantileLoss stats.Number `json:"pinball_loss_min" better:"low"`
	CommonLoss   stats.Number `json:"pinball_loss_common_min" show:"pinball loss,min" better:"low"`
	BoundMean    stats.Number `json:"bound_mean_min" show:"mean bound,min" narrow:"1"`
	BoundMedian  stats.Number `json:"bound_median_min" show:"median,min"`

	// CRPS is the mean over the jobs with a predicted distribution.
	CRPS stats.Number `json:"crps_min" show:"CRPS,min" better:"low" narrow:"6"`

	// These are over the jobs with a point prediction.
	MeanAccuracy
	AbsoluteErrorMean   stats.Number `json:"absolute_error_mean_min" show:"abs. error,min" better:"low" narrow:"7"`
	AbsoluteErrorMedian stats.Number `json:"absolute_error_median_min"`
	CorrelationLog      stats.Number `json:"correlation_log" show:"correlation of logs,%.3f" better:"high"`
}

// Forecasts scores a predictor's forecasts of the jobs, with bounds at the
// given quantile. common marks the jobs for which every predictor of bounds has
// one.
func Forecasts(jobs []ForecastJob, said []Forecast, quantile float64, common []bool) ForecastScore {
	s := ForecastScore{Jobs: len(jobs)}
	var (
		bounds       = WaitTally{Quantile: quantile}
		points       WaitTally
		shared, crps stats.Moments
		misses       []float64
	)
	for i := range jobs {
		j, f := &jobs[i], &said[i]
		if finite(f.Point) || finite(f.Bound) {
			s.Predicted++
		}
		if finite(f.CRPS) {
			crps.Add(f.CRPS)
		}
		if finite(f.Point) {
			points.Add(f.Point, j.Actual)
			misses = append(misses, math.Abs(f.Point-j.Actual))
		}
		if !finite(f.Bound) {
			continue
		}
		bounds.Add(f.Bound, j.Actual)
		if common[i] {
			shared.Add(stats.QuantileLoss(quantile, f.Bound, j.Actual))
		}
	}
	b, p := bounds.Result(), points.Result()
	s.Bounded, s.Coverage, s.NonZeroCoverage = b.Predicted, b.Coverage, b.NonZeroCoverage
	s.worstWeeks(ForecastStretches(jobs, said, quantile), quantile)
	s.QuantileLoss, s.BoundMedian, s.CommonLoss = b.QuantileLoss, b.BoundMedian, inMinutes(shared.Mean())
	s.BoundMean, s.CRPS = inMinutes(bounds.bounds.heights.Mean()), inMinutes(crps.Mean())
	s.AccuracyMean, s.AbsoluteErrorMean, s.CorrelationLog = p.AccuracyMean, p.AbsoluteErrorMean, p.CorrelationLog
	s.AbsoluteErrorMedian = inMinutes(median(misses))
	return s
}

func inMinutes(seconds float64) stats.Number { return stats.Number(seconds / secondsPerMinute) }

func median(x []float64) float64 {
	slices.Sort(x)
	return stats.Quantile(x, 0.5)
}

// StretchJobs is the smallest number of jobs in a stretch of time
// for which a coverage is reported. One job in 50 is 2 percentage points.
const StretchJobs = 50

// WeakBelow is the amount by which the coverage of a stretch of time must be
// below the requested quantile for the stretch to count as weak, as a share.
const WeakBelow = 0.10

// ForecastStretch scores the bounds of one predictor over a stretch of time: a
// week or, if it has fewer than StretchJobs jobs with a bound, several weeks in
// a row.
type ForecastStretch struct {
	From, To float64 // first and last submission, s
	Jobs     int
	Covered  float64 // share of the waits that do not exceed their bounds
}

// ForecastStretches returns the scores of a predictor's bounds at the quantile by
// stretch of time, in order of time. A remainder of fewer than StretchJobs jobs belongs
// to the last stretch. Without StretchJobs jobs with a bound, there are no stretches.
func ForecastStretches(jobs []ForecastJob, said []Forecast, quantile float64) []ForecastStretch {
	var bounded []int
	for i := range jobs {
		if finite(said[i].Bound) {
			bounded = append(bounded, i)
		}
	}
	slices.SortStableFunc(bounded, func(a, b int) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	week := func(i int) float64 {
		return math.Floor((jobs[bounded[i]].Submit - jobs[bounded[0]].Submit) / (7 * daySeconds))
	}
	var all []ForecastStretch
	for from, n := 0, len(bounded); n-from >= StretchJobs; {
		to := from + StretchJobs
		for to < n && (week(to) == week(to-1) || n-to < StretchJobs) {
			to++
		}
		held := 0
		for _, i := range bounded[from:to] {
			if jobs[i].Actual <= said[i].Bound {
				held++
			}
		}
		all = append(all, ForecastStretch{jobs[bounded[from]].Submit, jobs[bounded[to-1]].Submit, to - from, ratio(held, to-from)})
		from = to
	}
	return all
}

// worstWeeks fills in WorstWeeks, Weeks and WeakWeeks from the stretches.
func (s *ForecastScore) worstWeeks(all []ForecastStretch, quantile float64) {
	s.WorstWeeks, s.Weeks = stats.Number(math.NaN()), len(all)
	for _, w := range all {
		if w.Covered < quantile-WeakBelow {
			s.WeakWeeks++
		}
		if !(float64(s.WorstWeeks) <= w.Covered) {
			s.WorstWeeks = stats.Number(w.Covered)
		}
	}
}
