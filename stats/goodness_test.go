package stats

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/loadstone-hpc/loadstone/dist"
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
	// Exponential is an exponential sample, whose law SciPy fits by its mean.
	Exponential struct {
		Sample []float64
		Fitted float64 `json:"fitted_a2"`
		Mean   float64
		At40   float64 `json:"a2_at_40"`
	}
	// Normal is a normal sample at its fitted law's distribution function.
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
	t.Helper()
	data, err := os.ReadFile("testdata/goodness.json")
	if err != nil {
		t.Fatal(err)
	}
	var r goodnessReference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.AD) < 15 || len(r.Tied.Laws) != 3 || len(r.ChiSquare) == 0 {
		t.Fatal("testdata/goodness.json is not whole")
	}
	return r
}

func TestAndersonDarlingSurvival(t *testing.T) {
	for _, c := range readGoodness(t).AD {
		if got := AndersonDarlingSurvival(c.X); !near(got, c.Survival, 1e-12) {
			t.Errorf("AndersonDarlingSurvival(%g) = %.17g, want %.17g", c.X, got, c.Survival)
		}
	}
	if AndersonDarlingSurvival(0) != 1 || AndersonDarlingSurvival(-1) != 1 || AndersonDarlingSurvival(math.Inf(1)) != 0 || !math.IsNaN(AndersonDarlingSurvival(math.NaN())) {
		t.Error("ends")
	}
}

func TestAndersonDarlingAgainstSciPy(t *testing.T) {
	r := readGoodness(t)
	check := func(what string, values, counts []float64, law dist.Law, want float64) {
		t.Helper()
		got, err := AndersonDarling(values, counts, law)
		// A² is the difference of numbers as large as n.
		if err != nil || math.Abs(got.A2-want) > 1e-11*got.N {
			t.Errorf("%s: A² = %.14g, %v; want %.14g", what, got.A2, err, want)
		}
		if got.Law != law || got.N != floats.Sum(counts) || got.Distinct != len(values) || got.Method != Asymptotic || got.PValue != AndersonDarlingSurvival(got.A2) {
			t.Errorf("%s: the result does not repeat its inputs: %+v", what, got)
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
	ones := []float64{1, 1, 1, 1, 1}
	check("far out", r.Far.Values, ones, dist.Exponential{Mean: 1}, r.Far.A2)
}

// TestAndersonDarlingByHand: one value at the median, twice: -2 - (1 ln ½ + 3
// ln ½ + the same from above)/2 = 4 ln 2 - 2. A value outside the support has
// no logarithm.
func TestAndersonDarlingByHand(t *testing.T) {
	law := dist.Uniform{Low: 0, High: 1}
	if ad, err := AndersonDarling([]float64{0.5}, []float64{2}, law); err != nil || !near(ad.A2, 4*math.Ln2-2, 1e-14) {
		t.Errorf("A² = %g, %v; want 4 ln 2 - 2", ad.A2, err)
	}
	for _, x := range []float64{-1, 0, 1, 2} {
		values, counts := Distinct([]float64{0.5, x})
		if ad, err := AndersonDarling(values, counts, law); err != nil || !math.IsInf(ad.A2, 1) || ad.PValue != 0 {
			t.Errorf("with %g: %+v, %v; want an infinite A² and a p-value of 0", x, ad, err)
		}
	}
}

func TestChiSquareAgainstSciPy(t *testing.T) {
	r := readGoodness(t)
	for _, c := range r.Tied.Laws {
		law := dist.Gamma{Shape: c.Shape, Scale: c.Scale}
		for _, want := range c.ChiSquare {
			got, err := ChiSquareTest(r.Tied.Values, r.Tied.Counts, law, want.Cells, want.Estimated)
			if err != nil || !near(got.X2, want.X2, 1e-12) || !near(got.PValue, want.PValue, 1e-9) {
				t.Errorf("%+v with %d cells: %+v, %v; want %+v", law, want.Cells, got, err, want)
			}
			if got.Law != law || got.N != 2000 || got.Cells != want.Cells || got.DegreesOfFreedom != want.Cells-1-want.Estimated {
				t.Errorf("the result does not repeat its inputs: %+v", got)
			}
		}
	}
	for _, c := range r.ChiSquare {
		if got := ChiSquareSurvival(c.X, c.Degrees); !near(got, c.Survival, 1e-12) {
			t.Errorf("ChiSquareSurvival(%g, %d) = %.17g, want %.17g", c.X, c.Degrees, got, c.Survival)
		}
	}
}

func TestGoodnessErrors(t *testing.T) {
	law, one := dist.Uniform{Low: 0, High: 1}, []float64{1}
	nan := dist.Gamma{Shape: math.NaN(), Scale: 1}
	for what, err := range map[string]error{
		"no values":                   second(AndersonDarling(nil, nil, law)),
		"no counts":                   second(AndersonDarling(one, nil, law)),
		"a distribution that is none": second(AndersonDarling(one, one, nan)),
		"chi-square, no values":       second(ChiSquareTest(nil, nil, law, 5, 0)),
		"chi-square, NaN":             second(ChiSquareTest(one, one, nan, 5, 0)),
		"1 cell":                      second(ChiSquareTest(one, one, law, 1, 0)),
		"no degree of freedom":        second(ChiSquareTest(one, one, law, 4, 3)),
		"fewer than none fitted":      second(ChiSquareTest(one, one, law, 4, -1)),
		"no replicates":               second(GoodnessOfFitBootstrap(one, one, law, Bootstrap{Draw: exponentialBootstrap(1, 1).Draw, Refit: exponentialBootstrap(1, 1).Refit})),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), "stats: ") {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// exponentialSample is n values of an exponential law with its fit.
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

func allTests(cells int) Tests {
	return Tests{AndersonDarling: true, Cells: cells, Estimated: 1}
}

// TestGoodnessOfFitBootstrapAgrees: all tests are of the same replicates, are
// the same on any number of cores, agree with the tests made alone, and count
// what a count by hand over the refitted laws gives.
func TestGoodnessOfFitBootstrapAgrees(t *testing.T) {
	values, counts, law := exponentialSample(150, 5)
	b := exponentialBootstrap(3, 1)
	b.Replicates, b.Tests = 100, allTests(10)
	one, err := GoodnessOfFitBootstrap(values, counts, law, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{0, 2, 5} {
		b.Workers = workers
		many, err := GoodnessOfFitBootstrap(values, counts, law, b)
		if err != nil || many.KS != one.KS || many.AD != one.AD || many.ChiSquare != one.ChiSquare {
			t.Errorf("%d workers: %+v, %v; one worker: %+v", workers, many, err, one)
		}
		for i, l := range many.Laws {
			if l != one.Laws[i] {
				t.Fatalf("%d workers: distribution %d is %v, one worker: %v", workers, i, l, one.Laws[i])
			}
		}
	}
	alone, err := ksBootstrap(values, counts, law, b)
	if err != nil || alone != one.KS {
		t.Errorf("Kolmogorov-Smirnov alone: %+v, %v; among others %+v", alone, err, one.KS)
	}
	ad, _ := AndersonDarling(values, counts, law)
	chi, _ := ChiSquareTest(values, counts, law, 10, 1)
	if one.AD.A2 != ad.A2 || one.ChiSquare.X2 != chi.X2 {
		t.Errorf("statistics %+v %+v, alone %+v %+v", one.AD, one.ChiSquare, ad, chi)
	}
	var exceeded, exceededChi int
	for i := range b.Replicates {
		v, c := b.Draw(rand.New(rand.NewPCG(b.Seed, uint64(i))), law, 150)
		if r, _ := AndersonDarling(v, c, one.Laws[i]); r.A2 >= ad.A2 {
			exceeded++
		}
		if r, _ := ChiSquareTest(v, c, one.Laws[i], 10, 1); r.X2 >= chi.X2 {
			exceededChi++
		}
	}
	if one.AD.Exceeded != exceeded || one.AD.PValue != float64(exceeded+1)/101 || one.ChiSquare.PValue != float64(exceededChi+1)/101 {
		t.Errorf("%+v %+v; by hand %d and %d of 100 are as far", one.AD, one.ChiSquare, exceeded, exceededChi)
	}
	if exceeded < 5 || exceeded > 95 {
		t.Errorf("%d of 100 say little", exceeded)
	}
}
