package figure

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
)

// agree says whether two numbers agree to a few units in the last places.
func agree(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

func TestNewLaw(t *testing.T) {
	// The exponential law and its transforms by hand, at x = 7: a law of x
	// with mean 5, of ln x with mean 2, of log2 x with mean 3.
	const x = 7.0
	for _, c := range []struct {
		of           Transform
		mean, below  float64
		cdf, density float64
	}{
		{None, 5, 0, 1 - math.Exp(-x/5), x / 5 * math.Exp(-x/5)},
		{Ln, 2, 0, 1 - math.Pow(x, -0.5), 0.5 * math.Pow(x, -0.5)},
		{Log2, 3, 0.25, 0.25 + 0.75*(1-math.Exp(-math.Log2(x)/3)), 0.75 * math.Exp(-math.Log2(x)/3) / (3 * math.Ln2)},
	} {
		law, err := NewLaw("exponential", dist.Exponential{Mean: c.mean}, c.of, c.below)
		if err != nil {
			t.Fatal(err)
		}
		if law.Name != "exponential" || !agree(law.CDF(x), c.cdf) || !agree(law.Density(x), c.density) {
			t.Errorf("%s: CDF %v, density %v, want %v, %v", c.of, law.CDF(x), law.Density(x), c.cdf, c.density)
		}
	}
	for _, c := range []struct {
		of    Transform
		below float64
	}{{"log10", 0}, {Ln, -0.1}, {Ln, 1.1}, {Ln, math.NaN()}} {
		if _, err := NewLaw("x", dist.Exponential{Mean: 1}, c.of, c.below); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}
