package report

import (
	"math"
	"slices"
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
