package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

type chiSquareReference struct {
	Cells, Estimated, Used int
	X2                     float64
	PValue                 float64 `json:"p_value"`
}

// goodnessReference is testdata/goodness.json: values of SciPy, NumPy and
// mpmath, by goodness.py.
type goodnessReference struct {
	AD []struct{ X, Survival float64 } `json:"anderson_darling_survival"`
	// Exponential is an exponential sample, to which SciPy fits a law by the mean.
	Exponential struct {
		Sample []float64
		Fitted float64 `json:"fitted_a2"`
		Mean   float64
		At40   float64 `json:"a2_at_40"`
	}
	// Normal contains the values of the fitted distribution function at a normal sample.
	Normal struct {
		Uniform []float64
		A2      float64
	}
	Tied struct {
		Values, Counts []float64
		Laws           []struct {
			Shape, Scale, A2 float64
			ChiSquare        []chiSquareReference `json:"chi_square"`
		}
	}
	Far struct {
		Values []float64
		A2     float64
	}
	ChiSquare []struct {
		X, Survival float64
		Degrees     int
	} `json:"chi_square_survival"`
}

func readGoodness(t *testing.T) goodnessReference {
	return longtest.ReadJSON[goodnessReference](t, "testdata/goodness.json")
}

func TestSurvivals(t *testing.T) {
	for _, c := range readGoodness(t).AD {
		if got := AndersonDarlingSurvival(c.X); !near(got, c.Survival, 1e-12) {
			t.Errorf("AndersonDarlingSurvival(%g) = %.17g, want %.17g", c.X, got, c.Survival)
		}
	}
	for _, c := range readReference(t).Kolmogorov {
		if got := KolmogorovSurvival(c.X); !near(got, c.Survival, 1e-13) {
			t.Errorf("KolmogorovSurvival(%g) = %.17g, want %.17g", c.X, got, c.Survival)
		}
	}
	for _, c := range readGoodness(t).ChiSquare {
		if got := ChiSquareSurvival(c.X, c.Degrees); !near(got, c.Survival, 1e-12) {
			t.Errorf("ChiSquareSurvival(%g, %d) = %.17g, want %.17g", c.X, c.Degrees, got, c.Survival)
		}
	}
	for _, survival := range []func(float64) float64{AndersonDarlingSurvival, KolmogorovSurvival} {
		if survival(0) != 1 || survival(-1) != 1 || survival(math.Inf(1)) != 0 || !math.IsNaN(survival(math.NaN())) {
			t.Error("ends")
		}
	}
}

// mustTest runs tests without replicates, and ends the test on an error.
func mustTest(t *testing.T, values, counts []float64, law dist.Law, tests Tests) Goodness {
	t.Helper()
	g, err := GoodnessOfFit(values, counts, law, tests)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestKolmogorovSmirnovAgainstSciPy(t *testing.T) {
	r := readReference(t).KS
	values, counts := Distinct(r.Sample)
	if len(values) == len(r.Sample) {
		t.Fatal("the sample has no ties")
	}
	for _, c := range r.Tests {
		got := mustTest(t, values, counts, dist.Gamma{Shape: c.Shape, Scale: c.Scale}, Tests{}).KS
		if !near(got.D, c.D, 1e-12) || !near(float64(got.PValue), c.PValue, 1e-9) || got.Method != Asymptotic || got.Refits != nil {
			t.Errorf("shape %g: %+v; want D %g, p-value %g", c.Shape, got, c.D, c.PValue)
		}
	}
}

func TestAndersonDarlingAgainstSciPy(t *testing.T) {
	r := readGoodness(t)
	check := func(what string, values, counts []float64, law dist.Law, want float64) {
		t.Helper()
		got := mustTest(t, values, counts, law, Tests{AndersonDarling: true}).AD
		// A² is the difference of two numbers as large as n.
		if math.Abs(float64(got.A2)-want) > 1e-11*floats.Sum(counts) || float64(got.PValue) != AndersonDarlingSurvival(float64(got.A2)) {
			t.Errorf("%s: %+v; want A² = %.14g", what, got, want)
		}
	}
	values, counts := Distinct(r.Exponential.Sample)
	check("fitted exponential", values, counts, dist.Exponential{Mean: r.Exponential.Mean}, r.Exponential.Fitted)
	check("exponential", values, counts, dist.Exponential{Mean: 40}, r.Exponential.At40)
	values, counts = Distinct(r.Normal.Uniform)
	check("normal", values, counts, dist.Uniform{Low: 0, High: 1}, r.Normal.A2)
	for _, c := range r.Tied.Laws {
		check("tied", r.Tied.Values, r.Tied.Counts, dist.Gamma{Shape: c.Shape, Scale: c.Scale}, c.A2)
	}
	check("far out", r.Far.Values, []float64{1, 1, 1, 1, 1}, dist.Exponential{Mean: 1}, r.Far.A2)
}

// TestAndersonDarlingByHand: one value at the median, twice: -2 - (1 ln ½ + 3
// ln ½ + the same from above)/2 = 4 ln 2 - 2. A value outside the support has
// no logarithm.
func TestAndersonDarlingByHand(t *testing.T) {
	law, tests := dist.Uniform{Low: 0, High: 1}, Tests{AndersonDarling: true}
	if ad := mustTest(t, []float64{0.5}, []float64{2}, law, tests).AD; !near(float64(ad.A2), 4*math.Ln2-2, 1e-14) {
		t.Errorf("A² = %g; want 4 ln 2 - 2", ad.A2)
	}
	for _, x := range []float64{-1, 0, 1, 2} {
		values, counts := Distinct([]float64{0.5, x})
		if ad := mustTest(t, values, counts, law, tests).AD; !math.IsInf(float64(ad.A2), 1) || ad.PValue != 0 {
			t.Errorf("with %g: %+v; want an infinite A² and a p-value of 0", x, ad)
		}
	}
}

func TestChiSquareAgainstSciPy(t *testing.T) {
	r := readGoodness(t)
	for _, c := range r.Tied.Laws {
		for _, want := range c.ChiSquare {
			got := mustTest(t, r.Tied.Values, r.Tied.Counts, dist.Gamma{Shape: c.Shape, Scale: c.Scale}, Tests{Cells: want.Cells, Estimated: want.Estimated}).ChiSquare
			if !near(float64(got.X2), want.X2, 1e-12) || !near(float64(got.PValue), want.PValue, 1e-9) || got.DegreesOfFreedom != want.Cells-1-want.Estimated {
				t.Errorf("shape %g with %d cells: %+v; want %+v", c.Shape, want.Cells, got, want)
			}
		}
	}
}

func TestGoodnessErrors(t *testing.T) {
	law, one := dist.Uniform{Low: 0, High: 1}, []float64{1}
	b := exponentialBootstrap(1, 1)
	b.Replicates = 0
	if _, err := GoodnessOfFitBootstrap(one, one, law, b); err == nil || !strings.Contains(err.Error(), "replicate") {
		t.Errorf("no replicates: error %v", err)
	}
	for name, bad := range map[string]struct {
		values, counts []float64
		law            dist.Law
		tests          Tests
	}{
		"no values":                   {nil, nil, law, Tests{}},
		"no counts":                   {one, nil, law, Tests{}},
		"descending":                  {[]float64{0.3, 0.1}, []float64{1, 1}, law, Tests{}},
		"twice":                       {[]float64{0.3, 0.3}, []float64{1, 1}, law, Tests{}},
		"NaN":                         {[]float64{0.3, math.NaN()}, []float64{1, 1}, law, Tests{}},
		"count 0":                     {[]float64{0.1, 0.3}, []float64{0, 1}, law, Tests{}},
		"infinite count":              {[]float64{0.1, 0.3}, []float64{math.Inf(1), 1}, law, Tests{}},
		"NaN count":                   {[]float64{0.1, 0.3}, []float64{math.NaN(), 1}, law, Tests{}},
		"a distribution that is none": {one, one, dist.Gamma{Shape: math.NaN(), Scale: 1}, Tests{}},
		"1 cell":                      {one, one, law, Tests{Cells: 1}},
		"no degree of freedom":        {one, one, law, Tests{Cells: 4, Estimated: 3}},
		"fewer than none fitted":      {one, one, law, Tests{Cells: 4, Estimated: -1}},
	} {
		if g, err := GoodnessOfFit(bad.values, bad.counts, bad.law, bad.tests); err == nil || !strings.HasPrefix(err.Error(), "stats: ") {
			t.Errorf("%s: %+v, error %v", name, g, err)
		}
		if _, err := GoodnessOfFitBootstrap(bad.values, bad.counts, bad.law, Bootstrap{Draw: b.Draw, Refit: b.Refit, Replicates: 1, Tests: bad.tests}); err == nil {
			t.Errorf("%s: no error from the bootstrap", name)
		}
	}
}

// exponentialBootstrap returns a Bootstrap that fits exponential laws by their mean.
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

// exponentialSample returns n values from an exponential law, with their fit.
func exponentialSample(n int, seed uint64) (values, counts []float64, fitted dist.Law) {
	rng := rand.New(rand.NewPCG(seed, 77))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.ExpFloat64()
	}
	values, counts = Distinct(x)
	fitted, _ = exponentialBootstrap(0, 1).Refit(values, counts)
	return values, counts, fitted
}

// TestBootstrapOfFittedExponential agrees with the table of Lilliefors (1969): for an exponential
// law fitted by its mean, the 5 % point of D at n = 20 is 0.234, which the test without refitting
// would give a p-value of 0.2.
func TestBootstrapOfFittedExponential(t *testing.T) {
	const n, replicates = 20, 4000
	// A sample of 20 whose D from its own fitted law is near 0.234: its quantiles are moved until
	// it is.
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
		if mustTest(t, values, counts, fitted, Tests{}).KS.D < 0.234 {
			lo = mid
		} else {
			hi = mid
		}
	}
	values, counts, fitted := sample(hi)
	b := exponentialBootstrap(1, 0)
	b.Replicates = replicates
	g, err := GoodnessOfFitBootstrap(values, counts, fitted, b)
	if err != nil {
		t.Fatal(err)
	}
	p := float64(g.KS.PValue)
	// Six standard errors of a share of 0.05 (false-alarm rate 2e-9), and
	// 0.004 for the table's own rounding and simulation.
	if tol := 6*math.Sqrt(0.05*0.95/replicates) + 0.004; math.Abs(p-0.05) > tol {
		t.Errorf("D = %g has p = %g, want 0.05 within %.3f", g.KS.D, p, tol)
	}
	if plain := float64(g.KS.Asymptotic); plain < 2*p {
		t.Errorf("the asymptotic p = %g is not larger", plain)
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
	g, err := GoodnessOfFitBootstrap(values, counts, law, b)
	if ks := g.KS; err != nil || ks.Failed == 0 || ks.Failed == ks.Replicates || ks.PValue != Number(1/float64(1+ks.Replicates-ks.Failed)) {
		t.Errorf("some fail: %+v, %v", ks, err)
	}
	b.Refit = func([]float64, []float64) (dist.Law, error) { return nil, cause }
	if _, err := GoodnessOfFitBootstrap(values, counts, law, b); !errors.Is(err, cause) {
		t.Errorf("all fail: error %v, want one that unwraps to %v", err, cause)
	}
}

// TestGoodnessOfFitBootstrapAgrees checks that all tests use the same replicates, are the same on
// any number of cores, and agree with counts over the laws refitted here.
func TestGoodnessOfFitBootstrapAgrees(t *testing.T) {
	values, counts, law := exponentialSample(150, 5)
	b := exponentialBootstrap(3, 1)
	b.Replicates, b.Tests = 100, Tests{AndersonDarling: true, Cells: 10, Estimated: 1}
	one, err := GoodnessOfFitBootstrap(values, counts, law, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{0, 2, 5} {
		b.Workers = workers
		if many, err := GoodnessOfFitBootstrap(values, counts, law, b); err != nil || !reflect.DeepEqual(many, one) {
			t.Errorf("%d workers: %+v, %v; one worker: %+v", workers, many, err, one)
		}
	}
	alone := mustTest(t, values, counts, law, b.Tests)
	exceeded := make([]int, 3)
	for i := range b.Replicates {
		v, c := b.Draw(rand.New(rand.NewPCG(b.Seed, uint64(i))), law, 150)
		r := mustTest(t, v, c, one.Laws[i], b.Tests)
		for k, drawn := range r.statistics() {
			if drawn >= alone.statistics()[k] {
				exceeded[k]++
			}
		}
	}
	for k, s := range one.Significances() {
		if s.PValue != Number(float64(exceeded[k]+1)/101) || s.Asymptotic != alone.Significances()[k].PValue || exceeded[k] < 5 || exceeded[k] > 95 {
			t.Errorf("%+v; by hand %d of 100 are as far", *s, exceeded[k])
		}
	}
}

// A p-value is printed with as many digits as its replicates resolve.
func TestSignificanceString(t *testing.T) {
	for _, tt := range []struct {
		p          float64
		replicates int
		want       string
	}{
		{1.0 / 200, 199, "< 0.005"},
		{1.0 / 100, 99, "< 0.01"},
		{1.0 / 61, 60, "< 0.02"},
		{2.0 / 200, 199, "0.010"},
		{0.51, 199, "0.510"},
	} {
		s := Significance{PValue: Number(tt.p), Method: ParametricBootstrap, Replicates: tt.replicates, Refits: &Refits{}}
		if got := s.String(); got != tt.want {
			t.Errorf("p %g of %d replicates is %q, want %q", tt.p, tt.replicates, got, tt.want)
		}
	}
	if got := (Significance{PValue: Number(math.NaN()), Method: NoPValue}).String(); got != "" {
		t.Errorf("a missing p-value is printed as %q", got)
	}
}
