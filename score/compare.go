package score

import (
	"cmp"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Comparison compares two workloads.
type Comparison struct {
	A                Workload          `json:"-"`
	B                Workload          `json:"-"`
	Attributes       []Attribute       `json:"attributes"`
	SizeGroups       []RunTimesOfSizes `json:"size_groups"`
	Day              *Cycle            `json:"daily_cycle"`  // nil if submissions are unknown in one of the workloads
	Week             *Cycle            `json:"weekly_cycle"` // nil likewise
	Correlations     []Pair            `json:"correlations"` // between size and run time
	Autocorrelations []Pair            `json:"autocorrelations"`
	NotCompared      []NotCompared     `json:"not_compared"`
}

// Workload summarises one of the compared workloads.
type Workload struct {
	Name       string           `json:"name" show:"workload"`
	Kind       string           `json:"kind"`           // "log", "model", or "twin" (of a log)
	Seed       *uint64          `json:"seed,omitempty"` // seed of the jobs of a model or a twin; nil for a log
	Jobs       int64            `json:"jobs" show:"jobs"`
	Processors workload.Integer `json:"processors" show:"processors"`
	Months     stats.Number     `json:"months" show:"months" narrow:"1"`         // from the first to the last submission, in months of 365.25/12 days; NaN if unknown
	Serial     stats.Share      `json:"serial_pct" show:"serial jobs,%"`         // share of jobs of known size that use one processor
	PowerOfTwo stats.Share      `json:"power_of_two_pct" show:"powers of two,%"` // share of parallel jobs that use 2, 4, 8, ... processors
	// OfferedLoad is the work of the jobs divided by the machine's capacity from the
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
	ShareA  stats.Share  `json:"a_pct" show:"share of A,%"` // share of jobs of known size
	ShareB  stats.Share  `json:"b_pct" show:"of B,%"`
	MedianA stats.Number `json:"a_run_time_median_s" show:"median run time of A,duration"` // NaN if no run time is known
	MedianB stats.Number `json:"b_run_time_median_s" show:"of B,duration"`
	D       stats.Number `json:"ks_d" show:"KS distance,%.4f"` // Kolmogorov-Smirnov distance of the run times; NaN if either workload has none
}

// CompareSchema names the JSON form of Compared and its version.
const CompareSchema = "loadstone.compare/1"

// Compared is a comparison of two workloads with its verdict and warnings.
type Compared struct {
	Schema     string             `json:"schema"`
	Workloads  []Workload         `json:"workloads"`
	Comparison Comparison         `json:"comparison"`
	Verdict    *Verdict           `json:"verdict,omitempty"` // on the second as a twin of the first
	Warnings   []workload.Warning `json:"warnings,omitempty"`
}

// NotCompared names something that could not be compared, and the reason.
type NotCompared struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Compare compares two profiles. No jobs can be added to either afterwards. All
// distances of a workload from itself are 0.
func Compare(a, b *Profile) Comparison {
	a.finish()
	b.finish()
	c := Comparison{A: a.workload(), B: b.workload(), Attributes: compareAttributes(a, b), SizeGroups: append([]RunTimesOfSizes{}, compareSizes(a, b)...), NotCompared: []NotCompared{}}
	for _, x := range c.Attributes {
		if x.Why != "" {
			c.not(x.Name, x.Why)
		}
	}
	if why := whyNot(sum(a.slots[:]), sum(b.slots[:])); why != "" {
		c.not("cycles", "submissions are "+why)
	} else {
		day, week := compareCycles(a.slots[:], b.slots[:]), compareCycles(a.weekdays[:], b.weekdays[:])
		c.Day, c.Week = &day, &week
	}
	if math.IsNaN(float64(c.A.OfferedLoad)) {
		c.not("offered load", a.whyNoLoad()+" in the first")
	} else if math.IsNaN(float64(c.B.OfferedLoad)) {
		c.not("offered load", b.whyNoLoad()+" in the second")
	}
	for i, p := range []*Profile{a, b} {
		if p.leftOut > 0 {
			c.not("interarrival times", fmt.Sprintf("%d jobs of %s are more than %d jobs out of order", p.leftOut, which(i == 0, i == 1), workload.OrderWindow))
		}
	}
	pair := func(name string, x, y float64) Pair {
		if noX, noY := math.IsNaN(x), math.IsNaN(y); noX || noY {
			c.not(name, "too few jobs, or it does not vary, in "+which(noX, noY))
		}
		return Pair{name, stats.Number(x), stats.Number(y)}
	}
	c.Correlations = []Pair{
		pair("size and run time, Pearson", a.plain.R(), b.plain.R()),
		pair("size and run time, Spearman", a.ranks.R(), b.ranks.R()),
		pair("ln size and ln run time, Pearson", a.logs.R(), b.logs.R()),
	}
	for i, lag := range hourLags {
		c.Autocorrelations = append(c.Autocorrelations, pair(fmt.Sprintf("jobs an hour, lag %d", lag), a.byHour[i], b.byHour[i]))
	}
	runsA, runsB := a.runs.R(), b.runs.R()
	for i, lag := range jobLags {
		c.Autocorrelations = append(c.Autocorrelations, pair(fmt.Sprintf("ln run time, lag %d", lag), runsA[i], runsB[i]))
	}
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

func (p *Profile) whyNoLoad() string {
	switch {
	case p.options.Processors <= 0:
		return "the processors of the machine are not known"
	case p.values[work].N() == 0:
		return "no job has a size and a run time"
	}
	return "submissions cover no time"
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

func compareSizes(a, b *Profile) []RunTimesOfSizes {
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
		none := &stats.Distribution{}
		x, y := cmp.Or(a.groups[g], none), cmp.Or(b.groups[g], none)
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

// Distribution summarises one attribute of a workload, in the attribute's unit.
type Distribution struct {
	Jobs   int64        `json:"jobs" show:"jobs" narrow:"3"` // jobs whose attribute is known; for interarrival times, the number of intervals
	Mean   stats.Number `json:"mean" show:"mean"`
	CV     stats.Number `json:"cv"`
	Q05    stats.Number `json:"q05"`
	Q25    stats.Number `json:"q25"`
	Median stats.Number `json:"median" show:"median"`
	Q75    stats.Number `json:"q75"`
	Q95    stats.Number `json:"q95"`
	Method string       `json:"method"` // of the quantiles: "exact", or the approximation
}

// Attribute compares one attribute of two workloads.
type Attribute struct {
	Name string       `json:"name" csv:"attribute" show:"attribute"` // with the unit, which applies to the values below
	A    Distribution `json:"a" row:"prefix" show:"A"`
	B    Distribution `json:"b" row:"prefix" show:"B"`
	D    stats.Number `json:"ks_d" show:"KS distance,%.4f"` // Kolmogorov-Smirnov: the largest distance between the distribution functions, in [0, 1]
	At   stats.Number `json:"ks_at"`                        // value at which the difference is D
	// Chance is the 99 % quantile of D between two samples of these sizes drawn
	// independently from one law. Jobs are not independent, so even a larger D may
	// be due to chance; a smaller D is no evidence of a difference.
	Chance        stats.Number `json:"ks_d_by_chance_1_pct" show:"KS by chance,%.4f"`
	Wasserstein   stats.Number `json:"wasserstein" show:"Wasserstein" narrow:"2"` // Wasserstein-1, in the attribute's unit
	WassersteinLn stats.Number `json:"wasserstein_ln" show:"of logs" narrow:"1"`  // Wasserstein-1 of the natural logarithms of values above 0
	Why           string       `json:"why,omitempty"`                             // the reason if it is not compared, else ""
}

func (p *Profile) distribution(attribute int) Distribution {
	v := &p.values[attribute]
	q := func(p float64) stats.Number { return stats.Number(v.Quantile(p)) }
	return Distribution{
		Jobs: int64(v.N()), Mean: stats.Number(p.moments[attribute].Mean()), CV: stats.Number(p.moments[attribute].CV()),
		Q05: q(0.05), Q25: q(0.25), Median: q(0.5), Q75: q(0.75), Q95: q(0.95), Method: v.Method(),
	}
}

// compareAttributes compares the attributes of every comparison, and further ones that at least
// one of the workloads has. Waits are compared only if both have them, since jobs drawn from a
// model have none.
func compareAttributes(a, b *Profile) (all []Attribute) {
	for i := range allAttributes {
		na, nb := a.values[i].N(), b.values[i].N()
		if i < attributes || na+nb > 0 && (i != wait || na > 0 && nb > 0) {
			all = append(all, compareAttribute(a, b, i))
		}
	}
	return all
}

func compareAttribute(a, b *Profile, attribute int) Attribute {
	nan := stats.Number(math.NaN())
	c := Attribute{
		Name: attributeNames[attribute], A: a.distribution(attribute), B: b.distribution(attribute),
		D: nan, At: nan, Chance: nan, Wasserstein: nan, WassersteinLn: nan,
	}
	if c.Why = whyNot(c.A.Jobs, c.B.Jobs); c.Why != "" {
		return c
	}
	va, ca, vb, cb := stats.Aligned(&a.values[attribute], &b.values[attribute])
	// These cannot fail: values are ascending and finite and have counts.
	ks, err := stats.KolmogorovSmirnovTwoSample(va, ca, vb, cb)
	if err == nil {
		c.D, c.At = stats.Number(ks.D), stats.Number(ks.At)
		c.Chance = stats.Number(math.Min(1, chance01*math.Sqrt(1/ks.N+1/ks.M)))
	}
	if w, err := stats.Wasserstein(va, ca, vb, cb); err == nil {
		c.Wasserstein = stats.Number(w)
	}
	la, lca := logarithms(va, ca)
	lb, lcb := logarithms(vb, cb)
	if w, err := stats.Wasserstein(la, lca, lb, lcb); err == nil {
		c.WassersteinLn = stats.Number(w)
	}
	return c
}

// chance01 is the x with KolmogorovSurvival(x) = 0.01.
const chance01 = 1.6276236115189502

func whyNot(a, b int64) string {
	switch {
	case a == 0 && b == 0:
		return "unknown for all jobs of both"
	case a == 0:
		return "unknown for all jobs of the first"
	case b == 0:
		return "unknown for all jobs of the second"
	}
	return ""
}

// logarithms returns the logarithms of the values above 0, ascending, with their counts.
// Neighbouring values with the same float64 logarithm become one.
func logarithms(values, counts []float64) (ln, of []float64) {
	for i, v := range values {
		if v <= 0 {
			continue
		}
		l := math.Log(v)
		if k := len(ln); k > 0 && l <= ln[k-1] {
			of[k-1] += counts[i]
			continue
		}
		ln, of = append(ln, l), append(of, counts[i])
	}
	return ln, of
}

// Cycle compares when jobs are submitted: over the 48 half hours of a day, or
// the days of a week.
type Cycle struct {
	// ChiSquare is the measure of Lublin and Feitelson (2003), section 7.3:
	// the sum of (m-d)²/(m+d), where m and d are the numbers of jobs of the
	// two workloads in a half hour or on a weekday. Both are scaled to Jobs, the
	// number of jobs in the smaller workload, because the measure grows with
	// it. By chance alone it is at most about the number of half hours or weekdays
	// if jobs are independent, and more if they come in bursts.
	ChiSquare stats.Number `json:"chi_square_measure" show:"chi-square"`
	Jobs      stats.Number `json:"jobs" show:"of jobs"`
	// Moved is the share of jobs that would have to be submitted at another
	// time for the cycles to be equal: half the sum of the absolute
	// differences of shares.
	Moved stats.Share `json:"moved_pct" show:"moved,%"`
	// D is the largest difference between the two cumulative shares: the
	// Kolmogorov-Smirnov distance of the times from midnight, or from Sunday,
	// to the half hour or the day.
	D stats.Number `json:"ks_d" show:"KS distance,%.4f"`
	// A and B are shares of the jobs: by half hour from midnight on, or by
	// weekday from Sunday on.
	A []stats.Share `json:"a_pct"`
	B []stats.Share `json:"b_pct"`
}

func compareCycles(a, b []int64) Cycle {
	c := Cycle{A: shares(a), B: shares(b)}
	jobs := float64(min(sum(a), sum(b)))
	c.Jobs = stats.Number(jobs)
	m, d := make([]float64, len(a)), make([]float64, len(a))
	apart := 0.0
	for i := range a {
		x, y := float64(c.A[i]), float64(c.B[i])
		c.Moved += stats.Share(math.Abs(x-y) / 2)
		apart += x - y
		c.D = max(c.D, stats.Number(math.Abs(apart)))
		m[i], d[i] = jobs*x, jobs*y
	}
	c.ChiSquare = stats.Number(chiSquareMeasure(m, d))
	return c
}

// chiSquareMeasure returns the sum of (m-d)²/(m+d).
func chiSquareMeasure(m, d []float64) float64 {
	sum := 0.0
	for i := range m {
		if m[i]+d[i] > 0 {
			sum += (m[i] - d[i]) * (m[i] - d[i]) / (m[i] + d[i])
		}
	}
	return sum
}

func shares(counts []int64) []stats.Share {
	n := float64(sum(counts))
	out := make([]stats.Share, len(counts))
	for i, c := range counts {
		out[i] = stats.Share(float64(c) / n)
	}
	return out
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}
