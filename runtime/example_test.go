package runtime_test

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// longest predicts that a job runs as long as its user's longest job so far.
type longest map[int64]workload.Prediction

func (l longest) Predict(r *workload.Request) (workload.Prediction, bool) {
	p, ok := l[r.User]
	return p, ok
}

func (l longest) Observe(j *workload.Job) {
	p := l[j.User]
	l[j.User] = workload.Prediction{Seconds: max(p.Seconds, j.Run), Observations: p.Observations + 1}
}

// A predictor written elsewhere, with two methods, runs together with those of the package in the
// same fair replay.
func Example() {
	log := func(yield func(workload.Job, error) bool) {
		for i, run := range []float64{600, 60, 90, 60} {
			j := workload.UnknownJob()
			j.ID, j.Row = int64(i+1), int64(i)
			j.Submit, j.Wait, j.Run, j.User = float64(3600*i), 0, run, 7
			if !yield(j, nil) {
				return
			}
		}
	}
	user, err := runtime.ClassesByName("user")
	if err != nil {
		fmt.Println(err)
		return
	}
	entries := []runtime.Entry{
		{Predictor: "last2", Classes: user},
		{Predictor: "longest", Classes: user, Own: longest{}},
	}
	for row, err := range runtime.Replay(log, nil, entries...) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("job %d ran %g s:", row.Job.ID, row.Job.Run)
		for i, p := range row.Predictions {
			if math.IsNaN(p.Seconds) {
				fmt.Printf(" %s says nothing", entries[i].Predictor)
				continue
			}
			fmt.Printf(" %s %g s", entries[i].Predictor, p.Seconds)
		}
		fmt.Println()
	}
	// Output:
	// job 1 ran 600 s: last2 says nothing longest says nothing
	// job 2 ran 60 s: last2 600 s longest 600 s
	// job 3 ran 90 s: last2 330 s longest 600 s
	// job 4 ran 60 s: last2 75 s longest 600 s
}
