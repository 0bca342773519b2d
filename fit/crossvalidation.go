package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/stats"
)

// CrossValidation is the likelihood of a family on jobs to which it was not
// fitted: each job is assigned to one of the folds at random, and the jobs of
// each fold are evaluated by the law fitted to the other folds.
type CrossValidation struct {
	Folds int    `json:"folds"`
	Seed  uint64 `json:"-"`
	// LogLikelihood is the sum over all jobs, of the attribute itself, as
	// Report.LogLikelihood is; -Inf where a law gives a job no density.
	LogLikelihood stats.Number `json:"log_likelihood"`
	Outside       int64        `json:"outside"` // the jobs without density
}

// foldStream keeps the assignment to folds apart from the other uses of the
// seed.
const foldStream = 0xf01d

// crossValidate fits the family to the sample without each fold in turn. It is
// an error if a fold is empty or what is left of the sample without one does
// not determine the law.
func (t task) crossValidate() (*CrossValidation, error) {
	o := t.options
	out := &CrossValidation{Folds: o.Folds, Seed: o.Seed}
	t.options.Workers = 1 // the folds are what runs in parallel
	folds := t.folds(rand.New(rand.NewPCG(o.Seed, foldStream)))
	sums, outside, errs := make([]float64, o.Folds), make([]int64, o.Folds), make([]error, o.Folds)
	par.Each(o.Workers, o.Folds, func(i int) {
		sums[i], outside[i], errs[i] = t.judge(folds[i])
	})
	var sum num.Sum
	for i := range folds {
		if errs[i] != nil {
			return nil, fmt.Errorf("no cross-validation: fold %d of %d: %w", i+1, o.Folds, errs[i])
		}
		sum.Add(sums[i])
		out.Outside += outside[i]
	}
	out.LogLikelihood = stats.Number(sum.Value())
	return out, nil
}

// fold is how many of the sample's jobs of each value are in it, and how many
// of these were killed at their limit.
type fold struct{ jobs, censored []float64 }

// folds deals the sample's jobs.
func (t task) folds(rng *rand.Rand) []fold {
	folds := make([]fold, t.options.Folds)
	ended := slices.Clone(t.sample.Counts)
	for i, c := range t.sample.Censored {
		ended[i] -= c
	}
	for i, jobs := range splitCounts(rng, ended, t.options.Folds) {
		folds[i].jobs = jobs
	}
	if t.sample.Censored == nil {
		return folds
	}
	for i, killed := range splitCounts(rng, t.sample.Censored, t.options.Folds) {
		folds[i].censored = killed
		for j, c := range killed {
			folds[i].jobs[j] += c
		}
	}
	return folds
}

// splitCounts deals the jobs of each value into folds at random, all folds as
// likely: the counts of a value are multinomial. What a count has beyond a
// whole number goes to one fold.
func splitCounts(rng *rand.Rand, counts []float64, folds int) [][]float64 {
	out := make([][]float64, folds)
	for i := range out {
		out[i] = make([]float64, len(counts))
	}
	for i, c := range counts {
		whole := math.Floor(c)
		for range int64(whole) {
			out[rng.IntN(folds)][i]++
		}
		if part := c - whole; part > 0 {
			out[rng.IntN(folds)][i] += part
		}
	}
	return out
}

// judge fits the family to the jobs that are not in the fold and returns the
// log-likelihood of those that are, of the attribute itself, and the number of
// jobs without density.
func (t task) judge(f fold) (logLikelihood float64, outside int64, err error) {
	in, rest := t.split(f)
	if len(in.x) == 0 || len(rest.x) == 0 {
		return 0, 0, rest.degenerate("the fold has none of the jobs, or all: want fewer folds")
	}
	out, err := t.family.fit(rest)
	if err != nil {
		return 0, 0, err
	}
	if err := dist.Validate(out.law); err != nil {
		return 0, 0, rest.degenerate(err.Error())
	}
	r := Report{Law: out.law, Transform: t.options.Transform}
	outside = in.likelihood(&r)
	return float64(r.LogLikelihood), outside, nil
}

// split returns the task with the jobs of the fold, and with the others.
func (t task) split(f fold) (in, rest task) {
	in, rest = t, t
	in.x, in.sample, rest.x, rest.sample = nil, Sample{}, nil, Sample{}
	for i, v := range t.sample.Values {
		in.take(t.x[i], v, f.jobs[i])
		rest.take(t.x[i], v, t.sample.Counts[i]-f.jobs[i])
		if f.censored != nil {
			in.censor(f.jobs[i], f.censored[i])
			rest.censor(t.sample.Counts[i]-f.jobs[i], t.sample.Censored[i]-f.censored[i])
		}
	}
	return in, rest
}

// take adds jobs of one value to the task.
func (t *task) take(x, v, jobs float64) {
	if jobs > 0 {
		t.x = append(t.x, x)
		t.sample.Values, t.sample.Counts = append(t.sample.Values, v), append(t.sample.Counts, jobs)
	}
}

// censor says how many of the jobs just taken were killed.
func (t *task) censor(jobs, killed float64) {
	if jobs > 0 {
		t.sample.Censored = append(t.sample.Censored, killed)
	}
}
