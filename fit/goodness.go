package fit

import (
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// goodness adds the tests and the intervals to the report, by the bootstrap if replicates are
// requested. It warns of those that the sample does not allow.
func (t task) goodness(r *Report) error {
	none := stats.Significance{PValue: stats.Number(math.NaN()), Method: stats.NoPValue}
	if t.censors() {
		r.KS = stats.KS{D: t.censoredDistance(r.Law), Significance: none}
		if t.options.Tests {
			r.warn("no Anderson-Darling and no chi-square test: jobs are censored, and only Kolmogorov-Smirnov's distance is taken from the Kaplan-Meier curve")
		}
		return nil
	}
	tests := stats.Tests{AndersonDarling: t.options.Tests, Estimated: r.Free}
	if t.options.Tests {
		if tests.Cells = stats.ChiSquareCells(float64(r.N)); tests.Cells < r.Free+2 {
			r.warn("no chi-square test: %d jobs make %d cells of 5 or more, want at least %d", r.N, tests.Cells, r.Free+2)
			tests.Cells = 0
		}
	}
	var (
		g   stats.Goodness
		err error
	)
	if t.options.Replicates > 0 {
		g, err = stats.GoodnessOfFitBootstrap(t.x, t.sample.Counts, r.Law, t.bootstrap(r.Law, tests))
	} else {
		g, err = stats.GoodnessOfFit(t.x, t.sample.Counts, r.Law, tests)
		// Tabulated p-values are for laws that were not fitted to the same jobs.
		for _, s := range g.Significances() {
			*s = none
		}
	}
	if err != nil {
		return t.degenerate(err.Error())
	}
	r.KS, r.AD, r.ChiSquare = g.KS, g.AD, g.ChiSquare
	if s := g.KS.Significance; s.Refits != nil && s.Failed > 0 {
		r.warn("%d of %d bootstrap replicates could not be refitted and are left out", s.Failed, s.Replicates)
	}
	if t.options.Intervals > 0 {
		t.intervals(r, g.Laws)
	}
	return nil
}

// Intervals contains a confidence interval for each parameter of a fit. R² has none: it measures
// the fit and is not a parameter of the law. In samples drawn from the law it is near 1, however
// far the law is from the jobs.
type Intervals struct {
	Level      float64    `json:"level"`      // share of samples whose interval contains the true value, in (0, 1)
	Method     string     `json:"method"`     // Percentile
	Replicates int        `json:"replicates"` // number of refitted replicates
	Of         []Interval `json:"parameters"`
}

// Interval is a confidence interval of a parameter.
type Interval struct {
	Name string       `json:"parameter"` // as in Report.Parameters
	Low  stats.Number `json:"low"`
	High stats.Number `json:"high"`
}

// Percentile is the method of Intervals: the quantiles of the parameter over
// the bootstrap's replicates, Efron and Tibshirani (1993), "An introduction to
// the bootstrap", chapter 13. An interval stays in the parameter's range. It is
// for one parameter alone, not for all together, and assumes that jobs are
// independent and that the law is correct: it is too short if jobs come in
// bursts or the p-value rejects the law. It is not valid for a smallest or
// largest value (uniform, x_min of Pareto), because
// replicates never reach beyond the ends of the sample, nor for integer shapes.
const Percentile = "percentile"

// rSquaredName is the name of the entry of Report.Parameters that is not a parameter of the law,
// but the share of the variance that its line explains.
const rSquaredName = "r_squared"

// FewestReplicates returns the smallest number of replicates for intervals at a level: one
// replicate then lies beyond each end.
func FewestReplicates(level float64) int {
	return int(math.Ceil(2/(1-level)*(1-1e-12))) - 1
}

// intervals adds the confidence intervals from refitted laws to the report. Mixtures have their
// components in ascending order of the mean, in the fit and in every replicate, so that a
// parameter belongs to the same component in all of them.
//
// It warns of estimates outside their own intervals: the fit is biased in samples of its own law,
// and percentile intervals have that bias a second time.
func (t task) intervals(r *Report, laws []dist.Law) {
	level := t.options.Intervals
	if fewest := FewestReplicates(level); len(laws) < fewest {
		r.warn("no confidence intervals: %d replicates could be refitted, want at least %d for the level %g", len(laws), fewest, level)
		return
	}
	out := &Intervals{Level: level, Method: Percentile, Replicates: len(laws)}
	var outside []string
	values := make([]float64, len(laws))
	for i, p := range r.Parameters {
		if p.Name == rSquaredName {
			continue
		}
		for j, l := range laws {
			of := l.(*refitted).parameters
			if len(of) != len(r.Parameters) || of[i].Name != p.Name {
				r.warn("no confidence intervals: a replicate has no parameter %s", p.Name)
				return
			}
			values[j] = of[i].Value
		}
		low, high := Percentiles(values, level)
		out.Of = append(out.Of, Interval{p.Name, stats.Number(low), stats.Number(high)})
		if p.Value < low || p.Value > high {
			outside = append(outside, p.Name)
		}
	}
	r.Intervals = out
	if len(outside) > 0 {
		r.warn("the estimate of %s lies outside its own interval: the fit is biased even for samples of the fitted distribution, rounded and filtered like the jobs; use the interval only as a measure of scatter", strings.Join(outside, ", "))
	}
}

// Percentiles returns the ends of the central interval that contains the share level of the
// values, in (0, 1): the interpolated order statistics at (n+1)(1-level)/2 and (n+1)(1+level)/2.
func Percentiles(values []float64, level float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := float64(len(sorted))
	at := func(rank float64) float64 { // from 1
		rank = min(max(rank, 1), n)
		below := math.Floor(rank)
		v := sorted[int(below)-1]
		if part := rank - below; part > 0 {
			v += part * (sorted[int(below)] - v)
		}
		return v
	}
	tail := (1 - level) / 2
	return at((n + 1) * tail), at((n + 1) * (1 - tail))
}
