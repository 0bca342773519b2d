package tables

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/model"
)

// Rows of a model's tables with the constants of Lublin's interactive jobs in the model file: as
// published, as fitted to a log, and with the sizes of the log's jobs.
func TestSiteRow(t *testing.T) {
	m := jobtest.Must(model.Preset("lublin1999"))
	c := m.Classes[0]
	c.Jobs = 12345
	check := func(name string, r *site.ClassReport, sizes, times string) {
		t.Helper()
		classes := []siteClass{{"interactive", "", c, r}}
		for template, want := range map[string]string{"site sizes": sizes, "site times": times} {
			_, got, _ := strings.Cut(prose.Text(template, classes), "\n")
			if got := strings.ReplaceAll(strings.TrimSpace(got), `\x1f`, "|"); got != want {
				t.Errorf("%s, %s:\n%s, want\n%s", name, template, got, want)
			}
		}
	}
	// The longest run time is exp(12) = 162754.8 s.
	const times = "interactive | 0.9156 - 0.01180·size | 6.551, 0.6621 | 8.919, 3.668 | 45.21 h"
	check("published", nil, "interactive | 12345 | 0.154 | 0.739 | 1-3-5.500, 0.7050 |", times)
	r := &site.ClassReport{Name: "interactive", Label: "queue_id=0", Sizes: site.SizesReport{DGenerated: 0.0625}}
	check("fitted", r, "interactive (queue_id=0) | 12345 | 0.154 | 0.739 | 1-3-5.500, 0.7050 | 0.062", strings.Replace(times, "ive", "ive (queue_id=0)", 1))
	// Of 8 jobs 2 are serial, and 3 of the other 6 have a power of two as their size.
	r.Label, r.Sizes = "interactive", site.SizesReport{FromJobs: true, N: 8, Serial: 2, Parallel: 6, PowersOfTwo: 3}
	c.Sizes, c.Arrivals.Method = &model.SizeTable{Rows: make([]model.SizeShare, 3)}, model.Stationary
	check("with the log's sizes", r, "interactive | 12345 | 0.250 | 0.500 | 3 sizes of the log |", strings.Replace(times, "8.919, 3.668", "none", 1))
}

func TestLine(t *testing.T) {
	for want, l := range map[string]model.Line{
		"0.5000 - 0.2500·size": {PIntercept: .5, PSlope: -.25}, "0.5000 + 0.2500·size": {PIntercept: .5, PSlope: .25}, "0.5000": {PIntercept: .5},
	} {
		if got := prose.Text("line", l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
