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
	FormConstant = "constant" // b: shown with the line in the paper's figure 7
	// FormLikeliest is the clipped line by maximum likelihood of all jobs. As an option it
	// means that line or, if BIC prefers it, the constant, which has one parameter less.
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
	// LogLikelihood is that of ln of the run times, given the sizes.
	LogLikelihood stats.Number `json:"log_likelihood_of_ln" show:"log-likelihood,%.1f" narrow:"1"`
	D             stats.Number `json:"ks_d" show:"KS distance,%.4f"` // for the run times of all sizes together, as in table 5
}

// line returns the form as in a model.
func (f ShareFit) line() model.Line {
	return model.Line{PIntercept: float64(f.Intercept), PSlope: float64(f.Slope)}
}

// chooseShare returns the requested form of p(size), and a sentence about the choice of
// FormLikeliest or, for another form, about a better one. FormLikeliest is the line by maximum
// likelihood of all jobs or one share for all sizes, whichever BIC prefers.
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
	case gain <= -0.5: // above, the two cannot be told apart
		why = fmt.Sprintf("%s, is better than the %s form through the groups of sizes, by %.0f in log-likelihood", one, form, -gain)
	}
	return chosen, why
}

// sizedRuns holds the jobs with a size and an ln of the run time above 0, and their densities
// under two Gamma laws.
type sizedRuns struct {
	gammas        dist.HyperGamma
	total         float64    // number of jobs
	sizes, counts []float64  // distinct sizes, and the number of jobs of each
	ends          []int      // index in jobs of the end of the jobs of each size
	jobs          []sizedRun // by size, then run time
	by            []group    // groups of sizes
	lnRuns        []float64  // ln of the distinct run times
	likelier      float64    // log-likelihood of all jobs, each by the likelier Gamma
}

// sizedRun is the jobs of one size and run time.
type sizedRun struct {
	at    int     // index of the run time in lnRuns
	count float64 // number of jobs
	densities
}

// densities are those of the two Gammas at a run time, relative to the larger of the two. Both are
// 1 if both Gammas have a density of 0 there: the jobs then do not affect shares.
type densities struct {
	first, second     float64
	lnFirst, lnSecond float64 // finite even if the density underflows
}

// relativeDensities returns two densities relative to the larger one, given their logarithms, and
// the logarithm of the larger one.
func relativeDensities(lnFirst, lnSecond float64) (d densities, lnLarger float64) {
	lnLarger = max(lnFirst, lnSecond)
	if math.IsInf(lnLarger, -1) {
		return densities{first: 1, second: 1}, lnLarger
	}
	lnFirst -= lnLarger
	lnSecond -= lnLarger
	return densities{math.Exp(lnFirst), math.Exp(lnSecond), lnFirst, lnSecond}, lnLarger
}

// lnMixed returns the logarithm of the density with a share p of the first Gamma. For p between 0
// and 1, the larger density is part of it, so it does not underflow.
func (d densities) lnMixed(p float64) float64 {
	switch p {
	case 0:
		return d.lnSecond
	case 1:
		return d.lnFirst
	}
	return math.Log(p*d.first + (1-p)*d.second)
}

// newSizedRuns returns the jobs of c with their densities under h.
func newSizedRuns(c *fit.Collector, h dist.HyperGamma) *sizedRuns {
	r := &sizedRuns{gammas: h}
	shapes := slices.DeleteFunc(c.Shapes(), func(k fit.Shape) bool { return !(k.Size > 0 && k.Run > 1) || math.IsInf(k.Run, 1) })
	var runs []float64
	for _, k := range shapes {
		runs = append(runs, k.Run)
	}
	slices.Sort(runs)
	runs = slices.Compact(runs)
	distinct, lnLarger := make([]sizedRun, len(runs)), make([]float64, len(runs))
	first, second := dist.NewGammaDensity(h.First), dist.NewGammaDensity(h.Second)
	for i, run := range runs {
		x := math.Log(run)
		lnX := math.Log(x)
		r.lnRuns = append(r.lnRuns, x)
		distinct[i].at = i
		distinct[i].densities, lnLarger[i] = relativeDensities(first.At(x, lnX), second.At(x, lnX))
	}
	for i, k := range shapes {
		if i == 0 || k.Size != shapes[i-1].Size {
			r.sizes, r.counts, r.ends = append(r.sizes, k.Size), append(r.counts, 0), append(r.ends, 0)
		}
		size := len(r.sizes) - 1
		r.counts[size] += k.Jobs
		r.ends[size] = i + 1
		r.total += k.Jobs
		at, _ := slices.BinarySearch(runs, k.Run)
		job := distinct[at]
		job.count = k.Jobs
		r.jobs = append(r.jobs, job)
		r.likelier += k.Jobs * lnLarger[at]
	}
	r.by = equalGroups(r.counts, 8) // section 6.3
	return r
}

// of returns the jobs of a group.
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

// groups returns the groups of sizes with their shares of the first Gamma.
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

// form fits one of the forms. If jobs do not have two sizes, the share is that of the mixture.
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

// shares returns all forms, the paper's line first, with their log-likelihoods and distances. The
// Gammas are fixed, so the law of the run times of all sizes depends only on the mean share.
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
		f.LogLikelihood = stats.Number(r.likelier + r.relativeLikelihood(line))
		shares := 0.0
		for i, size := range r.sizes {
			shares += line.P(int64(size)) * r.counts[i]
		}
		mixed := r.gammas
		mixed.P = shares / r.total
		if g, err := stats.GoodnessOfFit(r.lnRuns, counts, mixed, stats.Tests{}); err == nil {
			f.D = stats.Number(g.KS.D)
		}
		forms = append(forms, f)
	}
	return forms
}

// relativeLikelihood returns the log-likelihood of ln of the run times, given the sizes, under a
// line p(size), less r.likelier.
func (r *sizedRuns) relativeLikelihood(l model.Line) float64 {
	sum, from := 0.0, 0
	for k, size := range r.sizes {
		p := l.P(int64(size))
		for _, j := range r.jobs[from:r.ends[k]] {
			sum += j.count * j.lnMixed(p)
		}
		from = r.ends[k]
	}
	return sum
}

// shareOf returns the share p of the first Gamma among jobs by maximum likelihood. The
// log-likelihood is concave in p.
func shareOf(jobs []sizedRun) float64 {
	slope := func(p float64) (sum float64) {
		for _, j := range jobs {
			sum += j.count * (j.first - j.second) / (p*j.first + (1-p)*j.second)
		}
		return sum
	}
	// At the ends a term can be infinite. If so, jobs with a density under only one Gamma keep p
	// at least this far from that end.
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

// lineByJobs returns the line p(size), clipped to [0, 1] as in the model, by maximum likelihood
// of all jobs. The paper's line, through the groups' shares, may be clipped at sizes that have
// jobs of both Gammas. It is then less likely than a constant even if the jobs follow a line.
//
// The likelihood has kinks where a size begins to be clipped, and more than one maximum, so the
// search is by Nelder and Mead's method, starting from the likeliest of the lines through two
// groups' shares, the regression and the constant.
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
	unlikelihood := func(l model.Line) float64 {
		if !(math.Abs(l.PSlope) <= 1) { // steeper than a model allows, and no better for whole sizes
			return math.Inf(1)
		}
		return -r.relativeLikelihood(l)
	}
	line, found := starts[0], math.Inf(1)
	for _, l := range starts {
		if u := unlikelihood(l); u < found {
			line, found = l, u
		}
	}
	mean, deviation := floats.Dot(r.counts, r.sizes)/r.total, 0.0 // mean and standard deviation of the jobs' sizes
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
