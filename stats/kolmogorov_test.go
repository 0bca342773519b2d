package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

func TestKolmogorovSurvival(t *testing.T) {
	for _, c := range readReference(t).Kolmogorov {
		if got := KolmogorovSurvival(c.X); !near(got, c.Survival, 1e-13) {
			t.Errorf("KolmogorovSurvival(%g) = %.17g, want %.17g", c.X, got, c.Survival)
		}
	}
	if KolmogorovSurvival(0) != 1 || KolmogorovSurvival(-1) != 1 || KolmogorovSurvival(math.Inf(1)) != 0 || !math.IsNaN(KolmogorovSurvival(math.NaN())) {
		t.Error("ends")
	}
}

func TestKolmogorovSmirnovAgainstSciPy(t *testing.T) {
	r := readReference(t).KS
	values, counts := Distinct(r.Sample)
	if len(values) == len(r.Sample) {
		t.Fatal("the sample has no ties")
	}
	for _, c := range r.Tests {
		law := dist.Gamma{Shape: c.Shape, Scale: c.Scale}
		got, err := KolmogorovSmirnov(values, counts, law)
		if err != nil {
			t.Fatal(err)
		}
		if !near(got.D, c.D, 1e-12) || !near(got.PValue, c.PValue, 1e-9) {
			t.Errorf("%+v: D = %g, p = %g; want %g, %g", law, got.D, got.PValue, c.D, c.PValue)
		}
		if got.Law != law || got.N != 300 || got.Distinct != len(values) || got.Method != "asymptotic" || got.Replicates != 0 {
			t.Errorf("the result does not repeat its inputs: %+v", got)
		}
	}
}

func TestKolmogorovSmirnovErrors(t *testing.T) {
	law := dist.Uniform{Low: 0, High: 1}
	if _, err := KolmogorovSmirnov(nil, nil, law); err == nil {
		t.Error("no values: no error")
	}
	for name, bad := range map[string][2][]float64{
		"descending":     {{0.3, 0.1}, {1, 1}},
		"twice":          {{0.3, 0.3}, {1, 1}},
		"NaN":            {{0.3, math.NaN()}, {1, 1}},
		"count 0":        {{0.1, 0.3}, {0, 1}},
		"negative count": {{0.1, 0.3}, {-1, 1}},
		"infinite count": {{0.1, 0.3}, {math.Inf(1), 1}},
		"NaN count":      {{0.1, 0.3}, {math.NaN(), 1}},
	} {
		if ks, err := KolmogorovSmirnov(bad[0], bad[1], law); err == nil {
			t.Errorf("%s: Kolmogorov-Smirnov %+v", name, ks)
		}
		if ad, err := AndersonDarling(bad[0], bad[1], law); err == nil {
			t.Errorf("%s: Anderson-Darling %+v", name, ad)
		}
	}
	if _, err := KolmogorovSmirnov([]float64{1}, nil, law); err == nil {
		t.Error("no counts: no error")
	}
	if _, err := KolmogorovSmirnov([]float64{1}, []float64{1}, dist.Gamma{Shape: math.NaN(), Scale: 1}); err == nil {
		t.Error("a CDF of NaN: no error")
	}
}

// exponentialBootstrap refits exponential laws by their mean.
func exponentialBootstrap(seed uint64, workers int) Bootstrap {
	return Bootstrap{
		Draw: func(rng *rand.Rand, law dist.Law, n int) (values, counts []float64) {
			x := make([]float64, n)
			for i := range x {
				x[i] = law.Rand(rng)
			}
			return Distinct(x)
		},
		Refit: func(values, counts []float64) (dist.Law, error) {
			var m Moments
			for i, v := range values {
				m.AddCount(v, counts[i])
			}
			return dist.Exponential{Mean: m.Mean()}, nil
		},
		Replicates: 400, Seed: seed, Workers: workers,
	}
}

// ksBootstrap is the KS of GoodnessOfFitBootstrap, without other tests.
func ksBootstrap(values, counts []float64, law dist.Law, b Bootstrap) (KS, error) {
	b.Tests = Tests{}
	g, err := GoodnessOfFitBootstrap(values, counts, law, b)
	return g.KS, err
}

// TestBootstrapOfFittedExponential meets Lilliefors' (1969) table: for an
// exponential law fitted by its mean the 5 % point of D at n = 20 is 0.234,
// where the untabulated test would take it for a p-value of 0.2.
func TestBootstrapOfFittedExponential(t *testing.T) {
	const n, replicates = 20, 4000
	// A sample of 20 whose D from its own fitted law is near 0.234: move the
	// quantiles of the law until it is.
	law := dist.Exponential{Mean: 1}
	sample := func(power float64) ([]float64, []float64, dist.Law) {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Pow(law.Quantile((float64(i)+0.5)/n), power)
		}
		values, counts := Distinct(x)
		fitted, _ := exponentialBootstrap(0, 1).Refit(values, counts)
		return values, counts, fitted
	}
	lo, hi := 1.0, 3.0
	for range 60 {
		mid := (lo + hi) / 2
		values, counts, fitted := sample(mid)
		if ks, _ := KolmogorovSmirnov(values, counts, fitted); ks.D < 0.234 {
			lo = mid
		} else {
			hi = mid
		}
	}
	values, counts, fitted := sample(hi)
	b := exponentialBootstrap(1, 0)
	b.Replicates = replicates
	ks, err := ksBootstrap(values, counts, fitted, b)
	if err != nil {
		t.Fatal(err)
	}
	// Six standard errors of a share of 0.05 (false-alarm rate 2e-9), and
	// 0.004 for the table's own rounding and simulation.
	if tol := 6*math.Sqrt(0.05*0.95/replicates) + 0.004; math.Abs(ks.PValue-0.05) > tol {
		t.Errorf("D = %g has p = %g, want 0.05 within %.3f", ks.D, ks.PValue, tol)
	}
	if plain, _ := KolmogorovSmirnov(values, counts, fitted); plain.PValue < 2*ks.PValue {
		t.Errorf("the asymptotic p = %g is not the kinder", plain.PValue)
	}
}

func TestBootstrapFailures(t *testing.T) {
	values, counts := Distinct(readReference(t).KS.Sample)
	law := dist.Exponential{Mean: 126}
	cause := errors.New("did not converge")
	b := exponentialBootstrap(3, 2)
	refit := b.Refit
	b.Refit = func(values, counts []float64) (dist.Law, error) {
		if values[0] < 0.2 {
			return nil, cause
		}
		return refit(values, counts)
	}
	ks, err := ksBootstrap(values, counts, law, b)
	if err != nil || ks.Failed == 0 || ks.Failed == ks.Replicates {
		t.Errorf("some fail: %d of %d, %v", ks.Failed, ks.Replicates, err)
	}
	if want := 1 / float64(1+ks.Replicates-ks.Failed); ks.PValue != want {
		t.Errorf("p = %g, want %g", ks.PValue, want)
	}
	b.Refit = func([]float64, []float64) (dist.Law, error) { return nil, cause }
	if _, err := ksBootstrap(values, counts, law, b); !errors.Is(err, cause) {
		t.Errorf("all fail: error %v, want one that unwraps to %v", err, cause)
	}
	if _, err := ksBootstrap(values, counts, law, Bootstrap{}); err == nil || !strings.Contains(err.Error(), "replicate") {
		t.Errorf("no options: error %v", err)
	}
	if _, err := ksBootstrap(nil, nil, law, exponentialBootstrap(1, 1)); err == nil {
		t.Error("no data: no error")
	}
}
