//go:build long

package fit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// TestRecoverEveryFamily fits every family to samples of a known law, so large that the bias of
// an estimator, of order 1/n, is far below the standard error of the mean estimate. The mean
// error of each parameter is tested by Student's t at 1e-6 for all together. A bound estimated by
// the smallest or the largest value is off by a few n-ths of the law's width.
func TestRecoverEveryFamily(t *testing.T) {
	const samples, n, alarm = 24, 10000, 1e-6
	batch := batch(0.65)
	erlangs := dist.HyperGamma{First: dist.Gamma{Shape: 3, Scale: 1}, Second: dist.Gamma{Shape: 40, Scale: 0.22}, P: 0.4}
	exponentials := dist.HyperGamma{First: dist.Gamma{Shape: 1, Scale: 60}, Second: dist.Gamma{Shape: 1, Scale: 9000}, P: 0.6}
	line := dist.UniformLog{TMin: 5.8, TMax: 87120}
	cases := []struct {
		family    string
		transform Transform
		options   Options
		law       dist.Law // of the transformed attribute
		bounds    string   // parameters that are values of the sample
		want      []dist.Parameter
	}{
		{"gamma", Ln, Options{}, dist.Gamma{Shape: 10.23, Scale: 0.4871}, "", nil},
		{"hyper-gamma", Ln, Options{}, batch, "", nil},
		{"hyper-exponential", None, Options{}, exponentials, "", []dist.Parameter{{Name: "mean_1", Value: 60}, {Name: "mean_2", Value: 9000}, {Name: "p", Value: 0.6}}},
		{"hyper-erlang", Ln, Options{}, erlangs, "", nil},
		{"two-stage-uniform", Log2, Options{}, dist.TwoStageUniform{Low: 0.8, Mid: 4.5, High: 7, P: 0.86}, "", nil},
		{"log-normal", None, Options{}, dist.LogNormal{Mu: 6.5, Sigma: 1.8}, "", nil},
		{"weibull", None, Options{}, dist.Weibull{Shape: 0.45, Scale: 3000}, "", nil},
		{"pareto", None, Options{}, dist.Pareto{XMin: 10, Alpha: 1.1}, "x_min", nil},
		{"exponential", None, Options{}, dist.Exponential{Mean: 500}, "", nil},
		{"uniform", None, Options{}, dist.Uniform{Low: 3, High: 90}, "low high", nil},
		{"uniform-log", None, Options{}, line, "", []dist.Parameter{{Name: "intercept", Value: line.Intercept()}, {Name: "slope", Value: line.Slope()}}},
		{multiStage, None, Options{Stages: 2}, stagesAt(t, []float64{5, 300, 80000}, []float64{0, 0.7, 1}), "", nil},
	}
	limit := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: samples - 1}.Quantile(1 - alarm/100)
	tested := map[string]bool{}
	for seed, c := range cases {
		tested[c.family] = true
		reports := make([]Report, samples)
		par.Each(0, samples, func(i int) {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			values := make([]float64, n)
			for j := range values {
				values[j] = c.transform.Invert(c.law.Rand(rng))
			}
			o := c.options
			o.Resolution, o.Workers = -1, 1
			attribute := RunTime
			if c.transform == Log2 {
				attribute = Size
			}
			reports[i] = mustFit(t, c.family, attribute, NewSample(attribute, values), o)
		})
		if c.want == nil {
			c.want = dist.Parameters(c.law)
		}
		for _, want := range c.want {
			var got []float64
			for _, r := range reports {
				got = append(got, parameter(t, r, want.Name))
			}
			mean, sd := stat.MeanStdDev(got, nil)
			if strings.Contains(c.bounds, want.Name) {
				near(t, c.family+": "+want.Name, mean, want.Value, 8.0/n*(c.law.Quantile(0.5)-c.law.Quantile(0)))
			} else if math.Abs(mean-want.Value) > limit*sd/math.Sqrt(samples) {
				t.Errorf("%s: %s is %g on average, with a standard error of %.2g, want %g", c.family, want.Name, mean, sd/math.Sqrt(samples), want.Value)
			}
		}
	}
	if len(tested) != len(Families()) {
		t.Errorf("%d families are tested, want all %d", len(tested), len(Families()))
	}
}
