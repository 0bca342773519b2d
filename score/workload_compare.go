package score

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Comparison compares two workloads.
type Comparison struct {
	A                Workload          `json:"-"`
	B                Workload          `json:"-"`
	Attributes       []Attribute       `json:"attributes"`
	SizeGroups       []RunTimesOfSizes `json:"size_groups"`
	Day              *Cycle            `json:"daily_cycle"`  // nil where submissions are not known of both
	Week             *Cycle            `json:"weekly_cycle"` // the same
	Correlations     []Pair            `json:"correlations"` // between size and run time
	Autocorrelations []Pair            `json:"autocorrelations"`
	By               string            `json:"by,omitempty"`      // ProfileOptions.By of both, where they have Classes
	Classes          []ClassComparison `json:"classes,omitempty"` // the most jobs first; with By only
	NotCompared      []NotCompared     `json:"not_compared"`
}

// Workload summarises one of the compared workloads.
type Workload struct {
	Name       string           `json:"name" show:"workload"`
	Kind       string           `json:"kind"`           // log, model, or twin of a log
	Seed       *uint64          `json:"seed,omitempty"` // seed of the jobs, if generated from a model or a twin
	Jobs       int64            `json:"jobs" show:"jobs"`
	Processors workload.Integer `json:"processors" show:"processors"`
	Months     stats.Number     `json:"months" show:"months" narrow:"1"`         // from the first to the last submission, in months of 365.25/12 days; NaN if unknown
	Serial     stats.Share      `json:"serial_pct" show:"serial jobs,%"`         // of the jobs: those that use one processor
	PowerOfTwo stats.Share      `json:"power_of_two_pct" show:"powers of two,%"` // of the parallel jobs: those that use 2, 4, 8, ... processors
	// OfferedLoad is the work of the jobs over the machine's capacity from the
	// first to the last submission; NaN if unknown.
	OfferedLoad stats.Number `json:"offered_load" show:"offered load"`
}

// Pair is the value of one measure in each of two workloads, NaN if unknown.
type Pair struct {
	Name string       `json:"name" show:"correlation of"`
	A    stats.Number `json:"a" show:"A,%.3f"`
	B    stats.Number `json:"b" show:"B,%.3f"`
}

// RunTimesOfSizes compares the run times of jobs within a range of sizes: from
// just above a power of two to the next power.
type RunTimesOfSizes struct {
	From    int64        `json:"from_processors"`
	To      int64        `json:"to_processors"`
	ShareA  stats.Share  `json:"a_pct" show:"share of A,%"` // of the jobs whose size is known
	ShareB  stats.Share  `json:"b_pct" show:"of B,%"`
	MedianA stats.Number `json:"a_run_time_median_s" show:"median run time of A,duration"` // NaN if there are none
	MedianB stats.Number `json:"b_run_time_median_s" show:"of B,duration"`
	D       stats.Number `json:"ks_d" show:"KS distance,%.4f"` // Kolmogorov-Smirnov distance of the run times; NaN if either workload has none
	JobsA   int64        `json:"-"`                            // whose run time is known
	JobsB   int64        `json:"-"`
}

// ClassComparison compares the jobs of one class.
type ClassComparison struct {
	// Value is the class's value if the classes are the values of one integer
	// column; else Unknown.
	Value      workload.Integer `json:"value" csv:"-"`
	Label      string           `json:"label" csv:"class"` // the same class in both workloads
	JobsA      int64            `json:"a_jobs"`
	JobsB      int64            `json:"b_jobs"`
	Attributes []Attribute      `json:"attributes" row:"each"`
}

// NotCompared names something that could not be compared, and the reason.
type NotCompared struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Compare compares two profiles. Nothing can be added to either afterwards. All
// distances of a workload from itself are 0.
func Compare(a, b *Profile) Comparison {
	a.order.Finish()
	b.order.Finish()
	c := Comparison{A: a.workload(), B: b.workload(), By: a.options.By, SizeGroups: []RunTimesOfSizes{}, NotCompared: []NotCompared{}}
	c.Attributes = compareAttributes(&a.part, &b.part)
	for _, x := range c.Attributes {
		if x.Why != "" {
			c.not(x.Name, x.Why)
		}
	}
	c.SizeGroups = append(c.SizeGroups, compareSizes(&a.part, &b.part)...)
	if why := whyNot(a.submissions(), b.submissions()); why != "" {
		c.not("cycles", "submissions are "+why)
	} else {
		day, week := compareCycles(a.slots[:], b.slots[:]), compareCycles(a.weekdays[:], b.weekdays[:])
		c.Day, c.Week = &day, &week
	}
	c.loads(a, b)
	c.Correlations = []Pair{
		{"size and run time, Pearson", stats.Number(a.plain.R()), stats.Number(b.plain.R())},
		{"size and run time, Spearman", stats.Number(a.ranks.R()), stats.Number(b.ranks.R())},
		{"ln size and ln run time, Pearson", stats.Number(a.logs.R()), stats.Number(b.logs.R())},
	}
	ra, rb := a.hourly(), b.hourly()
	for i, lag := range hourLags {
		c.Autocorrelations = append(c.Autocorrelations, Pair{fmt.Sprintf("jobs an hour, lag %d", lag), stats.Number(ra[i]), stats.Number(rb[i])})
	}
	ra, rb = a.series.runs.R(), b.series.runs.R()
	for i, lag := range jobLags {
		c.Autocorrelations = append(c.Autocorrelations, Pair{fmt.Sprintf("ln run time, lag %d", lag), stats.Number(ra[i]), stats.Number(rb[i])})
	}
	for _, p := range slices.Concat(c.Correlations, c.Autocorrelations) {
		if noA, noB := math.IsNaN(float64(p.A)), math.IsNaN(float64(p.B)); noA || noB {
			c.not(p.Name, "too few jobs, or it does not vary, in "+which(noA, noB))
		}
	}
	c.classes(a, b)
	return c
}

func which(a, b bool) string {
	switch {
	case a && b:
		return "both"
	case a:
		return "the first"
	}
	return "the second"
}

func (c *Comparison) not(what, why string) {
	c.NotCompared = append(c.NotCompared, NotCompared{what, why})
}

func (c *Comparison) loads(a, b *Profile) {
	if math.IsNaN(float64(c.A.OfferedLoad + c.B.OfferedLoad)) {
		why := ""
		for i, p := range []*Profile{a, b} {
			if l := []stats.Number{c.A.OfferedLoad, c.B.OfferedLoad}[i]; math.IsNaN(float64(l)) && why == "" {
				why = p.whyNoLoad() + " in the " + []string{"first", "second"}[i]
			}
		}
		c.not("offered load", why)
	}
	for i, p := range []*Profile{a, b} {
		if n := p.leftOut; n > 0 {
			c.not("interarrival times", fmt.Sprintf("%d jobs of the %s stand more than %d jobs too late", n, []string{"first", "second"}[i], workload.OrderWindow))
		}
		if p.lost > 0 {
			c.not("classes", fmt.Sprintf("%d jobs of the %s are of a class by %s that comes after %d others", p.lost, []string{"first", "second"}[i], p.options.By, MostClasses))
		}
	}
}

func (p *Profile) whyNoLoad() string {
	switch {
	case p.options.Processors <= 0:
		return "the processors of the machine are not known"
	case p.values[work].N() == 0:
		return "no job has a size and a run time"
	}
	return "submissions cover no time"
}

func (p *part) submissions() int64 {
	n := int64(0)
	for _, c := range p.slots {
		n += c
	}
	return n
}

func (p *Profile) workload() Workload {
	nan := math.NaN()
	w := Workload{
		Name: p.options.Name, Kind: "log", Seed: p.options.Drawn, Jobs: p.jobs, Processors: workload.Positive(p.options.Processors),
		Months: stats.Number((p.last - p.first) / (365.25 * 86400 / 12)), Serial: stats.Share(nan), PowerOfTwo: stats.Share(nan), OfferedLoad: stats.Number(nan),
	}
	switch {
	case p.options.Twin:
		w.Kind = "twin"
	case w.Seed != nil:
		w.Kind = "model"
	}
	if n := p.values[size].N(); n > 0 {
		w.Serial = stats.Share(ratio(int(p.serial), n))
		if parallel := n - int(p.serial); parallel > 0 {
			w.PowerOfTwo = stats.Share(ratio(int(p.powersOfTwo), parallel))
		}
	}
	if span := p.last - p.first; p.options.Processors > 0 && span > 0 && p.values[work].N() > 0 {
		w.OfferedLoad = stats.Number(p.moments[work].Sum() / span / float64(p.options.Processors))
	}
	return w
}

// hourly is the autocorrelation of the submissions per hour; NaN where they are
// not known.
func (p *part) hourly() []float64 {
	r := stats.NewAutocorrelation(hourLags...)
	hours := slices.Sorted(maps.Keys(p.hours))
	for i, h := range hours {
		if i > 0 {
			r.AddRun(0, float64(h-hours[i-1]-1))
		}
		r.Add(float64(p.hours[h]))
	}
	return r.R()
}

func compareSizes(a, b *part) []RunTimesOfSizes {
	var all []RunTimesOfSizes
	for g := range 63 {
		if a.groupSizes[g] == 0 && b.groupSizes[g] == 0 {
			continue
		}
		r := RunTimesOfSizes{From: 1, To: int64(1) << g, D: stats.Number(math.NaN()),
			ShareA: stats.Share(ratio(int(a.groupSizes[g]), a.values[size].N())), ShareB: stats.Share(ratio(int(b.groupSizes[g]), b.values[size].N()))}
		if g > 0 {
			r.From = r.To/2 + 1
		}
		none := &stats.DistinctCounts{}
		x, y := cmp.Or(a.groups[g], none), cmp.Or(b.groups[g], none)
		r.JobsA, r.JobsB = int64(x.N()), int64(y.N())
		r.MedianA, r.MedianB = stats.Number(x.Quantile(0.5)), stats.Number(y.Quantile(0.5))
		if x.N() > 0 && y.N() > 0 {
			if ks, err := stats.KolmogorovSmirnovTwoSample(stats.Aligned(x, y)); err == nil {
				r.D = stats.Number(ks.D)
			}
		}
		all = append(all, r)
	}
	return all
}

// classes compares the classes of both, which have one name in both: the values
// behind a named class are those of each workload's own header.
func (c *Comparison) classes(a, b *Profile) {
	if a.options.Classes == nil || b.options.Classes == nil || a.options.By != b.options.By {
		return
	}
	type class struct {
		key  workload.ClassKey
		a, b *part
	}
	named := map[string]class{}
	for key, of := range a.classes {
		named[a.options.Classes.Label(key)] = class{key: key, a: of}
	}
	for key, of := range b.classes {
		label := b.options.Classes.Label(key)
		k, both := named[label]
		if k.b = of; !both {
			k.key = key
		}
		named[label] = k
	}
	none := newPart(0)
	none.series = newSeries()
	labels := slices.SortedFunc(maps.Keys(named), func(x, y string) int {
		return cmp.Or(named[x].key.Compare(named[y].key), cmp.Compare(x, y))
	})
	for _, label := range labels {
		of := named[label]
		x, y := cmp.Or(of.a, &none), cmp.Or(of.b, &none)
		c.Classes = append(c.Classes, ClassComparison{
			Value: valueOf(a.options.Classes, of.key), Label: label, JobsA: x.jobs, JobsB: y.jobs, Attributes: compareAttributes(x, y),
		})
	}
	slices.SortStableFunc(c.Classes, func(x, y ClassComparison) int {
		return cmp.Compare(y.JobsA+y.JobsB, x.JobsA+x.JobsB)
	})
	if len(c.Classes) == 0 {
		c.not("classes", "no job of either has a "+a.options.By)
	}
}

// valueOf is the whole number that makes a class, Unknown where there is none.
func valueOf(classes *workload.Classifier, key workload.ClassKey) workload.Integer {
	n, err := strconv.ParseInt(classes.Value(key), 10, 64)
	if err != nil {
		return workload.Integer(workload.Unknown)
	}
	return workload.Integer(n)
}

// Sample returns the distinct values of an attribute, ascending, and how many
// jobs have each, for figures. It panics if the attribute's name is unknown.
func (p *Profile) Sample(attribute string) (values, counts []float64) {
	at := slices.Index(Attributes(), attribute)
	if at < 0 {
		panic("score: Sample of " + attribute + ", which is no attribute")
	}
	p.order.Finish()
	return p.values[at].Values()
}
