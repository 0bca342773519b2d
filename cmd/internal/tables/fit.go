package tables

import (
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
)

// Fit is the result in its three forms.
func Fit(r *survey.Result, show string) present.Result {
	shown := *r
	if show == SiteNone {
		shown.Site, shown.SiteOfAll = nil, nil
	}
	text := func(w *present.Screen) {
		writeLaws(w, r)
		writeSite(w, show, r)
	}
	return present.Result{Text: text, JSON: shown, CSV: present.CSV(parameterColumns(), lawParameters(r.Fits))}
}

// writeLaws is the table of laws, those of each attribute and class in the order of
// the criterion. A column that no law has anything for is left out.
func writeLaws(w *present.Screen, r *survey.Result) {
	different := slices.ContainsFunc(r.Fits, func(f fit.Report) bool { return f.Family != r.Fits[0].Family })
	spare := []string{"log-likelihood"} // of which the table has the differences, by the criterion
	if !slices.ContainsFunc(r.Fits, func(f fit.Report) bool { return f.Status != fit.Converged }) {
		spare = append(spare, "status")
	}
	w.Table(present.People(lawColumns(different), r.Ranked()).WithoutEmpty("-").Narrowed(spare...))
	legend := []string{ksLegend + "; smaller is better"}
	if different {
		legend = append(legend, "behind best: "+behindWords(r.Rank))
	}
	legend = append(legend, ofLogarithms(r)...)
	if slices.ContainsFunc(r.Fits, func(f fit.Report) bool { return f.InModel }) {
		legend = append(legend, "in model: the model of the site by distributions (--form lublin2003) has this one")
	}
	writeLegend(w, legend...)
}

// ofLogarithms names the families that are distributions of a logarithm, as their
// parameters are.
func ofLogarithms(r *survey.Result) (legend []string) {
	for _, transform := range []struct {
		is    fit.Transform
		words string
	}{{fit.Ln, "natural"}, {fit.Log2, "binary"}} {
		var families []string
		for _, f := range r.Ranked() {
			if f.Transform == transform.is && !slices.Contains(families, f.Family) {
				families = append(families, f.Family)
			}
		}
		if len(families) > 0 {
			legend = append(legend, strings.Join(families, ", ")+": distributions of the "+transform.words+" logarithm of the values")
		}
	}
	return legend
}

// behindWords says what the laws are ranked by.
func behindWords(by fit.Criterion) string {
	switch by {
	case fit.ByAIC:
		return "difference in AIC from the best family; smaller is better"
	case fit.ByCrossValidation:
		return "difference in cross-validated log-likelihood from the best family; smaller is better"
	}
	return "difference in BIC from the best family; smaller is better"
}
