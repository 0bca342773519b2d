package predict

import (
	"errors"
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// What cannot be used in NewBound is an option's fault, for each predictor.
func TestNewBoundRefuses(t *testing.T) {
	refused := func(name string, quantile, confidence float64, option string) {
		var fault *workload.OptionError
		if _, err := NewBound(name, quantile, confidence, BoundOptions{}); !errors.As(err, &fault) || fault.Option != option {
			t.Errorf("%s with %g and %g: error %v, want one of %s", name, quantile, confidence, err, option)
		}
	}
	refused("bogus", 0.95, 0.95, "predictors")
	for _, m := range BoundMethods() {
		if m.Point {
			continue
		}
		refused(m.Name, 95, 0.95, "quantile")
		refused(m.Name, 0.95, math.NaN(), "confidence")
	}
}
