package evaluate_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// longestRun predicts the longest run time so far.
type longestRun struct{ workload.Prediction }

func (p *longestRun) Predict(workload.Request) (workload.Prediction, bool) {
	return p.Prediction, p.Seconds > 0
}

func (p *longestRun) Observe(j workload.Job) { p.Seconds = max(p.Seconds, j.Run) }

// lastWait bounds a wait by the one before.
type lastWait struct{ predict.Bound }

func (b *lastWait) Name() string { return "last-wait" }

func (b *lastWait) Predict(workload.Request) (predict.Bound, bool) { return b.Bound, b.Seconds > 0 }

func (b *lastWait) Observe(j workload.Job, _ predict.Bound) { b.Seconds = j.Wait }

// A predictor of run times and a bound of waits of one's own, both scored on one log:
// 200 jobs, one an hour, that run 100 s and 200 s and wait 60 s and 900 s in turn.
func Example() {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "%d %d %d %d 1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1\n", i+1, 3600*i, 60+840*(i%2), 100+100*(i%2))
	}
	open := func() *workload.Log {
		l, err := logfile.OpenReader("log.swf", strings.NewReader(text.String()), workload.Options{})
		if err != nil {
			panic(err)
		}
		return l
	}
	runs, err := evaluate.RunTimes(context.Background(), open(), evaluate.RunTimesOptions{
		Predictors: []string{"last"}, Classes: []string{"user"},
		Own: []runtime.Entry{{Predictor: "longest", Own: &longestRun{}}},
	})
	if err != nil {
		panic(err)
	}
	for _, s := range runs.Scores {
		fmt.Printf("%s: accuracy %.3f of %d predictions\n", s.Predictor, s.AccuracyMean, s.Predicted)
	}
	waits, err := evaluate.Waits(context.Background(), open(), evaluate.WaitsOptions{
		Predictors: []string{"bmbp"}, Own: []predict.BoundPredictor{&lastWait{predict.NoBound()}},
	})
	if err != nil {
		panic(err)
	}
	for _, s := range waits.Scores {
		fmt.Printf("%s: covers %.2f of the waits of %d jobs\n", s.Predictor, s.Coverage, s.Predicted)
	}
	// The run time before is half or twice a run time. The longest so far is twice a
	// run time of the odd jobs from the third on, half of the second's, and that of
	// the others: (99/2 + 1/2 + 99) / 199. The first twenty jobs train bounds; BMBP wants 59
	// waits, since 0.95^59 < 5 % < 0.95^58. The wait before covers every other wait.

	// Output:
	// last: accuracy 0.500 of 199 predictions
	// longest: accuracy 0.749 of 199 predictions
	// bmbp: covers 1.00 of the waits of 141 jobs
	// last-wait: covers 0.50 of the waits of 180 jobs
}
