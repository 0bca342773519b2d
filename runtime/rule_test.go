package runtime

import (
	"testing"

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
