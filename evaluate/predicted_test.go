package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// readText reads predictions that stand in a text.
func readText(t testing.TB, of, text string) (*predictions.Table, error) {
	t.Helper()
	return predictions.Read("mine.csv", of, delimited.ReadTable("mine.csv", strings.NewReader(text), predictions.Columns()))
}

// Predictions of the other quantity are not scored.
func TestOtherPredictions(t *testing.T) {
	const text = "job_id,predicted_s\n1,2\n"
	_, runs := ScoreRunTimes(context.Background(), mustReadText(t, predictions.OfWaits, text), logOf(t, jobsOfTwo), RunTimesOptions{})
	_, waits := ScoreWaits(context.Background(), mustReadText(t, predictions.OfRunTimes, text), logOf(t, jobsOfTwo), WaitsOptions{})
	for want, err := range map[string]error{
		"mine.csv: saw predictions of waits, want predictions of run times": runs,
		"mine.csv: saw predictions of run times, want predictions of waits": waits,
	} {
		var fault *workload.InputError
		if !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func mustReadText(t *testing.T, of, text string) *predictions.Table {
	t.Helper()
	p, err := readText(t, of, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func logOf(t *testing.T, text string) *workload.Log {
	t.Helper()
	log, err := logfile.OpenReader("log.swf", strings.NewReader(text), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// jobsOfTwo ran 100, 200, 400 and 800 s, and waited 0, 10, 20 and 40 s.
const jobsOfTwo = `; UnixStartTime: 0
1 0    0  100 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
2 1000 10 200 1 -1 -1 1 -1 -1 1 2 1 -1 -1 -1 -1 -1
3 2000 20 400 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
4 3000 40 800 1 -1 -1 1 -1 -1 1 2 1 -1 -1 -1 -1 -1
`

// TestPredictionsOfRunTimes: the scores of predictions, by hand.
func TestPredictionsOfRunTimes(t *testing.T) {
	p := mustReadText(t, predictions.OfRunTimes, "job_id,predicted_s\n4,400\n1,100\n3,\n9,5\n2,-1\n")
	r, err := ScoreRunTimes(context.Background(), p, logOf(t, jobsOfTwo), RunTimesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Score("mine", "file")
	if s == nil || s.Jobs != 4 || s.Predicted != 3 || s.AccuracyMean != 0.5 || math.Abs(float64(s.AbsoluteErrorMean)-601.0/3) > 1e-12 || s.Bound != nil {
		t.Errorf("%+v, want accuracies 1/2, 1 and 0 and errors of 400, 0 and 201 s", s)
	}
	for _, want := range []string{"no-number 1 4 nothing", "negative 1 6 -1", "unknown-job 1 5 job 9"} {
		if !hasWarning(r.Warnings, want) {
			t.Errorf("no warning %q in %+v", want, r.Warnings)
		}
	}
}

// TestPredictionsThatAreNoNumbers: the warning has what stands in the file.
func TestPredictionsThatAreNoNumbers(t *testing.T) {
	for text, want := range map[string]string{"-inf": `"-inf"`, "inf": `"inf"`, "1e400": `"1e400"`, "NaN": `"NaN"`, "NA": `"NA"`, "": "nothing"} {
		p := mustReadText(t, predictions.OfRunTimes, "job_id,predicted_s\n1,5\n2,"+text+"\n3,\n")
		r, err := ScoreRunTimes(context.Background(), p, logOf(t, jobsOfTwo), RunTimesOptions{})
		if err != nil || r.Scores[0].Predicted != 1 || !hasWarning(r.Warnings, "no-number 2 3 "+want) {
			t.Errorf("%q: %+v, %v", text, r.Warnings, err)
		}
	}
}

// TestHugePredictions: a mean error of run times that has no value is reported, and is
// null. Means of waits do not overflow.
func TestHugePredictions(t *testing.T) {
	text, log := "job_id,predicted_s\n", ""
	for i := range 200 {
		text += fmt.Sprintf("%d,1.7e308\n", i+1)
		log += fmt.Sprintf("%d %d 5 100 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1\n", i+1, i)
	}
	runs, err := ScoreRunTimes(context.Background(), mustReadText(t, predictions.OfRunTimes, text), logOf(t, log), RunTimesOptions{})
	if err != nil || !hasWarning(runs.Warnings, "overflow 1 0 ") || runs.Scores[0].Predicted != 200 {
		t.Errorf("%+v, %v", runs, err)
	}
	if _, err := json.Marshal(runs); err != nil {
		t.Error(err)
	}
	waits, err := ScoreWaits(context.Background(), mustReadText(t, predictions.OfWaits, text), logOf(t, log), WaitsOptions{})
	if err != nil || math.Abs(float64(waits.Scores[0].AbsoluteErrorMean)/(1.7e308/60)-1) > 1e-12 {
		t.Errorf("%+v, %v", waits, err)
	}
}

func hasWarning(all []workload.Warning, want string) bool {
	for _, w := range all {
		if want == fmt.Sprintf("%s %d %d %s", w.Rule, w.Count, w.Line, w.Saw) {
			return true
		}
	}
	return false
}

// TestPredictionsOfQuantiles: a column quantile makes bounds. Of 0.9-quantiles 200,
// 100, 400 and 1000 s three hold; their losses are 0.1 100, 0.9 100, 0 and 0.1 200 s.
func TestPredictionsOfQuantiles(t *testing.T) {
	text := "predictor,job_id,quantile,predicted_s\n"
	for i, x := range []int{200, 100, 400, 1000} {
		text += fmt.Sprintf("a,%d,0.9,%d\na,%d,0.5,50\nb,%d,,70\n", i+1, x, i+1, i+1)
	}
	r, err := ScoreRunTimes(context.Background(), mustReadText(t, predictions.OfRunTimes, text), logOf(t, jobsOfTwo), RunTimesOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Scores) != 3 || r.Score("b", "file").Bound != nil || r.Score("a@0.5", "file").Bound.Coverage != 0 {
		t.Errorf("%+v", r.Scores)
	}
	if b := r.Score("a@0.9", "file").Bound; b.Quantile != 0.9 || b.Coverage != 0.75 || math.Abs(float64(b.QuantileLoss)-30) > 1e-12 || b.Mean != 425 {
		t.Errorf("%+v", b)
	}
}

// TestPredictionsOfWaits: points and bounds of the log's own waits. Of four jobs none
// trains.
func TestPredictionsOfWaits(t *testing.T) {
	text := "predictor,job_id,quantile,predicted_s\n"
	for i, x := range []int{0, 20, 20, 20} {
		text += fmt.Sprintf("point,%d,,%d\nbound,%d,0.75,%d\n", i+1, x, i+1, x)
	}
	r, err := ScoreWaits(context.Background(), mustReadText(t, predictions.OfWaits, text), logOf(t, jobsOfTwo), WaitsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, p := r.Score("bound"), r.Score("point")
	if !b.Bound || b.Coverage != 0.75 || math.Abs(float64(b.NonZeroCoverage)-2.0/3) > 1e-12 || r.Quantile != 0.75 {
		t.Errorf("%+v, want 3 of 4 covered, 2 of the 3 that waited", b)
	}
	// Accuracies 1, 1/2, 1 and 1/2; logarithms of (20, 10), (20, 20), (20, 40).
	if p.Bound || p.Coverage != 1 || p.AccuracyMean != 0.75 || p.LogPairs != 3 {
		t.Errorf("%+v", p)
	}
}

// TestPredictionsOfWaitsAtQuantiles: each bound has the loss of its own quantile. Of waits of
// 0, 10, 20 and 40 s bounds of 20 s lose half of 20, 10, 0 and 20 s at 0.5, and a quarter of
// 20 and 10 s and three quarters of 20 s at 0.75.
func TestPredictionsOfWaitsAtQuantiles(t *testing.T) {
	text := "predictor,job_id,quantile,predicted_s\n"
	for i := range 4 {
		text += fmt.Sprintf("a,%d,0.5,20\na,%d,0.75,20\n", i+1, i+1)
	}
	r, err := ScoreWaits(context.Background(), mustReadText(t, predictions.OfWaits, text), logOf(t, jobsOfTwo), WaitsOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"a@0.5": 25.0 / 4 / 60, "a@0.75": 22.5 / 4 / 60} {
		if got := float64(r.Score(name).QuantileLoss); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: a loss of %g min, want %g", name, got, want)
		}
	}
}

// TestPredictionsOfOtherJobs: predictions of jobs that the log does not have are an error.
func TestPredictionsOfOtherJobs(t *testing.T) {
	p := mustReadText(t, predictions.OfRunTimes, "job_id,predicted_s\n77,2\n")
	_, err := ScoreRunTimes(context.Background(), p, logOf(t, jobsOfTwo), RunTimesOptions{})
	if want := "mine.csv:2: job_id: saw job 77, and no job that log.swf has, want the numbers of its jobs"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestPredictionUnits: predictions in another unit than seconds are remarked on.
func TestPredictionUnits(t *testing.T) {
	for unit, want := range map[float64]string{1: "", 2: "", 60: "looks like minutes", 3600: "looks like hours", 86400: "looks like days", 0.001: "looks like milliseconds"} {
		text := "job_id,predicted_s\n"
		for i, x := range []float64{100, 300, 250, 1000} {
			text += fmt.Sprintf("%d,%g\n", i+1, x/unit)
		}
		r, err := ScoreRunTimes(context.Background(), mustReadText(t, predictions.OfRunTimes, text), logOf(t, jobsOfTwo), RunTimesOptions{})
		if err != nil {
			t.Fatal(err)
		}
		saw := ""
		for _, w := range r.Warnings {
			if w.Rule == "unit" {
				saw = w.Text
			}
		}
		if want == "" && saw != "" || !strings.Contains(saw, want) {
			t.Errorf("in units of %g s: %q, want %q", unit, saw, want)
		}
	}
}

// TestPredictionsScoreAgain: what a run predicted has that run's scores again, number
// by number, on a real log.
func TestPredictionsScoreAgain(t *testing.T) {
	path := reallogs.Path(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz")
	open := func() *workload.Log {
		log, err := logfile.Open(path, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { log.Close() })
		return log
	}
	ctx := context.Background()
	t.Run("run times", func(t *testing.T) {
		var csv bytes.Buffer
		csv.WriteString("job_id,classes,predictor,predicted_s,quantile\n")
		o := RunTimesOptions{Predictors: []string{"last2", "knn", "estimate", "quantile"}, Classes: []string{"user", "site"}, By: RunTimesParts(), Replicates: 39, Seed: 1}
		keep := o
		keep.Predicted = func(p RunTimePrediction) error {
			quantile := ""
			if p.Predictor == "quantile" {
				quantile = "0.95"
			}
			fmt.Fprintf(&csv, "%d,%s,%s,%v,%s\n", p.Job.ID, p.Classes, p.Predictor, p.Seconds, quantile)
			return nil
		}
		want, err := RunTimes(ctx, open(), keep)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ScoreRunTimes(ctx, mustReadText(t, predictions.OfRunTimes, csv.String()), open(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Scores) != len(want.Scores) {
			t.Fatalf("%d scores, want %d", len(got.Scores), len(want.Scores))
		}
		for _, s := range want.Scores {
			same(t, s.Label(), got.Score(s.Predictor, s.Classes), &s)
		}
		same(t, "best", got.Best, want.Best)
	})
	t.Run("waits", func(t *testing.T) {
		var csv bytes.Buffer
		csv.WriteString("job_id,waits,predictor,predicted_s,actual_s,quantile\n")
		o := WaitsOptions{Predictors: []string{"bmbp", "qbets", "conformal-point"}, By: WaitsParts(), Replicates: 39, Seed: 1}
		keep := o
		keep.Predicted = func(p WaitPrediction) error {
			quantile := ""
			if !math.IsNaN(p.Quantile) {
				quantile = fmt.Sprint(p.Quantile)
			}
			fmt.Fprintf(&csv, "%d,%s,%s,%v,%v,%s\n", p.Request.ID, p.Waits, p.Predictor, p.Seconds, p.Actual, quantile)
			return nil
		}
		want, err := Waits(ctx, open(), keep)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ScoreWaits(ctx, mustReadText(t, predictions.OfWaits, csv.String()), open(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Scores) != len(want.Scores) {
			t.Fatalf("%d scores, want %d", len(got.Scores), len(want.Scores))
		}
		for _, s := range want.Scores {
			same(t, s.Predictor, got.Score(s.Predictor), &s)
		}
	})
}

// same compares two results by their JSON.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s:\ngot  %.600s\nwant %.600s", what, a, b)
	}
}

// FuzzPredictions: no table of predictions makes a score panic.
func FuzzPredictions(f *testing.F) {
	f.Add("job_id,predicted_s\n1,100\n3,\n9,5\n2,-1\n")
	f.Add("predictor,job_id,quantile,predicted_s,waits,actual_s\na,1,.5,7,x,3\nb,2,,NA,log,\n")
	f.Fuzz(func(t *testing.T, text string) {
		log := func() *workload.Log {
			l, err := logfile.OpenReader("log.swf", strings.NewReader(jobsOfTwo), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		if p, err := readText(t, predictions.OfRunTimes, text); err == nil {
			ScoreRunTimes(context.Background(), p, log(), RunTimesOptions{Replicates: 39})
		}
		if p, err := readText(t, predictions.OfWaits, text); err == nil {
			ScoreWaits(context.Background(), p, log(), WaitsOptions{Replicates: 39, By: WaitsParts()})
		}
	})
}
