package tables

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Compared is a comparison. CSV has a row for each attribute, of all jobs and of
// each class; with a verdict it has its rows.
// Without sections people see all of them.
func Compared(c *score.Compared, sections []string) present.Result {
	r := present.Result{JSON: c, CSV: view.CSV(c.Comparison.Attributes, c.Comparison.Classes), Text: func(w *present.Screen) { printCompared(w, c, sections) }}
	if v := c.Verdict; v != nil {
		r.CSV = view.CSV(v.Rows)
		r.Text = func(w *present.Screen) {
			printCompared(w, c, sections)
			printVerdict(w, v)
		}
	}
	return r
}

// The sections of a comparison, without a verdict.
const (
	distancesSection    = "distances"
	cyclesSection       = "cycles"
	correlationsSection = "correlations"
)

var ComparedSections = []string{SummarySection, distancesSection, SizesSection, cyclesSection, correlationsSection}

// printCompared is the table for people.
func printCompared(w *present.Screen, js *score.Compared, sections []string) {
	d := js.Comparison
	asked := len(sections) > 0
	if !asked {
		sections = ComparedSections
		if js.Verdict != nil { // it has the rest in its rows
			sections = []string{SummarySection, distancesSection, cyclesSection}
		}
	}
	shows := func(section string) bool { return slices.Contains(sections, section) }
	names := present.Message("A: %s; B: %s", js.Workloads[0].Name, js.Workloads[1].Name)
	var tables []present.Table
	var legend []string
	if shows(SummarySection) {
		both := slices.Clone(js.Workloads)
		both[0].Name, both[1].Name = "A: "+both[0].Name, "B: "+both[1].Name
		tables = append(tables, view.For(both).Table())
	} else {
		legend = append(legend, names)
	}
	if shows(distancesSection) {
		distances := view.For(d.Attributes).Table()
		tables = append(tables, distances)
		legend = append(legend, "KS by chance: exceeded by 1 % of independent samples of these sizes")
		if slices.Contains(distances.Head, "Wasserstein") {
			legend = append(legend, "Wasserstein: mean distance between the two distributions, and between those of the logarithms")
		}
	}
	if shows(SizesSection) && len(d.SizeGroups) > 0 {
		var groups []comparedSizes
		for _, g := range d.SizeGroups {
			groups = append(groups, comparedSizes{present.Range(g.From, g.To), g})
		}
		tables = append(tables, view.For(groups).Table())
	}
	if shows(cyclesSection) && d.Day != nil {
		tables = append(tables, cyclesTable(d))
		legend = append(legend, "moved: share of jobs that would have to move for the two cycles to match")
	}
	if shows(correlationsSection) {
		tables = append(tables, view.For(slices.Concat(d.Correlations, d.Autocorrelations)).Table())
	}
	if shows(distancesSection) && js.Verdict == nil {
		for _, k := range d.Classes {
			t := view.For(k.Attributes).Table()
			t.Head[0] = k.Label
			if k.Value.Known() {
				t.Head[0] = strings.Replace(k.Label, "=", " ", 1)
			}
			tables = append(tables, t)
		}
	}
	w.Tables(tables...)
	if shows(distancesSection) || shows(SizesSection) || shows(cyclesSection) {
		legend = append(legend, ksLegend)
	}
	if weeks := float64(d.A.Months) * (365.25 / 12 / 7); shows(correlationsSection) && js.Verdict == nil && d.A.Kind == "log" && weeks >= score.LeastWeeks {
		legend = append(legend, "is B like A? jobs are not independent, so use --schedule easy: it judges differences by those between A's own weeks")
	}
	writeLegend(w, legend...)
	notCompared := slices.DeleteFunc(slices.Clone(d.NotCompared), func(n score.NotCompared) bool {
		isPair := func(p score.Pair) bool { return p.Name == n.What }
		return asked && !shows(correlationsSection) && slices.ContainsFunc(slices.Concat(d.Correlations, d.Autocorrelations), isPair)
	})
	if len(notCompared) > 0 {
		w.Printf("\nnot compared:\n")
	}
	for _, n := range notCompared {
		w.Printf("  %s: %s\n", n.What, n.Why)
	}
}

// comparedSizes is a row of the table of sizes.
type comparedSizes struct {
	Processors string `show:"processors"`
	score.RunTimesOfSizes
}

// comparedCycle is a row of the table of cycles.
type comparedCycle struct {
	Name string `show:"cycle"`
	*score.Cycle
	BusiestA string `show:"busiest of A"`
	BusiestB string `show:"of B"`
}

func cyclesTable(d score.Comparison) present.Table {
	halfHour := func(i int) string { return fmt.Sprintf("%02d:%02d", i/2, i%2*30) }
	day := func(i int) string { return time.Weekday(i).String() }
	return view.For([]comparedCycle{
		{"day", d.Day, halfHour(largest(d.Day.A)), halfHour(largest(d.Day.B))},
		{"week", d.Week, day(largest(d.Week.A)), day(largest(d.Week.B))},
	}).Table()
}

// largest is where the largest share is.
func largest(shares []stats.Share) int { return slices.Index(shares, slices.Max(shares)) }
