package site

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
)

// The forms of the share p of the first Gamma as a function of the size s.
const (
	FormLinear   = "linear"   // a s + b, clipped to [0, 1], through groups of sizes: the paper's choice
	FormConstant = "constant" // b: shown beside the line in the paper's figure 7
	// FormLikeliest is the clipped line by maximum likelihood of all jobs. As an option it
	// stands for that line or for the constant, which has one parameter less, if BIC prefers it.
	FormLikeliest = "likeliest"
)

// ShareFit is one form of p(size), given the two Gammas, and how well it fits:
// Lublin and Feitelson (2003), section 6.3.
//
// The paper's line is a regression through the groups' medians and shares, each group one point.
type ShareFit struct {
	Form      string       `json:"form" show:"form"`
	Slope     stats.Number `json:"slope" show:"slope"`
	Intercept stats.Number `json:"intercept" show:"intercept"`
	RSquared  stats.Number `json:"r_squared"` // of the regression; NaN if there is none
	// LogLikelihood is of ln of the run times, given the sizes.
	LogLikelihood stats.Number `json:"log_likelihood_of_ln" show:"log-likelihood,%.1f" narrow:"1"`
	D             stats.Number `json:"ks_d" show:"KS distance,%.4f"` // of the run times of all sizes together, as in table 5
}

// line is the form in a model.
func (f ShareFit) line() model.Line {
	return model.Line{PIntercept: float64(f.Intercept), PSlope: float64(f.Slope)}
}

// chooseShare returns the form of p(size) that is asked for, and says what
// FormLikeliest took, or what speaks against another form. That weighs the line
// by maximum likelihood of all jobs against one share for all sizes, by BIC.
func chooseShare(shares []ShareFit, form string, jobs float64) (chosen ShareFit, why string) {
	if len(shares) == 1 { // the jobs have no two sizes
		return shares[0], ""
	}
	of := func(form string) ShareFit {
		return shares[slices.IndexFunc(shares, func(f ShareFit) bool { return f.Form == form })]
	}
	constant, chosen := of(FormConstant), of(form)
	one := fmt.Sprintf("one share for all sizes, %.3f", constant.Intercept)
	gain := float64(chosen.LogLikelihood - constant.LogLikelihood)
	switch {
	case form == FormLikeliest && gain > math.Log(jobs)/2:
		why = fmt.Sprintf("a line by maximum likelihood, better than %s, by %.0f in log-likelihood", one, gain)
	case form == FormLikeliest:
		return constant, fmt.Sprintf("%s: a line is better by at most %.1f in log-likelihood", one, gain)
	case gain <= -0.5: // above, nothing tells between them
		why = fmt.Sprintf("%s, is better than the %s form through the groups of sizes, by %.0f in log-likelihood", one, form, -gain)
	}
	return chosen, why
}

// sizedRuns are the jobs with a size and an ln of the run time above 0, and
// what two Gammas make of them.
type sizedRuns struct {
	gammas        dist.HyperGamma
	total         float64    // number of jobs
	sizes, counts []float64  // distinct sizes, and the jobs of each
	ends          []int      // where the jobs of a size end in jobs
	jobs          []sizedRun // by size, then run time
	by            []group    // of sizes
	lnRuns        []float64  // distinct
}

type sizedRun struct {
	at       int     // place of the run time in lnRuns
	count    float64 // of jobs
	lnFirst  float64 // log-density of the first Gamma
	lnSecond float64
}

// newSizedRuns takes the jobs of a collection.
func newSizedRuns(c *fit.Collector, h dist.HyperGamma) *sizedRuns {
	r := &sizedRuns{gammas: h}
	var shapes []fit.Shape
	var runs []float64
	for _, k := range c.Shapes() {
		if k.Size > 0 && k.Run > 1 && !math.IsInf(k.Run, 1) {
			shapes, runs = append(shapes, k), append(runs, k.Run)
		}
	}
	slices.Sort(runs)
	runs = slices.Compact(runs)
	densities := make([]sizedRun, len(runs))
	first, second := dist.NewGammaDensity(h.First), dist.NewGammaDensity(h.Second)
	for i, run := range runs {
		x := math.Log(run)
		lnX := math.Log(x)
		r.lnRuns = append(r.lnRuns, x)
		densities[i] = sizedRun{at: i, lnFirst: first.At(x, lnX), lnSecond: second.At(x, lnX)}
	}
	r.sizes, r.counts = jobsBySize(shapes)
	r.ends = make([]int, len(r.sizes))
	size := 0
	for i, k := range shapes {
		if k.Size != r.sizes[size] {
			size++
		}
		at, _ := slices.BinarySearch(runs, k.Run)
		job := densities[at]
		job.count = k.Jobs
		r.jobs = append(r.jobs, job)
		r.total += k.Jobs
		r.ends[size] = i + 1
	}
	r.by = equalGroups(r.counts, 8) // section 6.3
	return r
}

// of are the jobs of a group.
func (r *sizedRuns) of(g group) []sizedRun {
	begin := 0
	if g.from > 0 {
		begin = r.ends[g.from-1]
	}
	return r.jobs[begin:r.ends[g.to-1]]
}

// SizeGroup is the share of the first Gamma among the jobs in a range of sizes.
type SizeGroup struct {
	Smallest int64   `json:"smallest"`
	Largest  int64   `json:"largest"`
	Median   float64 `json:"median"` // size
	Jobs     int64   `json:"jobs" show:"jobs"`
	P        float64 `json:"p" show:"p,%.4f"` // by maximum likelihood
}

// groups are the groups of sizes with their shares of the first Gamma.
func (r *sizedRuns) groups() []SizeGroup {
	groups := []SizeGroup{}
	for _, g := range r.by {
		sizes, counts := r.sizes[g.from:g.to], r.counts[g.from:g.to]
		groups = append(groups, SizeGroup{
			Smallest: int64(sizes[0]), Largest: int64(sizes[len(sizes)-1]),
			Median: stats.MedianOfCounts(sizes, counts), Jobs: int64(floats.Sum(counts)), P: shareOf(r.of(g)),
		})
	}
	return groups
}

// form fits one of the forms; jobs without two sizes have the share of the two Gammas.
func (r *sizedRuns) form(form string, groups []SizeGroup) ShareFit {
	none := stats.Number(math.NaN())
	f := ShareFit{Form: form, RSquared: none, LogLikelihood: none, D: none}
	switch {
	case len(groups) < 2:
		f.Form, f.Intercept = FormLinear, stats.Number(r.gammas.P)
	case form == FormConstant:
		f.Intercept = stats.Number(shareOf(r.jobs))
	case form == FormLikeliest:
		line := r.lineByJobs(groups)
		f.Slope, f.Intercept = stats.Number(line.PSlope), stats.Number(line.PIntercept)
	default:
		var c stats.Correlation
		for _, g := range groups {
			c.Add(g.Median, g.P)
		}
		f.Slope, f.Intercept, f.RSquared = stats.Number(c.Slope()), stats.Number(c.Intercept()), stats.Number(c.RSquared())
	}
	return f
}

// shares are all forms, the paper's line first, with their log-likelihoods and distances. With the
// Gammas as they are, the law of the run times of all sizes depends on their mean share alone.
func (r *sizedRuns) shares(groups []SizeGroup) []ShareFit {
	if len(groups) < 2 {
		return []ShareFit{r.form(FormLinear, groups)}
	}
	counts := make([]float64, len(r.lnRuns))
	for _, j := range r.jobs {
		counts[j.at] += j.count
	}
	var forms []ShareFit
	for _, form := range []string{FormLinear, FormConstant, FormLikeliest} {
		f := r.form(form, groups)
		line := f.line()
		var likelihood, shares num.Sum
		for i, size := range r.sizes {
			p := line.P(int64(size))
			shares.Add(p * r.counts[i])
			lnP, lnRest := math.Log(p), math.Log1p(-p)
			for _, j := range r.of(group{i, i + 1}) {
				likelihood.Add(j.count * num.LogAddExp(lnP+j.lnFirst, lnRest+j.lnSecond))
			}
		}
		f.LogLikelihood = stats.Number(likelihood.Value())
		mixed := r.gammas
		mixed.P = shares.Value() / r.total
		if g, err := stats.GoodnessOfFit(r.lnRuns, counts, mixed, stats.Tests{}); err == nil {
			f.D = stats.Number(g.KS.D)
		}
		forms = append(forms, f)
	}
	return forms
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

// lineByJobs is the line p(size), clipped to [0, 1] as the model clips it, by
// maximum likelihood of all jobs. The paper's line, through the
// groups' shares, may be clipped where jobs of both Gammas are, and then is less
// likely than no line even where the jobs follow one.
//
// The likelihood has kinks where a size comes to be clipped, and more than one
// maximum, so that Nelder and Mead's method searches from the likeliest of the
// lines through two groups' shares, the regression and the constant.
func (r *sizedRuns) lineByJobs(groups []SizeGroup) model.Line {
	starts := []model.Line{r.form(FormConstant, groups).line(), r.form(FormLinear, groups).line()}
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
	line, found := starts[0], math.Inf(1)
	for _, l := range starts {
		if u := unlikelihood(l); u < found {
			line, found = l, u
		}
	}
	mean, deviation := floats.Dot(r.counts, r.sizes)/r.total, 0.0 // of the jobs' sizes
	for k, n := range r.counts {
		deviation += n * (r.sizes[k] - mean) * (r.sizes[k] - mean)
	}
	deviation = math.Sqrt(deviation / r.total)
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
	return line
}
