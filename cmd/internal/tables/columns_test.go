package tables

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/stats"
)

func TestWriteLaws(t *testing.T) {
	sure := stats.Significance{PValue: .25, Replicates: 99, Refits: &stats.Refits{}}
	r := fit.Report{
		Attribute: fit.RunTime, By: "all", Family: "gamma", N: 10, LogLikelihood: -55.55, Status: fit.Converged,
		KS: stats.KS{D: .12345, Significance: sure}, AD: &stats.AD{A2: 1.234, Significance: sure},
		ChiSquare: &stats.ChiSquare{X2: 7.25, DegreesOfFreedom: 3, Significance: sure}, Subsamples: &fit.Subsamples{Share: .75},
		Parameters: fit.Parameters{{Name: "shape", Value: 2}, {Name: "scale", Value: .5}},
		Intervals:  &fit.Intervals{Of: []fit.Interval{{Name: "scale", Low: .25, High: .75}}},
	}
	bare := fit.Report{Attribute: fit.RunTime, By: "all", Family: "uniform", N: 10, Status: fit.IterationLimit, KS: stats.KS{D: .5}}
	for range 10 {
		bare.Parameters = append(bare.Parameters, dist.Parameter{Name: "p", Value: 1})
	}
	text := func(laws ...fittedLaw) string { return prose.Text("laws", fitted{Laws: laws}) }
	r.Place = 1
	if got := text(fittedLaw{Report: r}); strings.Contains(got, "behind best") {
		t.Errorf("a single distribution is behind none:\n%s", got)
	}
	r.Place, r.Behind = 2, 12.34
	got := text(fittedLaw{Report: r}, fittedLaw{Report: bare})
	for _, want := range []string{
		"attribute: run_time; by: all; jobs: 10\n\n",
		"\ngamma         0.1235     0.25              75.0%  1.23, p 0.25      7.2/3, p 0.25  -\n",
		"\nuniform       0.5000        -                  -  -                 -              iteration limit\n",
		"\ngamma    shape=2 scale=0.5000[0.2500,0.7500]\n",
		"\nuniform  p=1 p=1 p=1 p=1 p=1 p=1 p=1 p=1 and 2 more\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
}
