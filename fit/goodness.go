package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/stats"
)

// NoPValue is the Significance.Method of a test without replicates. Tabulated
// p-values are for laws that were not fitted to the same jobs, so none is
// given.
const NoPValue = "none"

// Significance is the p-value of a test and how it was computed.
type Significance struct {
	PValue     stats.Number `json:"p_value"`    // by Method; NaN without replicates
	Method     string       `json:"method"`     // stats.ParametricBootstrap, or NoPValue
	Replicates int          `json:"replicates"` // 0 for NoPValue
	*Refits                 // nil for NoPValue
}

// Refits describes the replicates of a parametric bootstrap: each is a sample
// drawn from the fitted law, to which the law is fitted again.
type Refits struct {
	Failed int `json:"failed"` // replicates to which the law could not be fitted
	// Asymptotic is the tabulated p-value, for a law that was not fitted to these jobs. A
	// law that was fitted to them has a p-value that is too high by Kolmogorov-Smirnov
	// and Anderson-Darling, and too low by chi-square.
	Asymptotic stats.Number `json:"p_value_asymptotic"`
}

// String is the p-value with the digits that its replicates resolve; "" without replicates.
func (s Significance) String() string {
	least, reached := s.Resolution()
	if math.IsNaN(least) {
		return ""
	}
	digits := int(math.Ceil(-math.Log10(least) - 1e-9))
	if reached {
		// Rounded up: the replicates show no more than this.
		scale := math.Pow10(digits)
		return fmt.Sprintf("< %.*f", digits, math.Ceil(least*scale-1e-9)/scale)
	}
	return fmt.Sprintf("%.*f", digits, float64(s.PValue))
}

// KS is the Kolmogorov-Smirnov distance between sample and law.
type KS struct {
	D float64 `json:"d" show:"distance,%.4f"` // over the distinct values, in [0, 1]
	Significance
}

// AD is the Anderson-Darling test of sample and law (stats.AndersonDarling).
type AD struct {
	A2 stats.Number `json:"a2"` // at least 0; +Inf if the law gives a job no probability
	Significance
}

// ChiSquare is a chi-square test of sample and law.
type ChiSquare struct {
	X2               stats.Number `json:"x2"`                 // the statistic, at least 0
	Cells            int          `json:"cells"`              // intervals of about equal probability
	DegreesOfFreedom int          `json:"degrees_of_freedom"` // Cells - 1 - Report.Free
	Significance
}

// Resolution returns the smallest p-value that the replicates can show, and
// whether the p-value is no more than that; NaN and false without replicates.
func (s Significance) Resolution() (least float64, reached bool) {
	if s.Refits == nil {
		return math.NaN(), false
	}
	least = 1 / float64(1+s.Replicates-s.Failed)
	return least, float64(s.PValue) <= least
}

// significance joins a test's p-value by replicates with the asymptotic one.
// Without replicates there is neither.
func significance(s stats.Significance, asymptotic float64) Significance {
	if s.Method != stats.ParametricBootstrap {
		return Significance{PValue: stats.Number(math.NaN()), Method: NoPValue}
	}
	return Significance{stats.Number(s.PValue), s.Method, s.Replicates, &Refits{s.Failed, stats.Number(asymptotic)}}
}

// goodness fills the tests and the intervals, by the bootstrap where
// replicates are asked for.
func (t task) goodness(r *Report) error {
	if t.censors() {
		r.KS = KS{t.censoredDistance(r.Law), significance(stats.Significance{}, 0)}
		if t.options.Tests {
			r.Warnings = append(r.Warnings, "no Anderson-Darling and no chi-square test: jobs are censored, and only Kolmogorov-Smirnov's distance is taken from the Kaplan-Meier curve")
		}
		return nil
	}
	tests, x, err := t.tests(r)
	if err != nil {
		return t.untested(r, err)
	}
	if t.options.Replicates == 0 {
		t.fill(r, tests, x, x)
		return nil
	}
	g, err := stats.GoodnessOfFitBootstrap(t.x, t.sample.Counts, r.Law, t.bootstrap(r.Law, tests))
	if err != nil {
		return t.untested(r, err)
	}
	t.fill(r, tests, g, x)
	t.fromReplicates(r, g.KS.Significance, g.Laws)
	return nil
}

// fromReplicates adds what the replicates say besides p-values: how many failed, and
// the intervals.
func (t task) fromReplicates(r *Report, ks stats.Significance, laws []dist.Law) {
	if ks.Failed > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d bootstrap replicates could not be refitted and are left out", ks.Failed, ks.Replicates))
	}
	if t.options.Intervals == 0 {
		return
	}
	var err error
	if r.Intervals, err = t.intervals(r.Parameters, laws); err != nil {
		r.Warnings = append(r.Warnings, err.Error())
		return
	}
	r.Warnings = append(r.Warnings, r.Intervals.outside(r.Parameters)...)
}

func (t task) untested(r *Report, err error) error {
	return fmt.Errorf("%s of %s: %w", r.Family, r.Attribute, err)
}

// tests returns the tests that are asked for and that the sample allows, with
// what they come to without the bootstrap. What it does not allow is a
// warning.
func (t task) tests(r *Report) (stats.Tests, stats.Goodness, error) {
	tests := stats.Tests{AndersonDarling: t.options.Tests, Estimated: r.Free}
	if cells := stats.ChiSquareCells(float64(r.N)); t.options.Tests {
		if tests.Cells = cells; cells < r.Free+2 {
			tests.Cells = 0
			r.Warnings = append(r.Warnings, fmt.Sprintf("no chi-square test: %d jobs make %d cells of 5 or more, want at least %d", r.N, cells, r.Free+2))
		}
	}
	g, err := tests.Asymptotic(t.x, t.sample.Counts, r.Law)
	return tests, g, err
}

// fill writes the tests to the report: g, with the p-values of its replicates
// if it has any, and the asymptotic ones of kind.
func (t task) fill(r *Report, tests stats.Tests, g, kind stats.Goodness) {
	r.KS = KS{g.KS.D, significance(g.KS.Significance, kind.KS.PValue)}
	if tests.AndersonDarling {
		r.AD = &AD{stats.Number(g.AD.A2), significance(g.AD.Significance, kind.AD.PValue)}
	}
	if c := g.ChiSquare; tests.Cells > 0 {
		r.ChiSquare = &ChiSquare{stats.Number(c.X2), c.Cells, c.DegreesOfFreedom, significance(c.Significance, kind.ChiSquare.PValue)}
	}
}
