package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestCrossValidation: the counts of the folds sum to the sample's; the
// likelihood is that of a sum by hand over two folds; and of a sample of the
// family it is, by the cost of its parameters, a little below the fit's own.
func TestCrossValidation(t *testing.T) {
	s := NewSample(RunTime, seconds(dist.Gamma{Shape: 6, Scale: 0.9}, 3000, 3, true))
	tk := emTask(t, s, Options{Folds: 2, Seed: 8})
	folds := splitCounts(rand.New(rand.NewPCG(8, foldStream)), tk.sample.Counts, 2)
	want := 0.0
	for f := range folds {
		var rest, out Sample
		for i, v := range tk.sample.Values {
			if sum := folds[0][i] + folds[1][i]; sum != tk.sample.Counts[i] {
				t.Fatalf("%g jobs of %g s in the folds, %g in the sample", sum, v, tk.sample.Counts[i])
			}
			if c := folds[1-f][i]; c > 0 {
				rest.Values, rest.Counts = append(rest.Values, v), append(rest.Counts, c)
			}
			if c := folds[f][i]; c > 0 {
				out.Values, out.Counts = append(out.Values, v), append(out.Counts, c)
			}
		}
		r := mustFit(t, "gamma", RunTime, rest, Options{})
		for i, v := range out.Values {
			want += out.Counts[i] * r.LogDensity(v)
		}
	}
	r := mustFit(t, "gamma", RunTime, s, Options{Folds: 2, Seed: 8})
	relative(t, "cross-validated log-likelihood", float64(r.CrossValidation.LogLikelihood), want, 1e-12)
	// Twice the loss is in the limit about 2 chi-squares of two degrees of
	// freedom a fold, below 60 but for 1e-6.
	if loss := r.LogLikelihood - r.CrossValidation.LogLikelihood; !(loss > 0 && loss < 60) {
		t.Errorf("cross-validation costs %g of log-likelihood, want little above 0", loss)
	}
	// Fractions of jobs are dealt whole.
	parts := splitCounts(rand.New(rand.NewPCG(1, 1)), []float64{0.5, 2.25}, 3)
	for i, want := range []float64{0.5, 2.25} {
		if sum := parts[0][i] + parts[1][i] + parts[2][i]; sum != want {
			t.Errorf("folds of %g sum to %g", want, sum)
		}
	}
	far := NewSample(RunTime, []float64{1, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 1e6})
	if c := mustFit(t, "uniform-log", RunTime, far, Options{Folds: 3}).CrossValidation; c == nil || !math.IsInf(float64(c.LogLikelihood), -1) || c.Outside == 0 {
		t.Errorf("%+v, want jobs outside", c)
	}
	few := mustFit(t, "gamma", RunTime, NewSample(RunTime, []float64{5, 9}), Options{Folds: 2})
	if few.CrossValidation != nil || !strings.Contains(strings.Join(few.Warnings, "\n"), "no cross-validation") {
		t.Errorf("two jobs: %+v, warnings %q", few.CrossValidation, few.Warnings)
	}
}

// TestCrossValidationOfCells: with rounding and with censored jobs the folds
// are judged by the same likelihood as the fit, so that the two differ by
// little, and the killed jobs are dealt with the others.
func TestCrossValidationOfCells(t *testing.T) {
	s := NewSample(RunTime, seconds(dist.Gamma{Shape: 6, Scale: 0.9}, 2000, 3, true))
	s.Censored = make([]float64, len(s.Counts))
	for i, c := range s.Counts {
		if i%7 == 0 {
			s.Censored[i] = 1 + math.Floor((c-1)/2)
		}
	}
	for name, o := range map[string]Options{
		"rounded":  {Rounding: RoundedDown},
		"censored": {Censored: true},
		"cut":      {Max: math.Exp(12)},
	} {
		o.Folds, o.Seed = 4, 5
		r := mustFit(t, "gamma", RunTime, s, o)
		if r.CrossValidation == nil {
			t.Fatalf("%s: %q", name, r.Warnings)
		}
		// As in TestCrossValidation, with four folds.
		if loss := r.LogLikelihood - r.CrossValidation.LogLikelihood; !(loss > 0 && loss < 60) {
			t.Errorf("%s: cross-validation costs %g of the log-likelihood %g", name, loss, r.LogLikelihood)
		}
	}
	tk := emTask(t, s, Options{Folds: 3})
	for _, f := range tk.folds(rand.New(rand.NewPCG(1, 1))) {
		in, rest := tk.split(f)
		sum := map[float64]float64{}
		for _, part := range []task{in, rest} {
			if err := part.sample.Validate(); err != nil {
				t.Fatal(err)
			}
			for i, v := range part.sample.Values {
				sum[v] += part.sample.Counts[i] + 1e6*part.sample.Censored[i]
			}
		}
		for i, v := range tk.sample.Values {
			if want := tk.sample.Counts[i] + 1e6*tk.sample.Censored[i]; sum[v] != want {
				t.Errorf("at %g s: %g in fold and rest, want %g", v, sum[v], want)
			}
		}
	}
}

// TestCrossValidationOfCellsByHand: the likelihood of two folds is the sum over
// the held-out jobs of ln of their cell's probability, of those killed of that
// to run longer, under a law cut at the limit and fitted to the other fold.
func TestCrossValidationOfCellsByHand(t *testing.T) {
	const most = 9000.5
	s := killedSample(cutLaw{dist.LogNormal{Mu: 5, Sigma: 1.5}, most}, 1500, 3)
	for name, o := range map[string]Options{
		"rounded": {Rounding: RoundedDown}, "censored": {Rounding: RoundedDown, Censored: true}, "cut": {Rounding: RoundedDown, Censored: true, Max: most},
		"exact and cut": {Censored: true, Max: most}, "cut soon after a limit": {Rounding: RoundedDown, Censored: true, Max: 3650},
	} {
		for _, of := range []string{"log-normal", "weibull", "exponential"} {
			o.Folds, o.Seed = 2, 8
			r := mustFit(t, of, RunTime, s, o)
			f := families()[slices.IndexFunc(families(), func(f family) bool { return f.name == of })]
			tk := newTask(f, RunTime, s, o.filled(f, RunTime, s))
			folds := tk.folds(rand.New(rand.NewPCG(8, foldStream)))
			want := 0.0
			for k := range folds {
				var rest Sample
				for i, v := range tk.sample.Values {
					c := folds[1-k]
					if v == 0 {
						rest.Zeros = c.jobs[i]
					} else if c.jobs[i] > 0 {
						rest.Values, rest.Counts, rest.Censored = append(rest.Values, v), append(rest.Counts, c.jobs[i]), append(rest.Censored, c.censored[i])
					}
				}
				alone := o
				alone.Folds = 0
				law := mustFit(t, of, RunTime, rest, alone).Law
				below := 1.0
				end := math.Inf(1)
				if o.Max > 0 {
					below, end = law.CDF(o.Max), o.Max
				}
				for i, v := range tk.sample.Values {
					killed := 0.0
					if o.Censored {
						killed = folds[k].censored[i]
					}
					if ended := folds[k].jobs[i] - killed; ended > 0 && o.Rounding != NoRounding {
						want += ended * math.Log((law.Survival(v)-law.Survival(min(v+1, end)))/below)
					} else if ended > 0 {
						want += ended * (law.LogPDF(v) - math.Log(below))
					}
					if killed > 0 {
						want += killed * math.Log((law.Survival(v)-law.Survival(end))/below)
					}
				}
			}
			if r.CrossValidation == nil {
				t.Fatalf("%s, %s: %q", name, of, r.Warnings)
			}
			relative(t, name+", "+of, float64(r.CrossValidation.LogLikelihood), want, 1e-9)
		}
	}
}
