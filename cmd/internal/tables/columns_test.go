package tables

import (
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
)

// A table's row by its headings.
func cells(head, row []string) map[string]string {
	out := map[string]string{}
	for i, h := range head {
		out[h] = row[i]
	}
	return out
}

func TestLawColumns(t *testing.T) {
	sure := fit.Significance{PValue: .25, Replicates: 99, Refits: &fit.Refits{}}
	r := fittedLaw{Ranked: fit.Ranked{Place: 2, Behind: 12.34, Report: fit.Report{
		Attribute: fit.RunTime, By: "all", Family: "gamma", N: 10, LogLikelihood: -55.55, Status: fit.Converged, InModel: true,
		KS: fit.KS{D: .12345, Significance: sure}, AD: &fit.AD{A2: 1.234, Significance: sure},
		ChiSquare: &fit.ChiSquare{X2: 7.25, DegreesOfFreedom: 3, Significance: sure}, Subsamples: &fit.Subsamples{Share: .75},
		Parameters: fit.Parameters{{Name: "shape", Value: 2}, {Name: "scale", Value: .5}},
		Intervals:  &fit.Intervals{Of: []fit.Interval{{Name: "scale", Low: .25, High: .75}}},
	}}}
	var head, row []string
	for _, c := range lawColumns(true) {
		head = append(head, c.Heading)
	}
	people := present.People(lawColumns(true), []fittedLaw{r})
	row = people.Rows[0]
	got := cells(people.Head, row)
	for heading, want := range map[string]string{
		"attribute": "run_time", "by": "all", "family": "gamma", "jobs": "10", "behind best": "12.3", "KS distance": "0.1235", "p-value": "0.25", "Anderson-Darling": "1.23", "its p-value": "0.25",
		"chi-square": "7.2/3, p 0.25", "samples that pass": "75%", "in model": "yes", "status": "converged",
		"parameters": "shape 2, scale 0.5000 [0.2500, 0.7500]",
	} {
		if got[heading] != want {
			t.Errorf("%s: %q, want %q", heading, got[heading], want)
		}
	}
	r.Place, r.AD, r.ChiSquare, r.Subsamples, r.InModel = 0, nil, nil, nil, false
	people = present.People(lawColumns(true), []fittedLaw{r})
	got = cells(people.Head, people.Rows[0])
	for heading, want := range map[string]string{"behind best": "-", "Anderson-Darling": "", "its p-value": "", "chi-square": "", "samples that pass": "", "in model": ""} {
		if got[heading] != want {
			t.Errorf("without: %s: %q, want %q", heading, got[heading], want)
		}
	}
	if slices.Contains(present.People(lawColumns(false), []fittedLaw{r}).Head, "behind best") || !slices.Contains(head, "behind best") {
		t.Error("a single distribution is behind none")
	}
	for range 8 {
		r.Parameters = append(r.Parameters, dist.Parameter{Name: "p", Value: 1})
	}
	if text := parameterText(r.Report); !strings.HasSuffix(text, ", p 1, and 2 more") || strings.Count(text, "p 1") != 6 {
		t.Errorf("ten parameters: %q", text)
	}
}

func TestLineText(t *testing.T) {
	for want, l := range map[string]model.Line{
		"0.5000 - 0.2500·size": {PIntercept: .5, PSlope: -.25}, "0.5000 + 0.2500·size": {PIntercept: .5, PSlope: .25}, "0.5000": {PIntercept: .5},
		"log-odds 1 - 2·size": {PIntercept: 1, PSlope: -2, PForm: model.LogOdds},
	} {
		if got := lineText(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
