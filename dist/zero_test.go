package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// A law that Validate refuses, such as the zero value of each type, does not panic.
func TestZeroLawsDoNotPanic(t *testing.T) {
	for _, c := range battery {
		law := reflect.Zero(reflect.TypeOf(c.law)).Interface().(Law)
		t.Run(fmt.Sprintf("%T", law), func(t *testing.T) {
			if err := Validate(law); err == nil {
				t.Errorf("%v is valid", law)
			}
			for _, x := range []float64{0, 0.3, 1, 7, math.Inf(1), math.NaN()} {
				law.LogPDF(x)
				LogDensity(law)(x)
				law.CDF(x)
				law.Survival(x)
				law.Quantile(x)
				InverseSurvival(law, x)
			}
			law.Rand(rand.New(rand.NewPCG(1, 1)))
			Mean(law)
			SurvivalGiven(law, 1, 1)
			FamilyOf(law)
			Parameters(law)
			Marshal(law)
		})
	}
	if x := (Ln{}).CDF(1); !math.IsNaN(x) {
		t.Errorf("Ln without a law of the logarithm: CDF %g, want NaN", x)
	}
}
