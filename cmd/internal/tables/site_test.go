package tables

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
)

// Rows of a model's table, of the constants of Lublin's interactive jobs in the model
// file: as it was published, as fitted to a log, and with the sizes of the log's jobs.
func TestAddSiteRow(t *testing.T) {
	m, err := model.Preset("lublin1999")
	if err != nil {
		t.Fatal(err)
	}
	c := m.Classes[0]
	c.Jobs = 12345
	row := func(r *site.ClassReport) []string {
		t := siteTable()
		addSiteRow(&t, c, r)
		return t.Rows[0]
	}
	// The longest run time is exp(12) = 162754.8 s.
	want := []string{"interactive", "12345", "0.154", "0.739", "1-3-5.500, 0.7050", "-", "0.9156 - 0.01180·size", "gamma 6.551, 0.6621", "gamma 8.919, 3.668", "45.21 h"}
	if got := row(nil); !slices.Equal(got, want) {
		t.Errorf("published:\n%q, want\n%q", got, want)
	}
	r := &site.ClassReport{Name: "interactive", Label: "queue_id=0", Sizes: site.SizesReport{DGenerated: 0.0625}}
	want[0], want[5] = "interactive (queue_id=0)", "0.062"
	if got := row(r); !slices.Equal(got, want) {
		t.Errorf("fitted:\n%q, want\n%q", got, want)
	}
	// Of 8 jobs 2 are serial, and 3 of the other 6 have a power of two.
	r.Label, r.Sizes = "interactive", site.SizesReport{FromJobs: true, N: 8, Serial: 2, Parallel: 6, PowersOfTwo: 3}
	c.Sizes, c.Arrivals.Method = model.SizeTable{{}, {}, {}}, model.Stationary
	want[0], want[2], want[3], want[4], want[5], want[8] = "interactive", "0.250", "0.500", "3 sizes of the log", "-", "none"
	if got := row(r); !slices.Equal(got, want) {
		t.Errorf("with the log's sizes:\n%q, want\n%q", got, want)
	}
}
