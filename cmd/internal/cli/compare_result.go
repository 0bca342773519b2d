package cli

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/stats"
)

const comparedSchema = "loadstone.compare/1"

// comparedJSON is the stable form of 'compare'. Of two inputs it has a
// comparison, of more a map.
type comparedJSON struct {
	Schema     string                `json:"schema"`
	Workloads  []workloadJSON        `json:"workloads"`
	Comparison *workloadsComparedDoc `json:"comparison,omitempty"`
	Map        *mapJSON              `json:"map,omitempty"`
}

type workloadJSON struct {
	Name       string       `json:"name"`
	Kind       string       `json:"kind"` // log or model
	Seed       *uint64      `json:"seed,omitempty"`
	Jobs       int64        `json:"jobs"`
	Processors *int64       `json:"processors"`
	Months     stats.Number `json:"months"`
	Serial     stats.Number `json:"serial_pct"`
	PowerOfTwo stats.Number `json:"power_of_two_pct"`
	Load       stats.Number `json:"offered_load"`
}

type workloadsComparedDoc struct {
	Attributes       []attributeJSON       `json:"attributes"`
	SizeGroups       []runTimesOfSizesJSON `json:"size_groups"`
	Day              *cyclesJSON           `json:"daily_cycle"`
	Week             *cyclesJSON           `json:"weekly_cycle"`
	Correlations     []pairJSON            `json:"correlations"`
	Autocorrelations []pairJSON            `json:"autocorrelations"`
	By               string                `json:"by,omitempty"`
	Classes          []classComparedJSON   `json:"classes,omitempty"`
	NotCompared      []notComparedJSON     `json:"not_compared"`
}

type attributeJSON struct {
	Name          string           `json:"name"` // with the unit of all that follows
	A             distributionJSON `json:"a"`
	B             distributionJSON `json:"b"`
	D             stats.Number     `json:"ks_d"`
	At            stats.Number     `json:"ks_at"`
	Chance        stats.Number     `json:"ks_d_by_chance_1_pct"`
	Wasserstein   stats.Number     `json:"wasserstein"`
	WassersteinLn stats.Number     `json:"wasserstein_ln"`
	Why           string           `json:"why,omitempty"`
}

type distributionJSON struct {
	Jobs   int64        `json:"jobs"`
	Mean   stats.Number `json:"mean"`
	CV     stats.Number `json:"cv"`
	Q05    stats.Number `json:"q05"`
	Q25    stats.Number `json:"q25"`
	Median stats.Number `json:"median"`
	Q75    stats.Number `json:"q75"`
	Q95    stats.Number `json:"q95"`
	Method string       `json:"method"`
}

type runTimesOfSizesJSON struct {
	From    int64        `json:"from_processors"`
	To      int64        `json:"to_processors"`
	ShareA  stats.Number `json:"a_pct"`
	ShareB  stats.Number `json:"b_pct"`
	MedianA stats.Number `json:"a_run_time_median_s"`
	MedianB stats.Number `json:"b_run_time_median_s"`
	D       stats.Number `json:"ks_d"`
}

type cyclesJSON struct {
	ChiSquare stats.Number   `json:"chi_square_measure"`
	Jobs      stats.Number   `json:"jobs"`
	Moved     stats.Number   `json:"moved_pct"`
	A         []stats.Number `json:"a_pct"`
	B         []stats.Number `json:"b_pct"`
}

type pairJSON struct {
	Name string       `json:"name"`
	A    stats.Number `json:"a"`
	B    stats.Number `json:"b"`
}

type classComparedJSON struct {
	Value      int64           `json:"value"`
	JobsA      int64           `json:"a_jobs"`
	JobsB      int64           `json:"b_jobs"`
	Attributes []attributeJSON `json:"attributes"`
}

type notComparedJSON struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// comparedNames are attributes with their units.
var comparedNames = map[string]string{
	score.RunTimeOf: "run_time_s", score.SizeOf: "size_processors", score.WorkOf: "work_processor_s", score.InterarrivalOf: "interarrival_s",
}

func attributesJSON(all []score.Attribute) []attributeJSON {
	var out []attributeJSON
	for _, x := range all {
		side := func(d score.Distribution) distributionJSON {
			return distributionJSON{d.Jobs, stats.Number(d.Mean), stats.Number(d.CV), stats.Number(d.Q05), stats.Number(d.Q25), stats.Number(d.Median), stats.Number(d.Q75), stats.Number(d.Q95), d.Method}
		}
		out = append(out, attributeJSON{
			comparedNames[x.Name], side(x.A), side(x.B), stats.Number(x.D), stats.Number(x.At), stats.Number(x.Chance), stats.Number(x.Wasserstein), stats.Number(x.WassersteinLn), x.Why,
		})
	}
	return out
}

func cyclesOf(c *score.Cycle) *cyclesJSON {
	if c == nil {
		return nil
	}
	out := &cyclesJSON{stats.Number(c.ChiSquare), stats.Number(c.Jobs), stats.Number(100 * c.Moved), nil, nil}
	for i := range c.A {
		out.A, out.B = append(out.A, stats.Number(100*c.A[i])), append(out.B, stats.Number(100*c.B[i]))
	}
	return out
}

func workloadOfJSON(c compared, w score.Workload, seed uint64) workloadJSON {
	out := workloadJSON{
		Name: c.name, Kind: c.kind(), Jobs: w.Jobs, Months: stats.Number(w.Months),
		Serial: stats.Number(100 * w.Serial), PowerOfTwo: stats.Number(100 * w.PowerOfTwo), Load: stats.Number(w.OfferedLoad),
	}
	if w.Processors > 0 {
		out.Processors = &w.Processors
	}
	if c.model {
		out.Seed = &seed
	}
	return out
}

func comparedResult(all []compared, c score.Comparison, o compareLogsOptions) result {
	doc := &workloadsComparedDoc{
		Attributes: attributesJSON(c.Attributes), SizeGroups: []runTimesOfSizesJSON{}, Day: cyclesOf(c.Day), Week: cyclesOf(c.Week),
		By: o.by, NotCompared: []notComparedJSON{},
	}
	for _, g := range c.SizeGroups {
		doc.SizeGroups = append(doc.SizeGroups, runTimesOfSizesJSON{g.From, g.To, stats.Number(100 * g.ShareA), stats.Number(100 * g.ShareB), stats.Number(g.MedianA), stats.Number(g.MedianB), stats.Number(g.D)})
	}
	for _, p := range c.Correlations {
		doc.Correlations = append(doc.Correlations, pairJSON{p.Name, stats.Number(p.A), stats.Number(p.B)})
	}
	for _, p := range c.Autocorrelations {
		doc.Autocorrelations = append(doc.Autocorrelations, pairJSON{p.Name, stats.Number(p.A), stats.Number(p.B)})
	}
	for _, k := range c.Classes {
		doc.Classes = append(doc.Classes, classComparedJSON{k.Value, k.JobsA, k.JobsB, attributesJSON(k.Attributes)})
	}
	for _, n := range c.NotCompared {
		doc.NotCompared = append(doc.NotCompared, notComparedJSON{n.What, n.Why})
	}
	js := comparedJSON{Schema: comparedSchema, Comparison: doc,
		Workloads: []workloadJSON{workloadOfJSON(all[0], c.A, o.seed), workloadOfJSON(all[1], c.B, o.seed)}}
	return result{json: js, csv: doc.csv(), text: func(w io.Writer) error { return printCompared(w, js) }}
}

// csv has a row for each attribute, of all jobs and of each class.
func (d *workloadsComparedDoc) csv() present.Table {
	t := present.Table{Head: []string{"class", "attribute", "a_jobs", "b_jobs", "a_mean", "b_mean", "a_median", "b_median", "ks_d", "ks_at", "ks_d_by_chance_1_pct", "wasserstein", "wasserstein_ln", "why"}}
	add := func(class string, all []attributeJSON) {
		for _, x := range all {
			t.Add(class, x.Name, strconv.FormatInt(x.A.Jobs, 10), strconv.FormatInt(x.B.Jobs, 10), present.Full(x.A.Mean), present.Full(x.B.Mean),
				present.Full(x.A.Median), present.Full(x.B.Median), present.Full(x.D), present.Full(x.At), present.Full(x.Chance), present.Full(x.Wasserstein), present.Full(x.WassersteinLn), x.Why)
		}
	}
	add("", d.Attributes)
	for _, k := range d.Classes {
		add(strconv.FormatInt(k.Value, 10), k.Attributes)
	}
	return t
}

// printCompared is the table for people.
func printCompared(w io.Writer, js comparedJSON) error {
	d := js.Comparison
	a, b := js.Workloads[0].Name, js.Workloads[1].Name
	var tables []present.Table
	summary := present.Table{Head: []string{"", a, b}}
	for _, row := range []struct {
		name string
		of   func(workloadJSON) string
	}{
		{"jobs", func(x workloadJSON) string { return strconv.FormatInt(x.Jobs, 10) }},
		{"processors", func(x workloadJSON) string {
			if x.Processors == nil {
				return "-"
			}
			return strconv.FormatInt(*x.Processors, 10)
		}},
		{"months", func(x workloadJSON) string { return present.Sig(x.Months) }},
		{"serial jobs", func(x workloadJSON) string { return present.Percent(x.Serial) }},
		{"powers of two", func(x workloadJSON) string { return present.Percent(x.PowerOfTwo) }},
		{"offered load", func(x workloadJSON) string { return present.Sig(x.Load) }},
	} {
		summary.Add(row.name, row.of(js.Workloads[0]), row.of(js.Workloads[1]))
	}
	tables = append(tables, summary, attributeTable("", d.Attributes))
	sizes := present.Table{Head: []string{"processors", "share of A", "of B", "median run time of A", "of B", "D"}}
	for _, g := range d.SizeGroups {
		from := strconv.FormatInt(g.To, 10)
		if g.From < g.To {
			from = fmt.Sprintf("%d-%d", g.From, g.To)
		}
		sizes.Add(from, present.Percent(g.ShareA), present.Percent(g.ShareB), present.Sig(g.MedianA), present.Sig(g.MedianB), present.Fixed(g.D, 4))
	}
	if len(sizes.Rows) > 0 {
		tables = append(tables, sizes)
	}
	cycles := present.Table{Head: []string{"cycle", "measure", "of jobs", "moved", "busiest of A", "of B"}}
	if d.Day != nil {
		half := func(i int) string { return fmt.Sprintf("%02d:%02d", i/2, i%2*30) }
		cycles.Add("day", present.Sig(d.Day.ChiSquare), present.Sig(d.Day.Jobs), present.Percent(d.Day.Moved), half(largest(d.Day.A)), half(largest(d.Day.B)))
		cycles.Add("week", present.Sig(d.Week.ChiSquare), present.Sig(d.Week.Jobs), present.Percent(d.Week.Moved), time.Weekday(largest(d.Week.A)).String(), time.Weekday(largest(d.Week.B)).String())
		tables = append(tables, cycles)
	}
	pairs := present.Table{Head: []string{"correlation of", "A", "B"}}
	for _, p := range append(append([]pairJSON{}, d.Correlations...), d.Autocorrelations...) {
		pairs.Add(p.Name, present.Fixed(p.A, 3), present.Fixed(p.B, 3))
	}
	tables = append(tables, pairs)
	for _, k := range d.Classes {
		tables = append(tables, attributeTable(fmt.Sprintf("%s %d", d.By, k.Value), k.Attributes))
	}
	for i := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := tables[i].WriteTable(w); err != nil {
			return err
		}
	}
	if len(d.NotCompared) > 0 {
		fmt.Fprintln(w, "\nnot compared:")
	}
	for _, n := range d.NotCompared {
		if _, err := fmt.Fprintf(w, "  %s: %s\n", n.What, n.Why); err != nil {
			return err
		}
	}
	return nil
}

func attributeTable(heading string, all []attributeJSON) present.Table {
	t := present.Table{Head: []string{heading, "jobs of A", "of B", "median of A", "of B", "mean of A", "of B", "D", "by chance", "Wasserstein", "of ln"}}
	for _, x := range all {
		t.Add(x.Name, strconv.FormatInt(x.A.Jobs, 10), strconv.FormatInt(x.B.Jobs, 10), present.Sig(x.A.Median), present.Sig(x.B.Median), present.Sig(x.A.Mean), present.Sig(x.B.Mean),
			present.Fixed(x.D, 4), present.Fixed(x.Chance, 4), present.Sig(x.Wasserstein), present.Sig(x.WassersteinLn))
	}
	return t
}

// largest is where the largest share is.
func largest(shares []stats.Number) int {
	at := 0
	for i, s := range shares {
		if s > shares[at] {
			at = i
		}
	}
	return at
}

var _ [model.Slots]struct{} = [score.DaySlots]struct{}{}
