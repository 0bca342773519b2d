package site

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
)

// lineByJobs is the line p(size) by maximum likelihood of all jobs, not judged.
// It is from 0 to 1 at the smallest and the largest size, so that it is not cut
// between them; the likelihood is concave in these two shares. The paper's line,
// through the groups' shares, may be cut to 0 or 1 where jobs of both Gammas
// are, and then is less likely than no line even where the jobs follow one.
//
// The search is EM: with w = (size - smallest)/(largest - smallest), a job's
// share is that of the largest size with probability w, else of the smallest.
func (r *sizedRuns) lineByJobs() ShareFit {
	smallest, largest := r.sizes[0], r.sizes[len(r.sizes)-1]
	ends := [2]float64{shareOf(r.jobs), shareOf(r.jobs)}
	// Densities of the two Gammas, relative to the larger.
	first, second := make([]float64, len(r.jobs)), make([]float64, len(r.jobs))
	for i, j := range r.jobs {
		if most := max(j.lnFirst, j.lnSecond); !math.IsInf(most, -1) {
			first[i], second[i] = math.Exp(j.lnFirst-most), math.Exp(j.lnSecond-most)
		}
	}
	for range 2000 {
		var short, all [2]float64 // expected jobs that have an end's share
		from := 0
		for k, size := range r.sizes {
			w := (size - smallest) / (largest - smallest)
			p := (1-w)*ends[0] + w*ends[1]
			for i := from; i < r.ends[k]; i++ {
				density := p*first[i] + (1-p)*second[i]
				if !(density > 0) {
					continue
				}
				n := r.jobs[i].count / density
				for e, weight := range [2]float64{1 - w, w} {
					of := n * weight * ends[e] * first[i]
					short[e] += of
					all[e] += of + n*weight*(1-ends[e])*second[i]
				}
			}
			from = r.ends[k]
		}
		moved := 0.0
		for e := range ends {
			if all[e] > 0 {
				next := short[e] / all[e]
				moved = max(moved, math.Abs(next-ends[e]))
				ends[e] = next
			}
		}
		if moved < 1e-9 {
			break
		}
	}
	slope := (ends[1] - ends[0]) / (largest - smallest)
	return ShareFit{Form: FormLinear, Estimator: ByJobs, Slope: stats.Number(slope), Intercept: stats.Number(ends[0] - slope*smallest), RSquared: stats.Number(math.NaN())}
}
