package site

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/stats"
)

// sizedRuns are the jobs with a size and an ln of the run time above 0, and
// what two Gammas make of them.
type sizedRuns struct {
	sizes, counts []float64  // distinct sizes, and the jobs of each
	ends          []int      // where the jobs of a size end in jobs
	jobs          []sizedRun // by size, then run time
	by            []group    // of sizes
	// The distribution functions of the two Gammas at the distinct values of
	// ln of the run time; nil of sizedDensities.
	laws [2][]float64
}

type sizedRun struct {
	at       int     // which distinct run time
	count    float64 // of jobs
	lnFirst  float64 // log-density of the first Gamma
	lnSecond float64
}

// newSizedRuns takes the jobs of a collection.
func newSizedRuns(c *fit.Collector, h dist.HyperGamma) *sizedRuns {
	r, lnRuns := sizedDensities(c, h)
	for _, x := range lnRuns {
		for k, g := range []dist.Gamma{h.First, h.Second} {
			r.laws[k] = append(r.laws[k], g.CDF(x))
		}
	}
	return r
}

// sizedDensities is newSizedRuns without the distribution functions: all that
// the shares by maximum likelihood take. lnRuns are the distinct values of ln of
// the run time.
func sizedDensities(c *fit.Collector, h dist.HyperGamma) (r *sizedRuns, lnRuns []float64) {
	r = &sizedRuns{}
	at := map[float64]int{}
	var runs []float64
	var list []fit.Shape
	for _, k := range c.Shapes() {
		if k.Size > 0 && k.Run > 1 && !math.IsInf(k.Run, 1) {
			list = append(list, k)
			if _, ok := at[k.Run]; !ok {
				at[k.Run] = 0
				runs = append(runs, k.Run)
			}
		}
	}
	slices.Sort(runs)
	lnFirst, lnSecond := make([]float64, len(runs)), make([]float64, len(runs))
	first, second := dist.NewGammaDensity(h.First), dist.NewGammaDensity(h.Second)
	for i, run := range runs {
		at[run] = i
		x := math.Log(run)
		lnRuns = append(lnRuns, x)
		lnX := math.Log(x)
		lnFirst[i], lnSecond[i] = first.At(x, lnX), second.At(x, lnX)
	}
	for i, k := range list {
		if i == 0 || k.Size != list[i-1].Size {
			r.sizes, r.counts, r.ends = append(r.sizes, k.Size), append(r.counts, 0), append(r.ends, 0)
		}
		n, j := k.Jobs, at[k.Run]
		r.counts[len(r.counts)-1] += n
		r.ends[len(r.ends)-1] = i + 1
		r.jobs = append(r.jobs, sizedRun{j, n, lnFirst[j], lnSecond[j]})
	}
	r.by = equalGroups(r.counts, sizeGroups)
	return r, lnRuns
}

// of are the jobs of a group.
func (r *sizedRuns) of(g group) []sizedRun {
	begin := 0
	if g.from > 0 {
		begin = r.ends[g.from-1]
	}
	return r.jobs[begin:r.ends[g.to-1]]
}

// groups are the groups of sizes with their shares of the first Gamma.
func (r *sizedRuns) groups() []SizeGroup {
	groups := r.likelyGroups()
	for i, g := range r.by {
		s := &groups[i]
		d := r.distance(r.of(g))
		s.PLeastD = d.least()
		s.D, s.LeastD = stats.Number(d.at(s.P)), stats.Number(d.at(s.PLeastD))
	}
	return groups
}

// likelyGroups are the groups with the shares of maximum likelihood alone.
func (r *sizedRuns) likelyGroups() []SizeGroup {
	groups := []SizeGroup{}
	for _, g := range r.by {
		sizes, counts := r.sizes[g.from:g.to], r.counts[g.from:g.to]
		jobs := 0.0
		for _, n := range counts {
			jobs += n
		}
		groups = append(groups, SizeGroup{
			Smallest: int64(sizes[0]), Largest: int64(sizes[len(sizes)-1]),
			Median: stats.MedianOfCounts(sizes, counts), Jobs: int64(jobs), P: shareOf(r.of(g)),
		})
	}
	return groups
}

// shareDistance is D of some jobs' run times as a function of the share p of
// the first Gamma.
type shareDistance struct {
	total        float64
	before, upTo []float64    // shares of the sample below and up to its distinct values
	laws         [2][]float64 // the Gammas' distribution functions there
}

func (r *sizedRuns) distance(jobs []sizedRun) shareDistance {
	count := make([]float64, len(r.laws[0]))
	d := shareDistance{}
	for _, j := range jobs {
		count[j.at] += j.count
		d.total += j.count
	}
	upTo := 0.0
	for i, n := range count {
		if n == 0 {
			continue
		}
		d.before = append(d.before, upTo/d.total)
		upTo += n
		d.upTo = append(d.upTo, upTo/d.total)
		for k, law := range r.laws {
			d.laws[k] = append(d.laws[k], law[i])
		}
	}
	return d
}

func (d shareDistance) at(p float64) float64 {
	most := 0.0
	for i := range d.upTo {
		law := p*d.laws[0][i] + (1-p)*d.laws[1][i]
		most = max(most, math.Abs(d.upTo[i]-law), math.Abs(law-d.before[i]))
	}
	return most
}

// least is the p with the least D, which is convex in p: by ternary search.
func (d shareDistance) least() float64 {
	lo, hi := 0.0, 1.0
	for hi-lo > 1e-9 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if d.at(a) <= d.at(b) {
			hi = b
		} else {
			lo = a
		}
	}
	best := (lo + hi) / 2
	for _, end := range []float64{0, 1} { // which the search only comes near
		if d.at(end) <= d.at(best) {
			best = end
		}
	}
	return best
}

// shareOf is the share of the first Gamma among jobs, by maximum likelihood.
func shareOf(jobs []sizedRun) float64 {
	ratio, weight := make([]float64, 0, len(jobs)), make([]float64, 0, len(jobs))
	for _, j := range jobs {
		// A job so far out that neither law gives it anything tells nothing
		// of their shares.
		if d := j.lnFirst - j.lnSecond; !math.IsNaN(d) {
			ratio, weight = append(ratio, d), append(weight, j.count)
		}
	}
	return shareML(ratio, weight)
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
