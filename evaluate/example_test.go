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

const log = `; MaxProcs: 4
1 0    0 100 1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1
2 200  0 50  1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1
3 260  0 200 1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1
4 500  0 100 1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1
`

// half predicts half of the requested time.
type half struct{}

func (half) Predict(r *workload.Request) (workload.Prediction, bool) {
	return workload.Prediction{Seconds: r.Time / 2}, true
}

func (half) Observe(*workload.Job) {}

// A custom predictor is scored together with the package's.
func ExampleRunTimes() {
	l, err := logfile.OpenReader("log.swf", strings.NewReader(log), workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	user, err := runtime.ClassesByName("user")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := evaluate.RunTimes(context.Background(), l, evaluate.RunTimesOptions{
		Predictors: []string{"last", "last2"}, Classes: []string{"user"},
		Own: []runtime.Entry{{Predictor: "half", Classes: user, Own: half{}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Scores {
		fmt.Printf("%-5s predicted %d of %d jobs with accuracy %.3f\n", s.Predictor, s.Predicted, s.Jobs, s.AccuracyMean)
	}
	// Half is 200 s: accuracies 1/2, 1/4, 1, 1/2. Last says 100, 50 and 200 s for
	// 50, 200 and 100 s; last2 says 100, 75 and 125 s.

	// Output:
	// last  predicted 3 of 4 jobs with accuracy 0.417
	// last2 predicted 3 of 4 jobs with accuracy 0.558
	// half  predicted 4 of 4 jobs with accuracy 0.562
}

// tenMinutes bounds every wait by ten minutes.
type tenMinutes struct{}

func newTenMinutes(quantile, confidence float64, _ predict.BoundOptions) (predict.BoundPredictor, error) {
	return tenMinutes{}, nil
}

func (tenMinutes) Name() string { return "ten-minutes" }

func (tenMinutes) Predict(workload.Request) (predict.Bound, bool) {
	b := predict.NoBound()
	b.Seconds = 600
	return b, true
}

func (tenMinutes) Observe(workload.Job, predict.Bound) {}

// A custom bound is scored together with the package's, on the log's own waits.
func ExampleWaits() {
	var text strings.Builder
	for i := range 200 { // every other job waits for 15 minutes, the others for one
		fmt.Fprintf(&text, "%d %d %d 100 1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1\n", i+1, 3600*i, 60+840*(i%2))
	}
	l, err := logfile.OpenReader("log.swf", strings.NewReader(text.String()), workload.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	r, err := evaluate.Waits(context.Background(), l, evaluate.WaitsOptions{
		Predictors: []string{"bmbp", "ten-minutes"}, Quantile: 0.9,
		Bounds: append(predict.BoundMethods(), predict.BoundMethod{Name: "ten-minutes", New: newTenMinutes}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Scores {
		fmt.Printf("%-11s covered %.2f of the waits of %d jobs, %.1f times as long in the median\n", s.Predictor, s.Coverage, s.Predicted, s.TightnessMedian)
	}
	// The first twenty jobs are for training. BMBP needs 29 waits for the 90 % quantile with 95 %
	// confidence, since 0.9^29 < 5 % < 0.9^28, and bounds 171 jobs: 15 minutes cover all waits,
	// and are 15 times as long as 85 of them and equal to 86. Ten minutes cover half of them, and
	// are 10 and 2/3 times as long.

	// Output:
	// bmbp        covered 1.00 of the waits of 171 jobs, 1.0 times as long in the median
	// ten-minutes covered 0.50 of the waits of 180 jobs, 5.3 times as long in the median
}
