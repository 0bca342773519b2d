package score

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

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
	Name   string       `json:"-"`                                     // RunTimeOf, ...
	Column string       `json:"name" csv:"attribute" show:"attribute"` // the name with its unit, which applies to the values below
	Unit   string       `json:"-"`
	A      Distribution `json:"a" row:"prefix" show:"A"`
	B      Distribution `json:"b" row:"prefix" show:"B"`
	D      stats.Number `json:"ks_d" show:"KS distance,%.4f"` // Kolmogorov-Smirnov: the largest distance between the distribution functions, in [0, 1]
	At     stats.Number `json:"ks_at"`                        // where
	// Chance is the 99 % quantile of D between two samples of these sizes
	// drawn independently from one law. Jobs are not independent, so a larger
	// D may mean little; a smaller one shows no difference.
	Chance        stats.Number `json:"ks_d_by_chance_1_pct" show:"KS by chance,%.4f"`
	Wasserstein   stats.Number `json:"wasserstein" show:"Wasserstein" narrow:"2"` // Wasserstein-1, in the attribute's unit
	WassersteinLn stats.Number `json:"wasserstein_ln" show:"of logs" narrow:"1"`  // of the logarithm of values above 0
	Why           string       `json:"why,omitempty"`                             // the reason if it is not compared, else ""
}

// attributeNames are those of Attributes, and of those that not all workloads
// have; attributeColumns are the same with their units.
var (
	attributeNames   = [allAttributes]string{RunTimeOf, SizeOf, WorkOf, InterarrivalOf, NodesOf, GPUsOf, MemoryOf, WaitOf}
	attributeColumns = [allAttributes]string{"run_time_s", "size_processors", "work_processor_s", "interarrival_s", "nodes", "gpus", "requested_memory_total_kb", "wait_time_s"}
)

func (p *part) distribution(attribute int) Distribution {
	v := &p.values[attribute]
	var q [5]stats.Number
	for i, x := range v.Quantiles(0.05, 0.25, 0.5, 0.75, 0.95) {
		q[i] = stats.Number(x)
	}
	return Distribution{
		Jobs: int64(v.N()), Mean: stats.Number(p.moments[attribute].Mean()), CV: stats.Number(p.moments[attribute].CV()),
		Q05: q[0], Q25: q[1], Median: q[2], Q75: q[3], Q95: q[4], Method: v.Method(),
	}
}

// compareAttributes compares what both have, or only one, or what every
// comparison has. A wait is compared only if both have waits: jobs from a model have none.
func compareAttributes(a, b *part) (all []Attribute) {
	for i := range allAttributes {
		na, nb := a.values[i].N(), b.values[i].N()
		if i < attributes || na+nb > 0 && (i != wait || na > 0 && nb > 0) {
			all = append(all, compareAttribute(a, b, i))
		}
	}
	return all
}

func compareAttribute(a, b *part, attribute int) Attribute {
	nan := stats.Number(math.NaN())
	c := Attribute{
		Name: attributeNames[attribute], Column: attributeColumns[attribute], Unit: attributeUnits[attribute], A: a.distribution(attribute), B: b.distribution(attribute),
		D: nan, At: nan, Chance: nan, Wasserstein: nan, WassersteinLn: nan,
	}
	if c.Why = whyNot(c.A.Jobs, c.B.Jobs); c.Why != "" {
		return c
	}
	va, ca, vb, cb := stats.Aligned(&a.values[attribute], &b.values[attribute])
	// Neither can fail: values ascend, are finite and have counts.
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
		return "known of no job in either"
	case a == 0:
		return "known of no job in the first"
	case b == 0:
		return "known of no job in the second"
	}
	return ""
}

// logarithms are of the values above 0. Two neighbours may have one logarithm
// to a float64: they are one value then.
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
