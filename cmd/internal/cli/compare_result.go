package cli

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
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
	Name       string  `json:"name"`
	Kind       string  `json:"kind"` // log or model
	Seed       *uint64 `json:"seed,omitempty"`
	Jobs       int64   `json:"jobs"`
	Processors *int64  `json:"processors"`
	Months     number  `json:"months"`
	Serial     number  `json:"serial_pct"`
	PowerOfTwo number  `json:"power_of_two_pct"`
	Load       number  `json:"offered_load"`
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
	D             number           `json:"ks_d"`
	At            number           `json:"ks_at"`
	Chance        number           `json:"ks_d_by_chance_1_pct"`
	Wasserstein   number           `json:"wasserstein"`
	WassersteinLn number           `json:"wasserstein_ln"`
	Why           string           `json:"why,omitempty"`
}

type distributionJSON struct {
	Jobs   int64  `json:"jobs"`
	Mean   number `json:"mean"`
	CV     number `json:"cv"`
	Q05    number `json:"q05"`
	Q25    number `json:"q25"`
	Median number `json:"median"`
	Q75    number `json:"q75"`
	Q95    number `json:"q95"`
	Method string `json:"method"`
}

type runTimesOfSizesJSON struct {
	From    int64  `json:"from_processors"`
	To      int64  `json:"to_processors"`
	ShareA  number `json:"a_pct"`
	ShareB  number `json:"b_pct"`
	MedianA number `json:"a_run_time_median_s"`
	MedianB number `json:"b_run_time_median_s"`
	D       number `json:"ks_d"`
}

type cyclesJSON struct {
	ChiSquare number   `json:"chi_square_measure"`
	Jobs      number   `json:"jobs"`
	Moved     number   `json:"moved_pct"`
	A         []number `json:"a_pct"`
	B         []number `json:"b_pct"`
}

type pairJSON struct {
	Name string `json:"name"`
	A    number `json:"a"`
	B    number `json:"b"`
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
			return distributionJSON{d.Jobs, number(d.Mean), number(d.CV), number(d.Q05), number(d.Q25), number(d.Median), number(d.Q75), number(d.Q95), d.Method}
		}
		out = append(out, attributeJSON{
			comparedNames[x.Name], side(x.A), side(x.B), number(x.D), number(x.At), number(x.Chance), number(x.Wasserstein), number(x.WassersteinLn), x.Why,
		})
	}
	return out
}

func cyclesOf(c *score.Cycle) *cyclesJSON {
	if c == nil {
		return nil
	}
	out := &cyclesJSON{number(c.ChiSquare), number(c.Jobs), number(100 * c.Moved), nil, nil}
	for i := range c.A {
		out.A, out.B = append(out.A, number(100*c.A[i])), append(out.B, number(100*c.B[i]))
	}
	return out
}

func workloadOfJSON(c compared, w score.Workload, seed uint64) workloadJSON {
	out := workloadJSON{
		Name: c.name, Kind: c.kind(), Jobs: w.Jobs, Months: number(w.Months),
		Serial: number(100 * w.Serial), PowerOfTwo: number(100 * w.PowerOfTwo), Load: number(w.OfferedLoad),
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
		doc.SizeGroups = append(doc.SizeGroups, runTimesOfSizesJSON{g.From, g.To, number(100 * g.ShareA), number(100 * g.ShareB), number(g.MedianA), number(g.MedianB), number(g.D)})
	}
	for _, p := range c.Correlations {
		doc.Correlations = append(doc.Correlations, pairJSON{p.Name, number(p.A), number(p.B)})
	}
	for _, p := range c.Autocorrelations {
		doc.Autocorrelations = append(doc.Autocorrelations, pairJSON{p.Name, number(p.A), number(p.B)})
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
func (d *workloadsComparedDoc) csv() table {
	t := table{head: []string{"class", "attribute", "a_jobs", "b_jobs", "a_mean", "b_mean", "a_median", "b_median", "ks_d", "ks_at", "ks_d_by_chance_1_pct", "wasserstein", "wasserstein_ln", "why"}}
	add := func(class string, all []attributeJSON) {
		for _, x := range all {
			t.add(class, x.Name, strconv.FormatInt(x.A.Jobs, 10), strconv.FormatInt(x.B.Jobs, 10), x.A.Mean.text(), x.B.Mean.text(),
				x.A.Median.text(), x.B.Median.text(), x.D.text(), x.At.text(), x.Chance.text(), x.Wasserstein.text(), x.WassersteinLn.text(), x.Why)
		}
	}
	add("", d.Attributes)
	for _, k := range d.Classes {
		add(strconv.FormatInt(k.Value, 10), k.Attributes)
	}
	return t
}

func text(n number) string { return sig(float64(n)) }

// printCompared is the table for people.
func printCompared(w io.Writer, js comparedJSON) error {
	d := js.Comparison
	a, b := js.Workloads[0].Name, js.Workloads[1].Name
	var tables []table
	summary := table{head: []string{"", a, b}}
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
		{"months", func(x workloadJSON) string { return text(x.Months) }},
		{"serial jobs", func(x workloadJSON) string { return percent(float64(x.Serial)) }},
		{"powers of two", func(x workloadJSON) string { return percent(float64(x.PowerOfTwo)) }},
		{"offered load", func(x workloadJSON) string { return text(x.Load) }},
	} {
		summary.add(row.name, row.of(js.Workloads[0]), row.of(js.Workloads[1]))
	}
	tables = append(tables, summary, attributeTable("", d.Attributes))
	sizes := table{head: []string{"processors", "share of A", "of B", "median run time of A", "of B", "D"}}
	for _, g := range d.SizeGroups {
		from := strconv.FormatInt(g.To, 10)
		if g.From < g.To {
			from = fmt.Sprintf("%d-%d", g.From, g.To)
		}
		sizes.add(from, percent(float64(g.ShareA)), percent(float64(g.ShareB)), text(g.MedianA), text(g.MedianB), fixed(float64(g.D), 4))
	}
	if len(sizes.rows) > 0 {
		tables = append(tables, sizes)
	}
	cycles := table{head: []string{"cycle", "measure", "of jobs", "moved", "busiest of A", "of B"}}
	if d.Day != nil {
		half := func(i int) string { return fmt.Sprintf("%02d:%02d", i/2, i%2*30) }
		cycles.add("day", text(d.Day.ChiSquare), text(d.Day.Jobs), percent(float64(d.Day.Moved)), half(largest(d.Day.A)), half(largest(d.Day.B)))
		cycles.add("week", text(d.Week.ChiSquare), text(d.Week.Jobs), percent(float64(d.Week.Moved)), time.Weekday(largest(d.Week.A)).String(), time.Weekday(largest(d.Week.B)).String())
		tables = append(tables, cycles)
	}
	pairs := table{head: []string{"correlation of", "A", "B"}}
	for _, p := range append(append([]pairJSON{}, d.Correlations...), d.Autocorrelations...) {
		pairs.add(p.Name, fixed(float64(p.A), 3), fixed(float64(p.B), 3))
	}
	tables = append(tables, pairs)
	for _, k := range d.Classes {
		tables = append(tables, attributeTable(fmt.Sprintf("%s %d", d.By, k.Value), k.Attributes))
	}
	for i := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := tables[i].writeTo(w); err != nil {
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

func attributeTable(heading string, all []attributeJSON) table {
	t := table{head: []string{heading, "jobs of A", "of B", "median of A", "of B", "mean of A", "of B", "D", "by chance", "Wasserstein", "of ln"}}
	for _, x := range all {
		t.add(x.Name, strconv.FormatInt(x.A.Jobs, 10), strconv.FormatInt(x.B.Jobs, 10), text(x.A.Median), text(x.B.Median), text(x.A.Mean), text(x.B.Mean),
			fixed(float64(x.D), 4), fixed(float64(x.Chance), 4), text(x.Wasserstein), text(x.WassersteinLn))
	}
	return t
}

// largest is where the largest share is.
func largest(shares []number) int {
	at := 0
	for i, s := range shares {
		if s > shares[at] {
			at = i
		}
	}
	return at
}

var _ [model.Slots]struct{} = [score.DaySlots]struct{}{}
