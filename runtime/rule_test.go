package runtime

import (
	"errors"
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
		n    int // how many of runs are observed
		want float64
		from int
	}{
		{"es", 1, 10, 1},
		{"es", 2, 20, 2},
		{"es", 4, 60, 4}, // 10 20 20 60
		{"es(alpha=1)", 4, 100, 4},
		{"es(alpha=0.25)", 2, 15, 2},
		{"rm", 1, 10, 1},
		{"rm", 5, 40, 5},
		{"sm", 1, 10, 1},
		{"sm", 2, 20, 2},
		{"sm", 3, 20, 3},
		{"sm", 4, 25, 4},
		{"sm", 5, 30, 5},
		{"sm", 6, 30, 5}, // 30 20 100 40 0
		{"sm", 7, 20, 5}, // 20 100 40 0 7
		{"sm(window=3)", 7, 7, 3},
		{"last", 1, 10, 1},
		{"last", 6, 0, 1},
		{"last2", 1, 10, 1},
		{"last2", 2, 20, 2},
		{"last2", 7, 3.5, 2},
	}
	for _, tt := range tests {
		got, ok := answerAfter(t, tt.name, runs[:tt.n]...)
		if want := (workload.Prediction{Seconds: tt.want, Observations: tt.from}); !ok || got != want {
			t.Errorf("%s after %v: got %v, %v, want %v", tt.name, runs[:tt.n], got, ok, want)
		}
	}
}

// failed is a predictor that cannot go on once a job has ended.
type failed struct{ err error }

func (*failed) Predict(*workload.Request) (p workload.Prediction, ok bool) { return p, false }
func (f *failed) Observe(*workload.Job)                                    { f.err = errGone }
func (f *failed) Err() error                                               { return f.err }

var errGone = errors.New("it is gone")

// A predictor that cannot go on ends the replay.
func TestPredictorThatFails(t *testing.T) {
	var jobs []workload.Job
	for i := range 3 {
		j := workload.UnknownJob()
		j.ID, j.Submit, j.Run = int64(i+1), float64(20*i), 10
		jobs = append(jobs, j)
	}
	rows := 0
	var last error
	for _, err := range Replay(workload.JobsOf(jobs), nil, Entry{Predictor: "failed", Own: new(failed)}) {
		rows, last = rows+1, err
	}
	if !errors.Is(last, errGone) || rows != 2 {
		t.Errorf("%d rows, the last with the error %v, want %v in the second", rows, last, errGone)
	}
}
