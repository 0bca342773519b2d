package score

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// RunTimeParts accumulates the scores of several predictors for each part of a
// log, such as its sites, months or classes of run time. The zero value is
// empty.
type RunTimeParts struct {
	parts map[int64]*runTimePart
}

type runTimePart struct {
	jobs int
	sums []partSums // one a predictor
}

type partSums struct {
	predicted, under, over int
	accuracy, absolute     float64
	signed                 float64
	common                 int // jobs that all predictors answered
	commonAccuracy         float64
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

// Add enters one job of a part: the prediction of each predictor, with Seconds
// NaN if it made none, and the actual run time in seconds. The number of
// predictions must be the same in each call. common is what RunTimeCommon.Add
// returned for the job.
func (r *RunTimeParts) Add(part int64, predictions []workload.Prediction, actual float64, common CommonJob) {
	if !finite(actual) {
		return
	}
	if common.Voids {
		r.voidCommon()
	}
	p := r.part(part, len(predictions))
	p.jobs++
	for i, said := range predictions {
		if !finite(said.Seconds) {
			continue
		}
		s := &p.sums[i]
		s.predicted++
		miss := said.Seconds - actual
		switch {
		case miss < 0:
			s.under++
		case miss > 0:
			s.over++
		}
		s.signed += miss
		s.absolute += math.Abs(miss)
		a := stats.Accuracy(said.Seconds, actual)
		s.accuracy += a
		if common.All {
			s.common++
			s.commonAccuracy += a
		}
	}
}

// voidCommon forgets the common jobs so far.
func (r *RunTimeParts) voidCommon() {
	for _, p := range r.parts {
		for i := range p.sums {
			p.sums[i].common, p.sums[i].commonAccuracy = 0, 0
		}
	}
}

func (r *RunTimeParts) part(part int64, predictors int) *runTimePart {
	p := r.parts[part]
	if p == nil {
		if r.parts == nil {
			r.parts = map[int64]*runTimePart{}
		}
		p = &runTimePart{sums: make([]partSums, predictors)}
		r.parts[part] = p
	}
	return p
}

// Result returns the parts in ascending order.
func (r *RunTimeParts) Result() []RunTimePart {
	var all []RunTimePart
	for part, p := range r.parts {
		x := RunTimePart{Part: part, Jobs: p.jobs}
		for _, s := range p.sums {
			n := float64(s.predicted)
			x.Scores = append(x.Scores, PartScore{
				Predicted: s.predicted, Coverage: stats.Number(ratio(s.predicted, p.jobs)),
				MeanAccuracy: MeanAccuracy{stats.Number(s.accuracy / n)}, AccuracyCommon: stats.Number(s.commonAccuracy / float64(s.common)), CommonJobs: s.common, AbsoluteErrorMean: stats.Number(s.absolute / n), Bias: stats.Number(s.signed / n),
				UnderPct: stats.Number(100 * ratio(s.under, s.predicted)), OverPct: stats.Number(100 * ratio(s.over, s.predicted)),
			})
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b RunTimePart) int {
		if a.Part < b.Part {
			return -1
		}
		return 1
	})
	return all
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
