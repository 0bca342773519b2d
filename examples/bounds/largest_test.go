package bounds_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/loadstone-examples/bounds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// open opens a log of 200 jobs, one an hour, of which every fifth waits for 15 minutes
// and the others for one.
func open() *workload.Log {
	var text strings.Builder
	for i := range 200 {
		wait := 60
		if i%5 == 0 {
			wait = 900
		}
		fmt.Fprintf(&text, "%d %d %d 100 1 -1 -1 1 400 -1 1 7 -1 -1 -1 1 -1 -1\n", i+1, 3600*i, wait)
	}
	l, err := logfile.OpenReader("log.swf", strings.NewReader(text.String()), workload.Options{})
	if err != nil {
		panic(err)
	}
	return l
}

// The method is found by its name, in a list to which it has been added with two values
// of its parameter.
func ExampleLargestOf() {
	r, err := evaluate.Waits(context.Background(), open(), evaluate.WaitsOptions{
		Predictors: []string{"largest3", "largest9"}, Quantile: 0.75,
		Bounds: append(predict.BoundMethods(), bounds.LargestOf(3), bounds.LargestOf(9)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Scores {
		fmt.Printf("%s: covers %.3f of the waits of %d jobs, accuracy %.3f\n", s.Predictor, s.Coverage, s.Predicted, s.AccuracyMean)
	}
	// The first twenty jobs train, and 180 are scored. The three waits before a long one
	// are short, and so are those before the last short one: one bound of five is too
	// short, one is right, and three are 15 times as long. The largest of nine is long: one
	// bound of five is right and four are 15 times as long. Accuracy is the shorter time
	// over the longer: (1 + 4/15) / 5 for both.

	// Output:
	// largest3: covers 0.800 of the waits of 180 jobs, accuracy 0.253
	// largest9: covers 1.000 of the waits of 180 jobs, accuracy 0.253
}

// What is wrong with a parameter or a prediction is an error with the name.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		method predict.BoundMethod
		want   string
	}{
		{bounds.LargestOf(9), "largest9: quantile 0.95, want at most 0.9"},
		{predict.BoundMethod{Name: "never", New: newNever}, "never predicts NaN s for job 1, want a number, or no bound"},
	} {
		_, err := evaluate.Waits(context.Background(), open(), evaluate.WaitsOptions{
			Predictors: []string{c.method.Name}, Bounds: []predict.BoundMethod{c.method},
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// never bounds waits by no number.
type never struct{}

func newNever(_, _ float64, _ predict.BoundOptions) (predict.BoundPredictor, error) {
	return never{}, nil
}
func (never) Name() string                        { return "never" }
func (never) Observe(workload.Job, predict.Bound) {}
func (never) Predict(workload.Request) (predict.Bound, bool) {
	return predict.Bound{Seconds: math.NaN()}, true
}
