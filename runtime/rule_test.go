package runtime

import (
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// answerAfter returns a predictor's answer after some run times of one class.
func answerAfter(t testing.TB, name string, runs ...float64) (workload.Prediction, bool) {
	t.Helper()
	p, err := New(name, Classes{Name: "all"})
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		j := workload.UnknownJob()
		j.Run = run
		p.Observe(&j)
	}
	asked := workload.UnknownJob()
	return p.Predict(&asked.Request)
}

// The expected values are worked out by hand from the rules' definitions.
func TestRules(t *testing.T) {
	runs := []float64{10, 30, 20, 100, 40, 0, 7}
	tests := []struct {
		name string
		n    int // number of runs observed
		want float64
		from int
	}{
		{"es", 4, 60, 4}, // 10 20 20 60
		{"es(alpha=0.25)", 2, 15, 2},
		{"rm", 5, 40, 5},
		{"sm", 4, 25, 4},
		{"sm", 6, 30, 5}, // 30 20 100 40 0
		{"sm", 7, 20, 5}, // 20 100 40 0 7
		{"sm(window=3)", 7, 7, 3},
		{"last", 6, 0, 1},
		{"last2", 7, 3.5, 2},
	}
	for _, tt := range tests {
		got, ok := answerAfter(t, tt.name, runs[:tt.n]...)
		if want := (workload.Prediction{Seconds: tt.want, Observations: tt.from}); !ok || got != want {
			t.Errorf("%s after %v: got %v, %v, want %v", tt.name, runs[:tt.n], got, ok, want)
		}
	}
}
