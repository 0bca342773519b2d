//go:build long

package fit

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// recoveries are the estimators that TestRecoverEveryFamily fits.
func recoveries(t testing.TB) []recovery {
	list := append(gammaRecoveries(t), erlangRecoveries(t)...)
	list = append(list, tailRecoveries(t)...)
	return append(list, leastSquaresRecoveries(t)...)
}

// likely is a recovery of a law by maximum likelihood, all of whose parameters
// are regular. law is of the transformed attribute.
func likely(t testing.TB, name, family string, a Attribute, o Options, n int, law func([]float64) dist.Law, at []float64) recovery {
	c := recovery{name: name, family: family, attribute: a, options: o, n: n}
	transform := o.Transform
	for _, f := range families() {
		if f.name == family {
			transform = o.filled(f, a, Sample{}).Transform
		}
	}
	truth := law(at)
	c.draw = func(rng *rand.Rand) float64 { return transform.Invert(truth.Rand(rng)) }
	parameters := dist.Parameters(truth)
	for i, s := range maximumLikelihood(t, law, nil, at, n) {
		c.want = append(c.want, s.of(parameters[i].Name, parameters[i].Value, o.Replicates))
	}
	return c
}

// of is what is expected of a parameter whose estimates behave as s says.
func (s secondOrder) of(name string, truth float64, replicates int) expected {
	return expected{name: name, truth: truth, bias: s.bias, coverage: s.coverage(recoveryLevel, replicates)}
}

func gammaAt(p []float64) dist.Law { return dist.Gamma{Shape: p[0], Scale: p[1]} }

func threeGammas(p []float64) dist.Law {
	m, _ := dist.NewGammaMixture(
		dist.WeightedGamma{Weight: p[6], Law: dist.Gamma{Shape: p[0], Scale: p[1]}},
		dist.WeightedGamma{Weight: p[7], Law: dist.Gamma{Shape: p[2], Scale: p[3]}},
		dist.WeightedGamma{Weight: 1 - p[6] - p[7], Law: dist.Gamma{Shape: p[4], Scale: p[5]}})
	return m
}

// gammaRecoveries are those of Gamma mixtures: the laws of Lublin and
// Feitelson (2003), for jobs of one size, for peak interarrivals and for work,
// and three components that are apart.
func gammaRecoveries(t testing.TB) []recovery {
	runTimes := []float64{6.57, 0.823, 639.1, 0.0156, 0.65}
	few, many := Options{Replicates: 39}, Options{Replicates: 99}
	list := []recovery{
		likely(t, "gamma of ln", "gamma", Interarrival, many, 500, gammaAt, []float64{10.23, 0.4871}),
		likely(t, "hyper-gamma", "hyper-gamma", RunTime, few, 1500, hyperGamma, runTimes),
		likely(t, "hyper-gamma of work", "hyper-gamma", Work, few, 1500, hyperGamma, []float64{8, 0.6, 200, 0.06, 0.4}),
		likely(t, "3 Gammas", "hyper-gamma", RunTime, Options{Replicates: 39, Components: 3}, 2000, threeGammas,
			[]float64{20, 0.1, 200, 0.03, 900, 0.012, 0.3, 0.3}),
	}
	return list
}

// erlangRecoveries are those of mixtures whose shapes are whole numbers, or 1.
// In so many jobs no shape is estimated wrong: 0.5 is more than six of its
// standard errors, so that the shapes are as if they were known.
func erlangRecoveries(t testing.TB) []recovery {
	hyperExponential := func(p []float64) dist.Law {
		return dist.HyperGamma{First: dist.Gamma{Shape: 1, Scale: p[0]}, Second: dist.Gamma{Shape: 1, Scale: p[1]}, P: p[2]}
	}
	o := Options{Transform: None, Replicates: 39}
	he := recovery{name: "hyper-exponential", family: "hyper-exponential", attribute: RunTime, options: o, n: 1000}
	he.options.Transform = ""
	at := []float64{30, 8000, 0.4}
	he.draw = func(rng *rand.Rand) float64 { return hyperExponential(at).Rand(rng) }
	for i, s := range maximumLikelihood(t, hyperExponential, func(p []float64) []float64 { return p }, at, he.n) {
		he.want = append(he.want, s.of([]string{"mean_1", "mean_2", "p"}[i], at[i], 39))
	}
	const n, first, second = 2500, 1, 2
	law := func(p []float64) dist.Law { // of shapes, means and the share
		return dist.HyperGamma{First: dist.Gamma{Shape: p[0], Scale: p[2] / p[0]}, Second: dist.Gamma{Shape: p[1], Scale: p[3] / p[1]}, P: p[4]}
	}
	truth := []float64{first, second, 10, 40000, 0.35}
	all := maximumLikelihood(t, law, func(p []float64) []float64 { return []float64{p[0], p[1], p[2] / first, p[3] / second, p[4]} }, truth, n)
	known := maximumLikelihood(t, func(p []float64) dist.Law { return law(append([]float64{first, second}, p...)) },
		func(p []float64) []float64 { return []float64{p[0] / first, p[1] / second, p[2]} }, truth[2:], n)
	for i, s := range all[:2] {
		if !(0.5 > 6*s.sd) {
			t.Fatalf("shape %d has a standard error of %g", i+1, s.sd)
		}
	}
	r := recovery{name: "hyper-erlang", family: "hyper-erlang", attribute: RunTime, options: Options{Transform: None, Replicates: 19}, n: n}
	r.draw = func(rng *rand.Rand) float64 { return law(truth).Rand(rng) }
	r.want = []expected{
		{name: "shape_1", truth: first, kind: constant}, known[0].of("scale_1", truth[2]/first, 19),
		{name: "shape_2", truth: second, kind: constant}, known[1].of("scale_2", truth[3]/second, 19),
		known[2].of("p", truth[4], 19),
	}
	return []recovery{he, r}
}

func tailRecoveries(t testing.TB) []recovery {
	many := Options{Replicates: 99}
	list := []recovery{
		likely(t, "log-normal", "log-normal", RunTime, many, 500, logNormalAt, []float64{6.5, 1.8}),
		likely(t, "weibull", "weibull", RunTime, many, 500, weibullAt, []float64{0.45, 3000}),
		likely(t, "exponential", "exponential", RunTime, many, 500, func(p []float64) dist.Law { return dist.Exponential{Mean: p[0]} }, []float64{5000}),
	}
	for i := range list {
		list[i].options.Transform = None
	}
	return append(list, uniformRecovery(), paretoRecovery())
}

// leastOf and largestOf are the distribution functions of the least and the
// largest of n values of a law.
func leastOf(law dist.Law, n float64) func(float64) float64 {
	return func(x float64) float64 { return -math.Expm1(n * math.Log(law.Survival(x))) }
}

func largestOf(law dist.Law, n float64) func(float64) float64 {
	return func(x float64) float64 { return math.Exp(n * math.Log(law.CDF(x))) }
}

func uniformRecovery() recovery {
	law := dist.Uniform{Low: 100, High: 5000}
	c := recovery{name: "uniform", family: "uniform", attribute: RunTime, options: Options{Replicates: 99}, n: 500, draw: law.Rand}
	c.want = []expected{
		{name: "low", truth: law.Low, kind: extreme, law: leastOf(law, 500)},
		{name: "high", truth: law.High, kind: extreme, law: largestOf(law, 500)},
	}
	return c
}

// paretoRecovery: n alpha over its estimate is a Gamma variable of shape n-1
// (Malik 1970, "Estimation of the parameters of the Pareto distribution"), so
// that the estimate's mean is n/(n-2) alpha and a replicate at level U is not
// below alpha where that variable is at most n² over its own quantile at 1-U.
func paretoRecovery() recovery {
	const n, replicates = 500, 99
	law := dist.Pareto{XMin: 10, Alpha: 1.1}
	upTo := func(share float64) float64 {
		r := math.Round(share * (replicates + 1))
		return betaMean(r, replicates+1-r, func(z float64) float64 {
			return num.GammaP(n-1, n*n/num.GammaPInv(n-1, normal.Survival(z)))
		})
	}
	c := recovery{name: "pareto", family: "pareto", attribute: RunTime, options: Options{Replicates: replicates}, n: n, draw: law.Rand}
	c.want = []expected{
		{name: "x_min", truth: law.XMin, kind: extreme, law: leastOf(law, n)},
		{name: "alpha", truth: law.Alpha, bias: 2 * law.Alpha / (n - 2), coverage: upTo((1+recoveryLevel)/2) - upTo((1-recoveryLevel)/2)},
	}
	return c
}

// leastSquaresReference is one estimator of testdata/recovery.json;
// recovery.py says how it is made.
type leastSquaresReference struct {
	N          int `json:"n"`
	Replicates int `json:"replicates"`
	Samples    int `json:"samples"`
	Parameters []struct {
		Name      string  `json:"name"`
		Truth     float64 `json:"truth"`
		Bias      float64 `json:"bias"`
		BiasError float64 `json:"bias_error"`
		Covered   int     `json:"covered"`
	} `json:"parameters"`
}

// leastSquaresRecoveries: Downey's line with the ends of his figure 1, two
// stages of ln t, and three stages of a uniform-log law.
func leastSquaresRecoveries(t testing.TB) []recovery {
	data, err := os.ReadFile(filepath.Join("testdata", "recovery.json"))
	if err != nil {
		t.Fatal(err)
	}
	var references map[string]json.RawMessage
	if err := json.Unmarshal(data, &references); err != nil {
		t.Fatal(err)
	}
	line := dist.UniformLog{TMin: 5.8, TMax: 24.2 * 3600}
	two := dist.TwoStageUniform{Low: 1, Mid: 9, High: 11, P: 0.3}
	three := stagesAt(t, []float64{5, 60, 5000, 90000}, []float64{0, 0.45, 0.6, 1})
	rSquared := expected{name: "r_squared", kind: reported}
	stages := []expected{{name: "stages", truth: 3, kind: constant}, rSquared}
	var list []recovery
	for _, c := range []struct {
		recovery
		before []expected
		after  map[string]expected // of parameters that are not regular
	}{
		{recovery: recovery{name: "uniform-log", family: "uniform-log", draw: line.Rand}, after: map[string]expected{"slope": rSquared}},
		{recovery: recovery{name: "two-stage-uniform", family: "two-stage-uniform", options: Options{Transform: Ln},
			draw: func(rng *rand.Rand) float64 { return math.Exp(two.Rand(rng)) }}},
		{recovery: recovery{name: "multi-stage least-squares", family: multiStage, options: Options{Stages: 3}, draw: three.Rand}, before: stages},
	} {
		var reference leastSquaresReference
		if err := json.Unmarshal(references[c.name], &reference); err != nil {
			t.Fatal(c.name, err)
		}
		r := c.recovery
		r.attribute, r.n, r.options.Replicates, r.want = RunTime, reference.N, reference.Replicates, c.before
		for _, p := range reference.Parameters {
			e := expected{name: p.Name, truth: p.Truth, bias: p.Bias, biasError: p.BiasError,
				coverage: float64(p.Covered) / float64(reference.Samples), covered: p.Covered, samples: reference.Samples}
			r.want = append(r.want, e)
			if next, ok := c.after[p.Name]; ok {
				r.want = append(r.want, next)
			}
		}
		list = append(list, r)
	}
	return list
}

func hyperGamma(p []float64) dist.Law {
	return dist.HyperGamma{First: dist.Gamma{Shape: p[0], Scale: p[1]}, Second: dist.Gamma{Shape: p[2], Scale: p[3]}, P: p[4]}
}
