package runtime

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// constant is a custom predictor that predicts the same for every job.
type constant float64

func (c constant) Predict(workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: float64(c)}, true
}

func (constant) Observe(workload.Job) {}

// A prediction must be a finite time of 0 or more.
func TestPredictionsThatAreNoTimes(t *testing.T) {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Run = 1, 0, 10
	for seconds, ok := range map[float64]bool{0: true, 5: true, -5: false, math.Inf(1): false, math.Inf(-1): false} {
		var last error
		for _, err := range Replay(workload.JobsOf([]workload.Job{j}), nil, Entry{Predictor: "mine", Own: constant(seconds)}) {
			last = err
		}
		want := fmt.Sprintf("mine predicts %g s for job 1, want a finite number of 0 or more", seconds)
		if ok != (last == nil) || !ok && !strings.Contains(last.Error(), want) {
			t.Errorf("%g s: error %v, want %q", seconds, last, want)
		}
	}
}
