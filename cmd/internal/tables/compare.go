package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

// attributeRow is an attribute, of all jobs or of a class.
type attributeRow struct {
	class string
	score.Attribute
}

var attributeColumns = func() []present.Column[attributeRow] {
	jobs := func(name, heading string, of func(*attributeRow) int64) present.Column[attributeRow] {
		return present.Count(name, heading, func(r attributeRow) int { return int(of(&r)) })
	}
	number := func(name, heading string, short func(float64) string, of func(*attributeRow) stats.Number) present.Column[attributeRow] {
		return present.Float(name, heading, func(r attributeRow) stats.Number { return of(&r) }, short)
	}
	sig := present.Sig[float64]
	fixed := func(x float64) string { return present.Fixed(x, 4) }
	return []present.Column[attributeRow]{
		present.Text("class", "", func(r attributeRow) string { return r.class }),
		present.Text("attribute", "attribute", func(r attributeRow) string { return r.Column }),
		jobs("a_jobs", "jobs of A", func(r *attributeRow) int64 { return r.A.Jobs }),
		jobs("b_jobs", "of B", func(r *attributeRow) int64 { return r.B.Jobs }),
		number("", "median of A", sig, func(r *attributeRow) stats.Number { return r.A.Median }),
		number("", "of B", sig, func(r *attributeRow) stats.Number { return r.B.Median }),
		number("a_mean", "mean of A", sig, func(r *attributeRow) stats.Number { return r.A.Mean }),
		number("b_mean", "of B", sig, func(r *attributeRow) stats.Number { return r.B.Mean }),
		number("a_median", "", nil, func(r *attributeRow) stats.Number { return r.A.Median }),
		number("b_median", "", nil, func(r *attributeRow) stats.Number { return r.B.Median }),
		number("ks_d", "KS distance", fixed, func(r *attributeRow) stats.Number { return r.D }),
		number("ks_at", "", nil, func(r *attributeRow) stats.Number { return r.At }),
		number("ks_d_by_chance_1_pct", "KS by chance", fixed, func(r *attributeRow) stats.Number { return r.Chance }),
		number("wasserstein", "Wasserstein", sig, func(r *attributeRow) stats.Number { return r.Wasserstein }),
		number("wasserstein_ln", "of logs", sig, func(r *attributeRow) stats.Number { return r.WassersteinLn }),
		present.Text("why", "", func(r attributeRow) string { return r.Why }),
	}
}()

// Compared is a comparison. CSV has a row for each attribute, of all jobs and of
// each class; with a verdict it has its rows.
// Without sections people see all of them.
func Compared(c *score.Compared, sections []string) present.Result {
	var rows []attributeRow
	for _, x := range c.Comparison.Attributes {
		rows = append(rows, attributeRow{"", x})
	}
	for _, k := range c.Comparison.Classes {
		for _, x := range k.Attributes {
			rows = append(rows, attributeRow{className(k), x})
		}
	}
	r := present.Result{JSON: c, CSV: present.CSV(attributeColumns, rows), Text: func(w *present.Screen) { printCompared(w, c, sections) }}
	if v := c.Verdict; v != nil {
		r.CSV = present.CSV(verdictColumns, v.Rows)
		r.Text = func(w *present.Screen) {
			printCompared(w, c, sections)
			printVerdict(w, v)
		}
	}
	return r
}

// className is the value that makes a class, else the class's label.
func className(c score.ClassComparison) string {
	if c.Value.Known() {
		return strconv.FormatInt(int64(c.Value), 10)
	}
	return c.Label
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
	a, b := js.Workloads[0].Name, js.Workloads[1].Name
	asked := len(sections) > 0
	if !asked {
		sections = ComparedSections
		if js.Verdict != nil {
			sections = sections[:2] // the verdict has the rest in its rows
		}
	}
	shows := func(section string) bool { return slices.Contains(sections, section) }
	var tables []present.Table
	if shows(SummarySection) {
		tables = append(tables, comparedSummary(js.Workloads))
	}
	distances := attributeTable("", d.Attributes)
	if d.Day != nil { // a row of its own: it has neither a median nor a mean
		row := slices.Repeat([]string{"-"}, len(distances.Head))
		row[0], row[slices.Index(distances.Head, "KS distance")] = "time of day", present.Fixed(d.Day.D, 4)
		distances.Add(row...)
	}
	distances = distances.Narrowed("of logs", "Wasserstein")
	if shows(distancesSection) {
		tables = append(tables, distances)
	}
	if sizes := comparedSizes(d.SizeGroups); shows(SizesSection) && len(sizes.Rows) > 0 {
		tables = append(tables, sizes)
	}
	if shows(cyclesSection) && d.Day != nil {
		cycles := present.Table{Head: []string{"cycle", "chi-square", "of jobs", "moved", "KS distance", "busiest of A", "of B"}}
		add := func(name string, c *score.Cycle, peak func(int) string) {
			cycles.Add(name, present.Sig(c.ChiSquare), present.Sig(c.Jobs), present.Percent(100*c.Moved), present.Fixed(c.D, 4), peak(largest(c.A)), peak(largest(c.B)))
		}
		add("day", d.Day, func(i int) string { return fmt.Sprintf("%02d:%02d", i/2, i%2*30) })
		add("week", d.Week, func(i int) string { return time.Weekday(i).String() })
		tables = append(tables, cycles)
	}
	if shows(correlationsSection) {
		pairs := present.Table{Head: []string{"correlation of", "A", "B"}}
		for _, p := range slices.Concat(d.Correlations, d.Autocorrelations) {
			pairs.Add(p.Name, present.Fixed(p.A, 3), present.Fixed(p.B, 3))
		}
		tables = append(tables, pairs)
	}
	if shows(distancesSection) && js.Verdict == nil {
		for _, k := range d.Classes {
			heading := k.Label
			if k.Value.Known() {
				heading = strings.Replace(heading, "=", " ", 1)
			}
			tables = append(tables, attributeTable(heading, k.Attributes).Narrowed("of logs", "Wasserstein"))
		}
	}
	w.Tables(tables...)
	legend := []string{present.Message("A: %s; B: %s", a, b)}
	if shows(distancesSection) {
		legend[0] += "; KS by chance: exceeded by 1 % of independent samples of these sizes"
	}
	if shows(distancesSection) || shows(SizesSection) || shows(cyclesSection) {
		legend = append(legend, ksLegend)
	}
	if shows(distancesSection) && slices.Contains(distances.Head, "Wasserstein") {
		legend = append(legend, "Wasserstein: mean distance between the two distributions, and between those of the logarithms")
	}
	if shows(cyclesSection) && d.Day != nil {
		legend = append(legend, "moved: share of jobs that would have to move for the two cycles to match")
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

func comparedSummary(both []score.Workload) present.Table {
	summary := present.Table{Head: []string{"", both[0].Name, both[1].Name}}
	for _, row := range []struct {
		name string
		of   func(score.Workload) string
	}{
		{"jobs", func(x score.Workload) string { return strconv.FormatInt(x.Jobs, 10) }},
		{"processors", func(x score.Workload) string {
			if !x.Processors.Known() {
				return "-"
			}
			return strconv.FormatInt(int64(x.Processors), 10)
		}},
		{"months", func(x score.Workload) string { return present.Sig(x.Months) }},
		{"serial jobs", func(x score.Workload) string { return present.Percent(100 * x.Serial) }},
		{"powers of two", func(x score.Workload) string { return present.Percent(100 * x.PowerOfTwo) }},
		{"offered load", func(x score.Workload) string { return present.Sig(x.OfferedLoad) }},
	} {
		summary.Add(row.name, row.of(both[0]), row.of(both[1]))
	}
	return summary
}

func comparedSizes(groups []score.RunTimesOfSizes) present.Table {
	sizes := present.Table{Head: []string{"processors", "share of A", "of B", "median run time of A", "of B", "KS distance"}}
	for _, g := range groups {
		from := strconv.FormatInt(g.To, 10)
		if g.From < g.To {
			from = fmt.Sprintf("%d-%d", g.From, g.To)
		}
		sizes.Add(from, present.Percent(100*g.ShareA), present.Percent(100*g.ShareB), present.Sig(g.MedianA), present.Sig(g.MedianB), present.Fixed(g.D, 4))
	}
	return sizes
}

func attributeTable(heading string, all []score.Attribute) present.Table {
	rows := make([]attributeRow, len(all))
	for i, x := range all {
		rows[i].Attribute = x
	}
	t := present.People(attributeColumns, rows)
	t.Head[0] = heading
	return t
}

// largest is where the largest share is.
func largest(shares []stats.Share) int {
	at := 0
	for i, s := range shares {
		if s > shares[at] {
			at = i
		}
	}
	return at
}
