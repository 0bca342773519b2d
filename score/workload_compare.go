package score

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Comparison is how alike two workloads are.
type Comparison struct {
	A, B       Workload
	Attributes []Attribute
	SizeGroups []RunTimesOfSizes
	Day, Week  *Cycle // nil where submissions are not known of both
	// Correlations of size and run time, and autocorrelations, of both.
	Correlations     []Pair
	Autocorrelations []Pair
	Classes          []ClassComparison // the most jobs first; with ProfileOptions.By only
	NotCompared      []NotCompared
}

// Workload sums up one of the two.
type Workload struct {
	Name       string
	Jobs       int64
	Processors int64   // 0 where it is not known
	Months     float64 // from the first to the last submission, of a twelfth of 365.25 days; NaN where it is not known
	Serial     float64 // share of the jobs of one processor
	PowerOfTwo float64 // share of the jobs of 2, 4, 8, ... processors among the parallel ones
	// OfferedLoad is the work over what the machine could do from the first to
	// the last submission; NaN where it is not known.
	OfferedLoad float64
}

// Pair is a number of both workloads, each NaN where it is not known.
type Pair struct {
	Name string
	A, B float64
}

// RunTimesOfSizes compares the jobs of some sizes: from above a power of two
// to the next.
type RunTimesOfSizes struct {
	From, To         int64   // processors
	ShareA, ShareB   float64 // of the jobs whose size is known
	JobsA, JobsB     int64   // whose run time is known
	MedianA, MedianB float64 // s, run time; NaN of none
	D                float64 // Kolmogorov-Smirnov, of the run times; NaN where one has none
}

// ClassComparison compares the jobs with one value of a column.
type ClassComparison struct {
	Column       string
	Value        int64
	JobsA, JobsB int64
	Attributes   []Attribute
}

// NotCompared is what could not be compared, and why.
type NotCompared struct{ What, Why string }

// Compare compares two profiles, which are complete then: nothing can be added
// to either. A workload compared with itself has distances 0.
func Compare(a, b *Profile) Comparison {
	a.order.finish()
	b.order.finish()
	c := Comparison{A: a.workload(), B: b.workload()}
	for i := range attributes {
		x := compareAttribute(&a.part, &b.part, i)
		if x.Why != "" {
			c.not(x.Name, x.Why)
		}
		c.Attributes = append(c.Attributes, x)
	}
	c.SizeGroups = compareSizes(&a.part, &b.part)
	if why := whyNot(a.submissions(), b.submissions()); why != "" {
		c.not("cycles", "submissions are "+why)
	} else {
		day, week := compareCycles(a.slots[:], b.slots[:]), compareCycles(a.weekdays[:], b.weekdays[:])
		c.Day, c.Week = &day, &week
	}
	c.loads(a, b)
	c.Correlations = []Pair{
		{"size and run time, Pearson", a.plain.R(), b.plain.R()},
		{"size and run time, Spearman", a.ranks.R(), b.ranks.R()},
		{"ln size and ln run time, Pearson", a.logs.R(), b.logs.R()},
	}
	ra, rb := a.hourly(), b.hourly()
	for i, lag := range hourLags {
		c.Autocorrelations = append(c.Autocorrelations, Pair{fmt.Sprintf("jobs an hour, lag %d", lag), ra[i], rb[i]})
	}
	ra, rb = a.series.runs.R(), b.series.runs.R()
	for i, lag := range jobLags {
		c.Autocorrelations = append(c.Autocorrelations, Pair{fmt.Sprintf("ln run time, lag %d", lag), ra[i], rb[i]})
	}
	for _, p := range slices.Concat(c.Correlations, c.Autocorrelations) {
		if math.IsNaN(p.A) || math.IsNaN(p.B) {
			c.not(p.Name, "too few jobs, or it does not vary, in "+which(math.IsNaN(p.A), math.IsNaN(p.B)))
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
	if math.IsNaN(c.A.OfferedLoad) || math.IsNaN(c.B.OfferedLoad) {
		why := ""
		for i, p := range []*Profile{a, b} {
			if l := []float64{c.A.OfferedLoad, c.B.OfferedLoad}[i]; math.IsNaN(l) && why == "" {
				why = p.whyNoLoad() + " in the " + []string{"first", "second"}[i]
			}
		}
		c.not("offered load", why)
	}
	for i, p := range []*Profile{a, b} {
		if n := p.order.leftOut; n > 0 {
			c.not("interarrival times", fmt.Sprintf("%d jobs of the %s stand more than %d jobs too late", n, []string{"first", "second"}[i], workload.OrderWindow))
		}
		if p.lost > 0 {
			c.not("classes", fmt.Sprintf("%d jobs of the %s are of a value of %s that comes after %d others", p.lost, []string{"first", "second"}[i], p.options.By, MostClasses))
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
	w := Workload{
		Name: p.options.Name, Jobs: p.jobs, Processors: p.options.Processors,
		Months: (p.last - p.first) / (365.25 * 86400 / 12), Serial: math.NaN(), PowerOfTwo: math.NaN(), OfferedLoad: math.NaN(),
	}
	if n := p.values[size].N(); n > 0 {
		w.Serial = ratio(int(p.serial), n)
		if parallel := n - int(p.serial); parallel > 0 {
			w.PowerOfTwo = ratio(int(p.powersOfTwo), parallel)
		}
	}
	if span := p.last - p.first; p.options.Processors > 0 && span > 0 && p.values[work].N() > 0 {
		w.OfferedLoad = p.moments[work].Sum() / span / float64(p.options.Processors)
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
		r := RunTimesOfSizes{From: 1, To: int64(1) << g, D: math.NaN(),
			ShareA: ratio(int(a.groupSizes[g]), a.values[size].N()), ShareB: ratio(int(b.groupSizes[g]), b.values[size].N())}
		if g > 0 {
			r.From = r.To/2 + 1
		}
		none := &stats.DistinctCounts{}
		x, y := cmp.Or(a.groups[g], none), cmp.Or(b.groups[g], none)
		r.JobsA, r.JobsB = int64(x.N()), int64(y.N())
		r.MedianA, r.MedianB = x.Quantile(0.5), y.Quantile(0.5)
		if x.N() > 0 && y.N() > 0 {
			if ks, err := stats.KolmogorovSmirnovTwoSample(stats.Aligned(x, y)); err == nil {
				r.D = ks.D
			}
		}
		all = append(all, r)
	}
	return all
}

func (c *Comparison) classes(a, b *Profile) {
	if a.column < 0 || a.column != b.column {
		return
	}
	values := slices.Collect(maps.Keys(a.classes))
	for v := range b.classes {
		if a.classes[v] == nil {
			values = append(values, v)
		}
	}
	none := newPart(0, false)
	none.series = newSeries(nil, 0)
	for _, v := range values {
		x, y := cmp.Or(a.classes[v], &none), cmp.Or(b.classes[v], &none)
		k := ClassComparison{Column: a.options.By, Value: v, JobsA: x.jobs, JobsB: y.jobs}
		for i := range attributes {
			k.Attributes = append(k.Attributes, compareAttribute(x, y, i))
		}
		c.Classes = append(c.Classes, k)
	}
	slices.SortFunc(c.Classes, func(x, y ClassComparison) int {
		return cmp.Or(cmp.Compare(y.JobsA+y.JobsB, x.JobsA+x.JobsB), cmp.Compare(x.Value, y.Value))
	})
	if len(c.Classes) == 0 {
		c.not("classes", "no job of either has a "+a.options.By)
	}
}

// Sample returns the distinct values of an attribute, ascending, and how many
// jobs have each, for figures. An unknown name is a programmer's error.
func (p *Profile) Sample(attribute string) (values, counts []float64) {
	at := slices.Index(Attributes(), attribute)
	if at < 0 {
		panic("score: Sample of " + attribute + ", which is no attribute")
	}
	p.order.finish()
	return p.values[at].Values()
}
