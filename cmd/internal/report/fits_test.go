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

// The table has the fits of run times in the order of the survey, which is by BIC; the
// chart takes those with the least D.
func TestFitsByBIC(t *testing.T) {
	f := &survey.Result{}
	for _, c := range []struct {
		family string
		d      float64
		bic    stats.Number
	}{{"gamma", .25, 100}, {"weibull", .125, 200}, {"uniform-log", .0625, stats.Number(math.Inf(1))}} {
		r := fit.Report{Family: c.family, Attribute: fit.RunTime, BIC: c.bic}
		r.KS.D = c.d
		f.Fits = append(f.Fits, fit.Report{Family: "other", Attribute: fit.Size}, r)
	}
	l := &Report{fitted: f}
	table := l.goodness(1)[0].Table
	var rows, drawn []string
	for _, r := range table.Rows {
		rows = append(rows, r[0].Text)
	}
	for _, r := range l.closest() {
		drawn = append(drawn, r.Family)
	}
	if want := []string{"gamma", "weibull", "uniform-log"}; !slices.Equal(rows, want) {
		t.Errorf("%q, want %q", rows, want)
	}
	if want := []string{"uniform-log", "weibull", "gamma"}; !slices.Equal(drawn, want) {
		t.Errorf("drawn %q, want %q", drawn, want)
	}
}

// The terms that the page uses are explained.
func TestGlossary(t *testing.T) {
	explained := map[string]string{}
	for _, f := range glossary()[0].Facts {
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
