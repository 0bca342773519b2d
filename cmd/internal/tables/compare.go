package tables

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// Compared is a comparison. CSV has a row for each attribute, of all jobs and of
// each class; with a verdict it has its rows.
// Without sections people see all of them.
func Compared(c *score.Compared, sections []string) view.Result {
	r := view.Result{JSON: c, CSV: view.CSV(c.Comparison.Attributes, c.Comparison.Classes)}
	if c.Verdict != nil {
		r.CSV = view.CSV(c.Verdict.Rows)
	}
	r.Text = func(w *view.Screen) {
		w.Printf("%s", prose.Text("compare", comparedFor(c, sections)))
		if c.Verdict != nil {
			w.Printf("%s", prose.Text("verdict", verdictFor(c.Verdict)))
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

// compared is what the template of a comparison is given.
type compared struct {
	sections                           []string
	Tables                             []view.Table
	Names                              string // of A and B, where no table has them
	Wasserstein, HasCycles, LongEnough bool
	NotCompared                        []score.NotCompared
}

func (c compared) Shows(section string) bool { return slices.Contains(c.sections, section) }

func comparedFor(js *score.Compared, sections []string) compared {
	d, asked := js.Comparison, len(sections) > 0
	if !asked {
		sections = ComparedSections
		if js.Verdict != nil { // it has the rest in its rows
			sections = []string{SummarySection, distancesSection, cyclesSection}
		}
	}
	out := compared{sections: sections}
	add := func(t view.Table) { out.Tables = append(out.Tables, t) }
	both := slices.Clone(js.Workloads)
	both[0].Name, both[1].Name = "A: "+both[0].Name, "B: "+both[1].Name
	if out.Shows(SummarySection) {
		add(view.For(both).Table())
	} else {
		out.Names = both[0].Name + "; " + both[1].Name
	}
	if out.Shows(distancesSection) {
		t := view.For(d.Attributes).Table()
		add(t)
		out.Wasserstein = slices.Contains(t.Head, "Wasserstein")
	}
	if out.Shows(SizesSection) && len(d.SizeGroups) > 0 {
		var groups []comparedSizes
		for _, g := range d.SizeGroups {
			groups = append(groups, comparedSizes{view.Range(g.From, g.To), g})
		}
		add(view.For(groups).Table())
	}
	if out.HasCycles = out.Shows(cyclesSection) && d.Day != nil; out.HasCycles {
		add(cyclesTable(d))
	}
	pairs := slices.Concat(d.Correlations, d.Autocorrelations)
	if out.Shows(correlationsSection) {
		add(view.For(pairs).Table())
		weeks := float64(d.A.Months) * (365.25 / 12 / 7)
		out.LongEnough = js.Verdict == nil && d.A.Kind == "log" && weeks >= score.LeastWeeks
	}
	if out.Shows(distancesSection) && js.Verdict == nil {
		for _, k := range d.Classes {
			t := view.For(k.Attributes).Table()
			t.Head[0] = k.Label
			if k.Value.Known() {
				t.Head[0] = strings.Replace(k.Label, "=", " ", 1)
			}
			add(t)
		}
	}
	out.NotCompared = slices.DeleteFunc(slices.Clone(d.NotCompared), func(n score.NotCompared) bool {
		return asked && !out.Shows(correlationsSection) && slices.ContainsFunc(pairs, func(p score.Pair) bool { return p.Name == n.What })
	})
	return out
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

func cyclesTable(d score.Comparison) view.Table {
	halfHour := func(i int) string { return fmt.Sprintf("%02d:%02d", i/2, i%2*30) }
	day := func(i int) string { return time.Weekday(i).String() }
	return view.For([]comparedCycle{
		{"day", d.Day, halfHour(largest(d.Day.A)), halfHour(largest(d.Day.B))},
		{"week", d.Week, day(largest(d.Week.A)), day(largest(d.Week.B))},
	}).Table()
}

// largest is where the largest share is.
func largest(shares []stats.Share) int { return slices.Index(shares, slices.Max(shares)) }
