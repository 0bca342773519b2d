package live

import (
	"reflect"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
)

// Predictors that can share a forest train only one.
func TestEngineTrainsOneForest(t *testing.T) {
	e, err := newEngine(&Options{Predictors: []string{predict.CombinedBound, predict.ConformalBound}, Quantiles: []float64{0.5, 0.95}, Confidence: 0.95})
	if err != nil {
		t.Fatal(err)
	}
	forests := map[uintptr]bool{}
	for _, p := range e.predictors {
		bounds := reflect.ValueOf(p).Elem().FieldByName("predictors")
		if bounds.Len() != 2 {
			t.Errorf("%s has %d bounds, want one a quantile", p.Name(), bounds.Len())
		}
		for i := range bounds.Len() {
			forests[reflect.Indirect(bounds.Index(i).Elem()).FieldByName("conformal").Pointer()] = true
		}
	}
	if len(forests) != 1 {
		t.Errorf("%d forests, want one", len(forests))
	}
}
