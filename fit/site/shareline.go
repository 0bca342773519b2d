package site

import (
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// lineByJobs is the line p(size), clipped to [0, 1] as the model clips it, by
// maximum likelihood of all jobs, not judged. The paper's line, through the
// groups' shares, may be clipped where jobs of both Gammas are, and then is less
// likely than no line even where the jobs follow one.
//
// The likelihood has kinks where a size comes to be clipped, and more than one
// maximum, so that Nelder and Mead's method searches from the likeliest of the
// lines through two groups' shares, the regression and the constant.
func (r *sizedRuns) lineByJobs(groups []SizeGroup) ShareFit {
	constant := shareOf(r.jobs)
	starts := []model.Line{{PIntercept: constant}, r.likely(FormLinear, groups).line()}
	for i, g := range groups {
		for _, h := range groups[i+1:] {
			if h.Median > g.Median {
				slope := (h.P - g.P) / (h.Median - g.Median)
				starts = append(starts, model.Line{PSlope: slope, PIntercept: g.P - slope*g.Median})
			}
		}
	}
	// Densities of the two Gammas, relative to the larger.
	first, second := make([]float64, len(r.jobs)), make([]float64, len(r.jobs))
	for i, j := range r.jobs {
		most := max(j.lnFirst, j.lnSecond)
		if math.IsInf(most, -1) {
			first[i], second[i] = 1, 1 // neither law gives the job anything: it tells nothing of the line
			continue
		}
		first[i], second[i] = math.Exp(j.lnFirst-most), math.Exp(j.lnSecond-most)
	}
	unlikelihood := func(l model.Line) float64 {
		if !(math.Abs(l.PSlope) <= 1) { // steeper than a model's, and no better among whole sizes
			return math.Inf(1)
		}
		sum, from := 0.0, 0
		for k, size := range r.sizes {
			p := l.P(int64(size))
			for i := from; i < r.ends[k]; i++ {
				sum -= r.jobs[i].count * math.Log(p*first[i]+(1-p)*second[i])
			}
			from = r.ends[k]
		}
		return sum
	}
	unlikely := make([]float64, len(starts))
	best := 0
	for i, l := range starts {
		if unlikely[i] = unlikelihood(l); unlikely[i] < unlikely[best] {
			best = i
		}
	}
	mean, deviation := r.spreadOfSizes()
	line := starts[best]
	found := unlikely[best]
	lineAt := func(x []float64) model.Line {
		slope := x[1] / deviation
		return model.Line{PSlope: slope, PIntercept: x[0] - slope*mean}
	}
	for range 3 { // a new simplex where the last one ended, which may have shrunk too soon
		result, _ := optimize.Minimize(
			optimize.Problem{Func: func(x []float64) float64 { return unlikelihood(lineAt(x)) }},
			[]float64{line.PIntercept + line.PSlope*mean, line.PSlope * deviation},
			&optimize.Settings{Converger: &optimize.FunctionConverge{Absolute: 1e-7, Iterations: 20}, MajorIterations: 500},
			&optimize.NelderMead{SimplexSize: 0.05},
		)
		if result == nil || !(result.F < found) {
			break
		}
		gain := found - result.F
		line, found = lineAt(result.X), result.F
		if gain < 1e-4 {
			break
		}
	}
	return ShareFit{Form: FormLinear, Estimator: ByJobs, Slope: stats.Number(line.PSlope), Intercept: stats.Number(line.PIntercept), RSquared: stats.Number(math.NaN())}
}

// spreadOfSizes are the mean and the standard deviation of the jobs' sizes.
func (r *sizedRuns) spreadOfSizes() (mean, deviation float64) {
	jobs := 0.0
	for k, n := range r.counts {
		jobs += n
		mean += n * r.sizes[k]
	}
	mean /= jobs
	for k, n := range r.counts {
		deviation += n * (r.sizes[k] - mean) * (r.sizes[k] - mean)
	}
	return mean, math.Sqrt(deviation / jobs)
}
