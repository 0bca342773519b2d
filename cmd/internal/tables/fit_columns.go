package tables

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

// lawParameter is a parameter of a fitted law.
type lawParameter struct {
	log string // of several
	fit.Report
	dist.Parameter
	fit.Interval
}

// lawParameters are the rows of the fits in CSV.
func lawParameters(reports []fit.Report) []lawParameter {
	var all []lawParameter
	for _, r := range reports {
		for _, p := range r.Parameters {
			i, ok := r.Interval(p.Name)
			if !ok {
				i.Low, i.High = stats.Number(math.NaN()), stats.Number(math.NaN())
			}
			all = append(all, lawParameter{"", r, p, i})
		}
	}
	return all
}

// parameterColumns are the columns of the fits in CSV.
func parameterColumns() []present.Column[lawParameter] {
	type row = lawParameter
	text := func(name string, of func(row) string) present.Column[row] { return present.Text(name, "", of) }
	number := func(name string, of func(row) stats.Number) present.Column[row] {
		return present.Float(name, "", of, nil)
	}
	return []present.Column[row]{
		text("attribute", func(r row) string { return string(r.Attribute) }),
		text("transform", func(r row) string { return string(r.Transform) }),
		text("by", func(r row) string { return r.By }),
		text("family", func(r row) string { return r.Family }),
		text("parameter", func(r row) string { return r.Parameter.Name }),
		number("value", func(r row) stats.Number { return stats.Number(r.Parameter.Value) }),
		text("n", func(r row) string { return present.Whole(r.N) }),
		number("log_likelihood", func(r row) stats.Number { return r.LogLikelihood }),
		number("aic", func(r row) stats.Number { return r.AIC }),
		number("bic", func(r row) stats.Number { return r.BIC }),
		number("ks_d", func(r row) stats.Number { return stats.Number(r.KS.D) }),
		number("ks_p_value", func(r row) stats.Number { return r.KS.PValue }),
		text("ks_method", func(r row) string { return r.KS.Method }),
		text("status", func(r row) string { return string(r.Status) }),
		number("low", func(r row) stats.Number { return r.Low }),
		number("high", func(r row) stats.Number { return r.High }),
		text("method", func(r row) string { return r.Report.Method }),
		text("in_model", func(r row) string { return strconv.FormatBool(r.InModel) }),
	}
}

// lawColumns are the columns of the fits for people. Behind is how far a law is
// behind the best one in BIC: a single law has none to be behind of.
func lawColumns(behind bool) []present.Column[fittedLaw] {
	type row = fittedLaw
	text := func(heading string, of func(row) string) present.Column[row] { return present.Text("", heading, of) }
	columns := []present.Column[row]{
		text("attribute", func(r row) string { return string(r.Attribute) }),
		text("by", func(r row) string { return r.By }),
		text("family", func(r row) string { return r.Family }),
		text("log", func(r row) string { return r.log }),
		text("jobs", func(r row) string { return present.Whole(r.N) }),
		text("log-likelihood", func(r row) string { return present.Fixed(r.LogLikelihood, 1) }),
	}
	if behind {
		columns = append(columns, text("behind best", func(r row) string {
			if r.Place == 0 {
				return "-"
			}
			return present.Fixed(r.Behind, 1)
		}))
	}
	return append(columns,
		text("KS distance", func(r row) string { return present.Fixed(r.KS.D, 4) }),
		text("p-value", func(r row) string { return present.PValue(r.KS.Significance) }),
		text("Anderson-Darling", func(r row) string {
			if r.AD == nil {
				return ""
			}
			return present.Fixed(r.AD.A2, 2)
		}),
		text("its p-value", func(r row) string {
			if r.AD == nil {
				return ""
			}
			return present.PValue(r.AD.Significance)
		}),
		text("chi-square", func(r row) string { return chiSquareText(r.ChiSquare) }),
		text("samples that pass", func(r row) string {
			if r.Subsamples == nil {
				return ""
			}
			return fmt.Sprintf("%.0f%%", 100*r.Subsamples.Share)
		}),
		text("in model", func(r row) string {
			if r.InModel {
				return "yes"
			}
			return ""
		}),
		text("status", func(r row) string { return string(r.Status) }),
		text("parameters", func(r row) string { return parameterText(r.Report) }))
}

// parameterText writes a law's parameters in one cell.
func parameterText(r fit.Report) string {
	var parts []string
	for _, p := range r.Parameters {
		text := p.Name + " " + present.Sig(p.Value)
		if i, ok := r.Interval(p.Name); ok {
			text += " [" + present.Sig(i.Low) + ", " + present.Sig(i.High) + "]"
		}
		parts = append(parts, text)
	}
	const most = 8
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, ", ")
}

func chiSquareText(c *fit.ChiSquare) string {
	if c == nil {
		return ""
	}
	text := fmt.Sprintf("%s/%d", present.Fixed(c.X2, 1), c.DegreesOfFreedom)
	if p := present.PValue(c.Significance); p != "" {
		text += ", p " + p
	}
	return text
}
