package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/stats"
)

// The table has the fits in the order of the survey, which is by BIC; the pictures take those
// with the least D.
func TestFitsByBIC(t *testing.T) {
	f := &survey.Result{}
	for _, c := range []struct {
		family string
		d      float64
		bic    stats.Number
	}{{"gamma", .25, 100}, {"weibull", .125, 200}, {"uniform-log", .0625, stats.Number(math.Inf(1))}} {
		r := fit.Report{Family: c.family, Attribute: fit.Size, BIC: c.bic}
		r.KS.D = c.d
		f.Fits = append(f.Fits, fit.Report{Family: "other", Attribute: fit.RunTime}, r)
	}
	x := fittedTo{sample: fit.Sample{Values: []float64{1}, Counts: []float64{1}}, own: closestTo(f, fit.Size), ranked: ranked(f, fit.Size)}
	table := x.goodness("The fits")[0].Table
	var rows, drawn []string
	for _, r := range table.Rows {
		rows = append(rows, r[0].Text)
	}
	for _, r := range x.drawn() {
		drawn = append(drawn, r.Family)
	}
	if want := []string{"gamma", "weibull", "uniform-log"}; !slices.Equal(rows, want) || table.Caption != "The fits, by BIC, the best first" {
		t.Errorf("%s: %q, want %q", table.Caption, rows, want)
	}
	if want := []string{"uniform-log", "weibull", "gamma"}; !slices.Equal(drawn, want) {
		t.Errorf("drawn %q, want %q", drawn, want)
	}
}

// A fit without a p-value has no empty column of it.
func TestGoodnessWithoutPValues(t *testing.T) {
	values := []float64{1, 2, 4, 8, 16, 32, 64, 128}
	sample := fit.Sample{Values: values, Counts: slices.Repeat([]float64{1}, len(values))}
	for replicates, want := range map[int]string{
		0:  "distribution | jobs | D | BIC | log-likelihood | status",
		39: "distribution | jobs | D | p-value | BIC | log-likelihood | status",
	} {
		r, err := fit.Fit("log-normal", fit.RunTime, sample, fit.Options{Replicates: replicates, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		r.AD = nil
		x := fittedTo{sample: sample, own: []fit.Report{r}, ranked: []fit.Report{r}}
		if got := lines(x.goodness("Fits")); len(got) < 2 || got[1] != want {
			t.Errorf("%d replicates: %q, want %q", replicates, got, want)
		}
	}
}

// The terms that the page uses are explained.
func TestGlossary(t *testing.T) {
	explained := map[string]string{}
	for _, f := range glossary().Parts[0].Blocks[0].Facts {
		for name := range strings.SplitSeq(f.Name, ", ") {
			explained[name] = f.Value.Text
		}
	}
	for _, name := range []string{"Anderson-Darling", "Dispersion", "r(1)", "ARAR", "Log-odds", "downey-n32", "downey-benefactors", "simulated-corrected"} {
		if explained[name] == "" {
			t.Errorf("%s is not explained", name)
		}
	}
	if !strings.HasPrefix(explained["BIC"], "Bayesian information criterion") {
		t.Errorf("BIC: %q", explained["BIC"])
	}
}
