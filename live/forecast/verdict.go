package forecast

import (
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/predict/standing"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Verdict tells of each size how its recommended predictor was found: see Record.
type Verdict struct {
	Best    []int64 // sizes with a predictor that covered enough
	Highest []int64 // sizes for which none did: that with the highest coverage is recommended
	None    []int64 // sizes for which none is
}

// Verdict returns that of the record.
func (a *Answer) Verdict() (v Verdict) {
	for _, s := range a.Record.Sizes {
		of := &v.None
		if slices.ContainsFunc(a.Predictions, func(p Prediction) bool { return p.Recommended && p.Processors == s.Processors }) {
			of = &v.Highest
			if s.Kept {
				of = &v.Best
			}
		}
		*of = append(*of, s.Processors)
	}
	return v
}

// PastCoverage is the share of the waits of some past jobs that bounds covered.
type PastCoverage struct {
	Share stats.Number
	Jobs  int
}

// JudgedOn returns what a prediction's bounds of the record's quantile covered; of 0 jobs without
// such a bound.
func (a *Answer) JudgedOn(p Prediction) PastCoverage {
	k := slices.Index(a.Quantiles, a.Record.Quantile)
	switch {
	case k >= len(p.Bounds):
		return PastCoverage{stats.Number(math.NaN()), 0}
	case a.size(p.Processors).Group != "":
		return PastCoverage{p.Bounds[k].SimilarCoverage, p.Bounds[k].SimilarJobs}
	}
	return PastCoverage{p.Bounds[k].Coverage, p.Bounds[k].Jobs}
}

// size returns the past jobs by which a predictor is recommended for a size.
func (a *Answer) size(processors int64) *SizeRecord {
	return &a.Record.Sizes[slices.IndexFunc(a.Record.Sizes, func(s SizeRecord) bool { return s.Processors == processors })]
}

// Judged reports whether any predictor had a bound for a past job.
func (a *Answer) Judged() bool {
	k := slices.Index(a.Quantiles, a.Record.Quantile)
	return slices.ContainsFunc(a.Predictions, func(p Prediction) bool {
		return k < len(p.Bounds) && p.Bounds[k].Jobs+p.Bounds[k].SimilarJobs > 0
	})
}

// FewerJudged reports whether a predictor had no bound for some of the jobs on which the
// predictors of its size are judged.
func (a *Answer) FewerJudged() bool {
	return slices.ContainsFunc(a.Predictions, func(p Prediction) bool {
		jobs := a.JudgedOn(p).Jobs
		return jobs > 0 && jobs < a.size(p.Processors).Jobs
	})
}

// JudgedGroup is past jobs by which predictors of some sizes are judged.
type JudgedGroup struct {
	SizeRecord // of the first
	Sizes      []int64
}

// Groups returns the groups of past jobs, in the order of the sizes.
func (r *Record) Groups() (all []JudgedGroup) {
	for _, s := range r.Sizes {
		i := slices.IndexFunc(all, func(g JudgedGroup) bool { return g.Group == s.Group })
		if i < 0 {
			i, all = len(all), append(all, JudgedGroup{SizeRecord: s})
		}
		all[i].Sizes = append(all[i].Sizes, s.Processors)
	}
	return all
}

// Promised is the share that a recommended predictor covered at least.
func (r *Record) Promised() float64 { return r.Quantile - 0.01 }

// Least is how many jobs a recommendation needs, and LeastSimilar how many of a similar size.
func (r *Record) Least() int            { return score.StretchJobs }
func (g JudgedGroup) LeastSimilar() int { return SimilarJobs }

// TooFew is a quantile for which there are too few past waits.
type TooFew struct {
	Quantile float64
	Least    int // waits that a bound needs
}

// TooFew returns the quantiles for which there are too few past waits for a bound.
func (a *Answer) TooFew() (all []TooFew) {
	for i, quantile := range a.Quantiles {
		least := stats.MinimumHistory(quantile, a.Confidence)
		if slices.ContainsFunc(a.Predictions, func(p Prediction) bool {
			return p.Group != "" && i < len(p.Bounds) && math.IsNaN(float64(p.Bounds[i].Seconds)) && p.Observations < least
		}) {
			all = append(all, TooFew{quantile, least})
		}
	}
	return all
}

// NeedsTime reports whether the reason is that the request has no requested time.
func (l LeftOut) NeedsTime() bool { return strings.HasSuffix(l.Why, standing.NoTime) }

// Busy is the number of processors in use.
func (s *StateSummary) Busy() int64 { return s.Processors - s.Free }
