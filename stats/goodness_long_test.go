//go:build long

package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// TestBootstrapPValuesAreUniform: 500 p-values of exponential samples, whose
// law is fitted, lie within Massart's bound of the uniform law at a
// false-alarm rate of 1e-6; each is spread over its step of 1/200. The
// asymptotic ones of Kolmogorov-Smirnov and Anderson-Darling do not.
func TestBootstrapPValuesAreUniform(t *testing.T) {
	const samples, replicates, n = 500, 199, 1000
	rng := rand.New(rand.NewPCG(5, 5))
	p := map[string][]float64{}
	spread := func(name string, s Significance) {
		p[name] = append(p[name], s.PValue-rng.Float64()/(replicates+1))
	}
	for i := range uint64(samples) {
		values, counts, law := exponentialSample(n, i)
		b := exponentialBootstrap(1000+i, 0)
		b.Replicates, b.Tests = replicates, allTests(ChiSquareCells(n))
		g, err := GoodnessOfFitBootstrap(values, counts, law, b)
		if err != nil {
			t.Fatal(err)
		}
		spread("Kolmogorov-Smirnov", g.KS.Significance)
		spread("Anderson-Darling", g.AD.Significance)
		spread("chi-square", g.ChiSquare.Significance)
		kind, _ := b.Tests.Asymptotic(values, counts, law)
		p["asymptotic Kolmogorov-Smirnov"] = append(p["asymptotic Kolmogorov-Smirnov"], kind.KS.PValue)
		p["asymptotic Anderson-Darling"] = append(p["asymptotic Anderson-Darling"], kind.AD.PValue)
	}
	bound := math.Sqrt(math.Log(2/1e-6) / (2 * samples))
	for name, of := range p {
		values, counts := Distinct(of)
		ks, err := KolmogorovSmirnov(values, counts, dist.Uniform{Low: 0, High: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.4f from uniform, bound %.4f", name, ks.D, bound)
		if wrong := name[0] == 'a'; (ks.D > bound) != wrong {
			t.Errorf("%s: %.4f from uniform, bound %.4f", name, ks.D, bound)
		}
	}
}
