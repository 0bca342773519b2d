package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// Load and utilisation are called unreliable, with both numbers, at the tiles, in the
// summary, with the load and among the caveats, where more than 110 % of the machine is busy for 1 % of the
// log's time: of 100,000 s, 1,000 s.
func TestOverbooked(t *testing.T) {
	l := &Report{o: &Options{Log: "a"}, why: map[string]string{}, use: &inspect.Usage{Utilisation: 0.875, Width: 3600, Intervals: []inspect.UsageInterval{{Covered: 3600, Load: 0.875, Utilisation: 0.875}}}}
	d := &inspect.Description{Jobs: 9, OfferedLoad: 0.875}
	d.Log.Processors, d.Log.LastSubmit = 8192, 100_000
	l.describe = d
	const busy = "up to 28,416 processors are busy on a machine of 8,192"
	for _, c := range []struct {
		what string
		busy *inspect.Busy
		want bool
	}{
		{"not checked", nil, false},
		{"far more", &inspect.Busy{Peak: 28_416, PeakPct: 346.875, Seconds: 1000}, true},
		{"for a moment", &inspect.Busy{Peak: 28_416, PeakPct: 346.875, Seconds: 999}, false},
		{"a few more", &inspect.Busy{Peak: 9011, PeakPct: 109.998, Seconds: 50_000}, false},
	} {
		l.validate.Busy = c.busy
		notes := map[string]string{}
		for _, f := range l.key() {
			notes[f.Name] = f.More
		}
		for _, name := range []string{"Offered load", "Utilisation"} {
			if got := notes[name] == "unreliable: "+busy; got != c.want {
				t.Errorf("%s: the note on %s is %q", c.what, name, notes[name])
			}
		}
		summary, caveats := strings.Join(lines(l.summary()), "\n"), strings.Join(lines(l.caveats()), "\n")
		if got := strings.Contains(summary, "was used (utilisation). Both are unreliable: "+busy+"."); got != c.want {
			t.Errorf("%s: the summary is %q", c.what, summary)
		}
		if got := slices.Contains(lines(l.loadAndUse()), "warning: Both are unreliable: "+busy+"."); got != c.want {
			t.Errorf("%s: on load and use: %q", c.what, lines(l.loadAndUse()))
		}
		if got := strings.Contains(caveats, "warning: Load and utilisation are unreliable: "+busy+"."); got != c.want {
			t.Errorf("%s: the caveats are %q", c.what, caveats)
		}
	}
}

// The utilisation is a lower bound where jobs without a known wait have work.
func TestUncountedWork(t *testing.T) {
	l := &Report{o: &Options{Log: "a"}, why: map[string]string{}, use: &inspect.Usage{Utilisation: 0.635, Width: 3600, Intervals: []inspect.UsageInterval{{Covered: 3600, Load: 0.747, Utilisation: 0.635}}}}
	d := &inspect.Description{Jobs: 9, OfferedLoad: 0.747}
	d.Log.Processors, d.Log.LastSubmit = 416, 100_000
	l.describe = d
	for unplaced, want := range map[float64]bool{0.149: true, 0.01: false} {
		l.use.Unplaced = stats.Share(unplaced)
		const of = "jobs whose wait is unknown, with 14.9 % of the work, are not counted"
		tile := ""
		for _, f := range l.key() {
			if f.Name == "Utilisation" {
				tile = f.More
			}
		}
		if got := tile == "at least: "+of; got != want {
			t.Errorf("%v: the tile says %q", unplaced, tile)
		}
		if text := strings.Join(lines(l.summary()), "\n"); strings.Contains(text, "; at least 63.5 % of that capacity was used (utilisation): "+of+".") != want {
			t.Errorf("%v: the summary is %q", unplaced, text)
		}
		if got := slices.Contains(lines(l.loadAndUse()), "warning: The utilisation and the queue are too low: "+of+"."); got != want {
			t.Errorf("%v: on load and use: %q", unplaced, lines(l.loadAndUse()))
		}
	}
}
