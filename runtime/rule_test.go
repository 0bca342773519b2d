package runtime

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
)

// after gives a predictor's answer after some run times of one class.
func answerAfter(t testing.TB, name string, runs ...float64) (workload.Prediction, bool) {
	t.Helper()
	p, err := New(name, Classes{Name: "all"})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		j := workload.UnknownJob()
		j.Run = run
		p.Observe(j)
	}
	return p.Predict(workload.UnknownJob().Request)
}

// The expected values are worked out by hand from the rules' definitions.
func TestRules(t *testing.T) {
	runs := []float64{10, 30, 20, 100, 40, 0, 7}
	tests := []struct {
		name string
		n    int // how many of runs are observed
		want workload.Prediction
	}{
		{"es", 1, workload.Prediction{Seconds: 10, Observations: 1}},
		{"es", 2, workload.Prediction{Seconds: 20, Observations: 2}},
		{"es", 4, workload.Prediction{Seconds: 60, Observations: 4}}, // 10 20 20 60
		{"es(alpha=1)", 4, workload.Prediction{Seconds: 100, Observations: 4}},
		{"es(alpha=0.25)", 2, workload.Prediction{Seconds: 15, Observations: 2}},
		{"rm", 1, workload.Prediction{Seconds: 10, Observations: 1}},
		{"rm", 5, workload.Prediction{Seconds: 40, Observations: 5}},
		{"sm", 1, workload.Prediction{Seconds: 10, Observations: 1}},
		{"sm", 2, workload.Prediction{Seconds: 20, Observations: 2}},
		{"sm", 3, workload.Prediction{Seconds: 20, Observations: 3}},
		{"sm", 4, workload.Prediction{Seconds: 25, Observations: 4}},
		{"sm", 5, workload.Prediction{Seconds: 30, Observations: 5}},
		{"sm", 6, workload.Prediction{Seconds: 30, Observations: 5}}, // 30 20 100 40 0
		{"sm", 7, workload.Prediction{Seconds: 20, Observations: 5}}, // 20 100 40 0 7
		{"sm(window=3)", 7, workload.Prediction{Seconds: 7, Observations: 3}},
		{"last", 1, workload.Prediction{Seconds: 10, Observations: 1}},
		{"last", 6, workload.Prediction{Seconds: 0, Observations: 1}},
		{"last2", 1, workload.Prediction{Seconds: 10, Observations: 1}},
		{"last2", 2, workload.Prediction{Seconds: 20, Observations: 2}},
		{"last2", 7, workload.Prediction{Seconds: 3.5, Observations: 2}},
	}
	for _, tt := range tests {
		got, ok := answerAfter(t, tt.name, runs[:tt.n]...)
		if !ok || got != tt.want {
			t.Errorf("%s after %v: got %v, %v, want %v", tt.name, runs[:tt.n], got, ok, tt.want)
		}
	}
}

// TestRulesByDefinition compares each rule, which keeps a few numbers, with
// its definition on the whole history.
func TestRulesByDefinition(t *testing.T) {
	definitions := map[string]func(runs []float64) (float64, int){
		"es": func(runs []float64) (float64, int) {
			// Unrolled: the weights halve going back, and the first run time
			// has what is left.
			sum, weight := 0.0, 0.5
			for _, run := range slices.Backward(runs[1:]) {
				sum += weight * run
				weight /= 2
			}
			return sum + 2*weight*runs[0], len(runs)
		},
		"rm": func(runs []float64) (float64, int) {
			sum := 0.0
			for _, run := range runs {
				sum += run
			}
			return sum / float64(len(runs)), len(runs)
		},
		"sm": func(runs []float64) (float64, int) {
			lately := slices.Sorted(slices.Values(runs[max(0, len(runs)-5):]))
			n := len(lately)
			return (lately[(n-1)/2] + lately[n/2]) / 2, n
		},
		"last": func(runs []float64) (float64, int) { return runs[len(runs)-1], 1 },
		"last2": func(runs []float64) (float64, int) {
			if len(runs) == 1 {
				return runs[0], 1
			}
			return (runs[len(runs)-2] + runs[len(runs)-1]) / 2, 2
		},
	}
	for _, name := range PaperPredictorNames() { // the others: TestDefinitions
		t.Run(name, func(t *testing.T) {
			definition, ok := definitions[name]
			if !ok {
				t.Fatal("no definition to compare with")
			}
			rapid.Check(t, func(rt *rapid.T) {
				runs := rapid.SliceOfN(rapid.Float64Range(0, 1e6), 1, 60).Draw(rt, "runs")
				want, n := definition(runs)
				got, ok := answerAfter(t, name, runs...)
				if !ok || got.Observations != n || math.Abs(got.Seconds-want) > 1e-12*(1e6+want) {
					rt.Fatalf("got %v, %v, want %g from %d", got, ok, want, n)
				}
			})
		})
	}
}
