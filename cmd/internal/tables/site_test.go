package tables

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
)

// Rows of a model's table, of the constants of Lublin's interactive jobs in the model
// file: as it was published, as fitted to a log, and with the sizes of the log's jobs.
func TestSiteRow(t *testing.T) {
	m, err := model.Preset("lublin1999")
	if err != nil {
		t.Fatal(err)
	}
	c := m.Classes[0]
	c.Jobs = 12345
	// The longest run time is exp(12) = 162754.8 s.
	want := siteRow{"interactive", 12345, .154, .739, "1-3-5.500, 0.7050", math.NaN(), "0.9156 - 0.01180·size", "6.551, 0.6621", "8.919, 3.668", math.Exp(12)}
	check := func(name string, r *site.ClassReport) {
		t.Helper()
		got, w := siteRowOf(c, r), want
		for _, x := range [][2]*float64{{&got.Serial, &w.Serial}, {&got.PowersOfTwo, &w.PowersOfTwo}, {&got.Longest, &w.Longest}, {&got.D, &w.D}} {
			if !(math.Abs(*x[0]-*x[1]) <= 1e-3*(1+math.Abs(*x[1]))) && !math.IsNaN(*x[1]) {
				t.Errorf("%s: %g, want %g", name, *x[0], *x[1])
			}
			*x[0], *x[1] = 0, 0
		}
		if got != w {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, w)
		}
	}
	check("published", nil)
	r := &site.ClassReport{Name: "interactive", Label: "queue_id=0", Sizes: site.SizesReport{DGenerated: 0.0625}}
	want.Class, want.D = "interactive (queue_id=0)", 0.0625
	check("fitted", r)
	// Of 8 jobs 2 are serial, and 3 of the other 6 have a power of two.
	r.Label, r.Sizes = "interactive", site.SizesReport{FromJobs: true, N: 8, Serial: 2, Parallel: 6, PowersOfTwo: 3}
	c.Sizes, c.Arrivals.Method = model.SizeTable{{}, {}, {}}, model.Stationary
	want.Class, want.Serial, want.PowersOfTwo, want.Sizes, want.D, want.Cycle = "interactive", .25, .5, "3 sizes of the log", math.NaN(), "none"
	check("with the log's sizes", r)
}
