package fit

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// RunTimesReport is the fit of a class's run times.
type RunTimesReport struct {
	Law    Report // of ln of the run time, over all sizes
	Groups []SizeGroup
	// The line p = Slope size + Intercept through the groups' medians, each
	// group one point; NaN R² where there is only one group.
	Slope, Intercept, RSquared float64
	MaxLn                      float64 // where the model cuts ln of the run time
	MaxLnSource                string  // whose number that is
	Warnings                   []string
}

// SizeGroup is the share of the first Gamma among the jobs of some sizes.
type SizeGroup struct {
	Smallest, Largest int64
	Median            float64 // size
	Jobs              int64
	P                 float64
}

// sizeGroups is the number of groups of Lublin and Feitelson (2003), section
// 3.2.3.
const sizeGroups = 8

// fitRunTimes fits the run times: two Gammas of ln of the run time over all
// jobs, then the share of the first as a line of the size. Lublin and
// Feitelson (2003), section 3.2.
func fitRunTimes(c Class, o SiteOptions) (model.RunTimes, RunTimesReport, error) {
	s := c.Sample(RunTime)
	law, err := Fit("hyper-gamma", RunTime, s, Options{By: c.Label(), Workers: o.Workers})
	if err != nil {
		return model.RunTimes{}, RunTimesReport{}, err
	}
	r := RunTimesReport{Law: law}
	h := law.Law.(dist.HyperGamma)
	r.MaxLn, r.MaxLnSource = cut(o.MaxLnRunTime, s)
	r.Groups = shareBySize(c.Collector, h)
	var line stats.Correlation
	for _, g := range r.Groups {
		line.Add(g.Median, g.P)
	}
	r.Slope, r.Intercept, r.RSquared = line.Slope(), line.Intercept(), line.RSquared()
	if len(r.Groups) < 2 {
		r.Slope, r.Intercept = 0, h.P
		r.Warnings = append(r.Warnings, "the jobs have no two sizes: p does not depend on the size")
	}
	// The slope is within the model's -1 to 1 by itself: medians of different
	// sizes are at least one processor apart, and shares at most 1.
	return model.RunTimes{Law: h, PSlope: r.Slope, PIntercept: r.Intercept, MaxLn: r.MaxLn}, r, nil
}

// shareBySize groups the jobs with a size and an ln of the run time above 0
// by size, and returns the share of h's first Gamma in each group.
func shareBySize(c *Collector, h dist.HyperGamma) []SizeGroup {
	type job struct{ size, lnRun, jobs float64 }
	var list []job
	for k, n := range c.shapes {
		if k.size > 0 && k.run > 1 && !math.IsInf(k.run, 1) {
			list = append(list, job{k.size, math.Log(k.run), n})
		}
	}
	// A map has no order, and sums would depend on it.
	slices.SortFunc(list, func(a, b job) int {
		if a.size < b.size || a.size == b.size && a.lnRun < b.lnRun {
			return -1
		}
		return 1
	})
	var (
		sizes, counts []float64
		ends          []int // where the jobs of a size end in list
	)
	for i, j := range list {
		if i == 0 || j.size != list[i-1].size {
			sizes, counts, ends = append(sizes, j.size), append(counts, 0), append(ends, 0)
		}
		counts[len(counts)-1] += j.jobs
		ends[len(ends)-1] = i + 1
	}
	if len(list) == 0 {
		return nil
	}
	first, second := dist.NewGammaDensity(h.First), dist.NewGammaDensity(h.Second)
	var groups []SizeGroup
	begin := 0
	for _, g := range equalGroups(counts, sizeGroups) {
		jobs := list[begin:ends[g.to-1]]
		begin = ends[g.to-1]
		ratio, weight := make([]float64, len(jobs)), make([]float64, len(jobs))
		total := 0.0
		for i, j := range jobs {
			lnX := math.Log(j.lnRun)
			ratio[i], weight[i] = first.At(j.lnRun, lnX)-second.At(j.lnRun, lnX), j.jobs
			total += j.jobs
		}
		groups = append(groups, SizeGroup{
			Smallest: int64(sizes[g.from]), Largest: int64(sizes[g.to-1]),
			Median: median(sizes[g.from:g.to], counts[g.from:g.to]),
			Jobs:   int64(total), P: shareML(ratio, weight),
		})
	}
	return groups
}

// shareML returns the share p of the first of two given densities in a
// mixture, by maximum likelihood; ratio is ln of the first over the second at
// the values, weight how many jobs have each. The likelihood is concave in p.
func shareML(ratio, weight []float64) float64 {
	// The derivative's terms are (f1-f2)/(p f1 + (1-p) f2), taken relative
	// to the larger density.
	slope := func(p float64) float64 {
		sum := 0.0
		for i, d := range ratio {
			if d > 0 {
				e := math.Exp(-d)
				sum += weight[i] * (1 - e) / (p + (1-p)*e)
			} else {
				e := math.Exp(d)
				sum += weight[i] * (e - 1) / (p*e + 1 - p)
			}
		}
		return sum
	}
	// The share of the jobs that one density claims alone keeps p this far
	// from the ends, where a term can be infinite.
	const end = 1e-12
	if slope(end) <= 0 {
		return 0
	}
	if slope(1-end) >= 0 {
		return 1
	}
	p, err := num.Root(slope, end, 1-end, 1e-13)
	if err != nil {
		panic("fit: " + err.Error()) // the signs differ at the ends
	}
	return p
}

// median returns the median of distinct ascending values with counts, the
// mean of the two in the middle where there are two.
func median(values, counts []float64) float64 {
	total := 0.0
	for _, c := range counts {
		total += c
	}
	upTo := 0.0
	for i, c := range counts {
		upTo += c
		if 2*upTo == total && i+1 < len(values) {
			return (values[i] + values[i+1]) / 2
		}
		if 2*upTo > total {
			return values[i]
		}
	}
	return values[len(values)-1]
}
