package present

import (
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
)

// Rows of arrivals by hand: the least gap, both cycles, and what was removed.
func TestArrivalsTable(t *testing.T) {
	gamma := func() dist.JSON { return dist.JSON{Law: dist.Gamma{Shape: 2, Scale: 3}} }
	r := site.ArrivalsReport{Peak: fit.Report{N: 7, Law: dist.Gamma{Shape: 4, Scale: 5}}, MinGap: 1, Gaps: 9, ARAR: 1.5}
	last := func() []string {
		rows := arrivalsTable(r).Rows
		return rows[len(rows)-1]
	}
	first := func() string { rows := arrivalsTable(r).Rows; return rows[0][len(rows[0])-1] }
	if got := first(); got != "interarrival above 1 s" {
		t.Error(got)
	}
	if got, want := last(), []string{"mean ln of interarrival, all hours over peak", "9", "-", "-", "-", "1.5000"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.Cycle = &site.CycleReport{Law: gamma(), N: 20, D: .25, Distance: 3, Peaks: []site.PeakOff{{AutomaticPeak: site.AutomaticPeak{Name: "cron"}, Jobs: 1.2}, {AutomaticPeak: site.AutomaticPeak{Name: "night"}, Jobs: 1.6}}}
	if got, want := last(), []string{"daily cycle, half hours", "20", "2", "3", "0.2500", "sum of (m-d)²/(m+d) 3, cron: 1 job removed, night: 2 jobs removed"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.FullCycle = &site.CycleReport{Law: gamma(), N: 23, D: .5, Distance: 4}
	if got, want := last(), []string{"with automatic peaks", "23", "2", "3", "0.5000", "sum of (m-d)²/(m+d) 4"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.Methods = &site.MethodsReport{Why: "too few gaps"}
	if got, want := last(), []string{"expected interarrival times", "-", "-", "-", "-", "too few gaps"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
