package tables

import (
	"cmp"
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
// BIC.
func writeLaws(w *present.Screen, r *survey.Result) {
	laws := make([]fittedLaw, 0, len(r.Fits))
	for _, f := range r.Ranked() {
		laws = append(laws, fittedLaw{Ranked: f})
	}
	writeFittedLaws(w, laws)
}

// fittedLaw is a row of the table of laws.
type fittedLaw struct {
	log string // of several
	fit.Ranked
}

// writeFittedLaws is a table of laws. A column that no law has anything for is left out.
func writeFittedLaws(w *present.Screen, laws []fittedLaw) {
	any := func(is func(fittedLaw) bool) bool { return slices.ContainsFunc(laws, is) }
	different := any(func(f fittedLaw) bool { return f.Family != laws[0].Family })
	spare := []string{"log-likelihood"} // of which the table has the differences, by BIC
	if !any(func(f fittedLaw) bool { return f.Status != fit.Converged }) {
		spare = append(spare, "status")
	}
	w.Table(present.People(lawColumns(different), laws).WithoutEmpty("-").Narrowed(spare...))
	legend := []string{ksLegend + "; smaller is better"}
	if different {
		legend = append(legend, "behind best: difference in BIC from the best family; smaller is better")
	}
	legend = append(legend, ofLogarithms(laws)...)
	if any(func(f fittedLaw) bool { return f.InModel }) {
		legend = append(legend, "in model: the model of the site by distributions (--form lublin2003) has this one")
	}
	writeLegend(w, legend...)
}

// Fits are the distributions of several logs side by side, in its three forms.
func Fits(fits []*survey.Result) present.Result {
	var laws []fittedLaw
	var parameters []lawParameter
	for _, r := range fits {
		for _, f := range r.Ranked() {
			laws = append(laws, fittedLaw{r.Log.Name, f})
		}
		for _, p := range lawParameters(r.Fits) {
			p.log = r.Log.Name
			parameters = append(parameters, p)
		}
	}
	// The laws that are to be compared stand together.
	slices.SortStableFunc(laws, func(a, b fittedLaw) int {
		return cmp.Or(cmp.Compare(a.Attribute, b.Attribute), cmp.Compare(a.By, b.By), cmp.Compare(a.Family, b.Family))
	})
	log := present.Text("log", "", func(p lawParameter) string { return p.log })
	return present.Result{
		Text: func(w *present.Screen) { writeFittedLaws(w, laws) },
		JSON: survey.Several{Schema: survey.SeveralSchema, Logs: fits},
		CSV:  present.CSV(append([]present.Column[lawParameter]{log}, parameterColumns()...), parameters),
	}
}

// ofLogarithms names the families that are distributions of a logarithm, as their
// parameters are.
func ofLogarithms(laws []fittedLaw) (legend []string) {
	for _, transform := range []struct {
		is    fit.Transform
		words string
	}{{fit.Ln, "natural"}, {fit.Log2, "binary"}} {
		var families []string
		for _, f := range laws {
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
