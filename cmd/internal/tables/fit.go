package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Fit is the result in its three forms.
func Fit(r *survey.Result, show string) view.Result {
	laws, shown := lawsOf(r), *r
	if show == SiteNone {
		shown.Site, shown.SiteOfAll = nil, nil
	}
	text := func(w *view.Screen) {
		w.Printf("%s", prose.Text("laws", lawTableOf(laws)))
		writeSite(w, show, r)
	}
	return view.Result{Text: text, JSON: shown, CSV: view.CSV(lawParameters(laws))}
}

// Fits are the distributions of several logs side by side, in its three forms.
func Fits(fits []*survey.Result) view.Result {
	laws := lawsOf(fits...)
	return view.Result{
		Text: func(w *view.Screen) { w.Printf("%s", prose.Text("laws", lawTableOf(laws))) },
		JSON: survey.Several{Schema: survey.SeveralSchema, Logs: fits},
		CSV:  view.CSV(lawParameters(laws)),
	}
}

// fittedLaw is a row of the table of laws.
type fittedLaw struct {
	Log string `csv:"log" show:"log"`
	fit.Ranked
}

// lawsOf are the laws of logs, those of each attribute and class in the order of BIC. Those of
// several logs that are to be compared stand together.
func lawsOf(logs ...*survey.Result) (laws []fittedLaw) {
	for _, r := range logs {
		for _, f := range r.Ranked() {
			laws = append(laws, fittedLaw{r.Log.Name, f})
		}
	}
	if len(logs) > 1 {
		slices.SortStableFunc(laws, func(a, b fittedLaw) int {
			return cmp.Or(cmp.Compare(a.Attribute, b.Attribute), cmp.Compare(a.By, b.By), cmp.Compare(a.Family, b.Family))
		})
	}
	return laws
}

// lawParameter is a parameter of a law, a row of CSV.
type lawParameter struct {
	fittedLaw
	dist.Parameter
	fit.Interval
}

func lawParameters(laws []fittedLaw) (all []lawParameter) {
	for _, l := range laws {
		for _, p := range l.Parameters {
			i, ok := l.Report.Interval(p.Name)
			if !ok {
				i.Low, i.High = stats.Number(math.NaN()), stats.Number(math.NaN())
			}
			all = append(all, lawParameter{l, p, i})
		}
	}
	return all
}

// lawTable is what the template of distributions is given.
type lawTable struct {
	laws       []fittedLaw
	Common     string
	Table      view.Table
	Parameters string
}

func (t lawTable) Has(heading string) bool { return slices.Contains(t.Table.Head, heading) }

// Of are the families that are distributions of a transformed attribute.
func (t lawTable) Of(transform fit.Transform) (families []string) {
	for _, l := range t.laws {
		if l.Transform == transform && !slices.Contains(families, l.Family) {
			families = append(families, l.Family)
		}
	}
	return families
}

// lawTableOf is a table of laws, with their parameters below it where they are too many for a
// column.
func lawTableOf(laws []fittedLaw) lawTable {
	people := view.For(laws)
	add := func(after, heading string, narrow int, text func(fittedLaw) string) {
		people.With(view.Cell[fittedLaw]{After: after, Heading: heading, Narrow: narrow, Text: text})
	}
	add("KS distance", "p-value", 0, func(l fittedLaw) string { return view.PValue(l.KS.Significance) })
	if slices.ContainsFunc(laws, func(l fittedLaw) bool { return l.Family != laws[0].Family }) {
		add("jobs", "behind best", 0, func(l fittedLaw) string { return view.Fixed(l.Behind, 1) })
	}
	add("", "Anderson-Darling", 0, func(l fittedLaw) string {
		if l.AD == nil {
			return ""
		}
		return testText(view.Fixed(l.AD.A2, 2), l.AD.Significance)
	})
	add("", "chi-square", 0, func(l fittedLaw) string {
		if l.ChiSquare == nil {
			return ""
		}
		return testText(fmt.Sprintf("%s/%d", view.Fixed(l.ChiSquare.X2, 1), l.ChiSquare.DegreesOfFreedom), l.ChiSquare.Significance)
	})
	add("", "status", 0, func(l fittedLaw) string {
		if l.Status == fit.Converged {
			return ""
		}
		return string(l.Status)
	})
	add("", "parameters", 1, func(l fittedLaw) string { return parameterText(l.Report) })
	people.Common("log") // which the user knows
	t := lawTable{laws: laws, Common: people.Common("attribute", "by", "jobs"), Table: people.Table()}
	t.Parameters = parametersBelow(t.Table, func(i int) fit.Report { return laws[i].Report })
	return t
}

// testText is a statistic with its p-value.
func testText(statistic string, s fit.Significance) string {
	if p := view.PValue(s); p != "" {
		return statistic + ", p " + p
	}
	return statistic
}

// parameterText writes a law's parameters in one cell.
func parameterText(r fit.Report) string {
	var parts []string
	for _, p := range r.Parameters {
		text := p.Name + "=" + view.Sig(p.Value)
		if i, ok := r.Interval(p.Name); ok {
			text += "[" + view.Sig(i.Low) + "," + view.Sig(i.High) + "]"
		}
		parts = append(parts, text)
	}
	const most = 8
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, " ")
}

// parametersBelow are the parameters of the rows of a table that has no room for them, each with
// the columns that name it.
func parametersBelow(t view.Table, of func(row int) fit.Report) string {
	if slices.Contains(t.Head, "parameters") {
		return ""
	}
	for _, heading := range t.Head {
		if !slices.Contains([]string{"log", "attribute", "by", "family", "class"}, heading) {
			t = t.Dropped(heading)
		}
	}
	indent := t.Width() + 2
	var text string
	for i, name := range strings.Split(strings.TrimSuffix(t.String(), "\n"), "\n") {
		what := "parameters"
		if i > 0 {
			what = parameterText(of(i - 1))
		}
		text += view.Wrap(view.MostColumns, indent, fmt.Sprintf("%-*s", indent, name), what) + "\n"
	}
	return text
}
