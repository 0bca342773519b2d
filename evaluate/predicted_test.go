package evaluate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// readText reads predictions from a text.
func readText(t testing.TB, of, text string) (*predictions.Table, error) {
	t.Helper()
	return predictions.Read("mine.csv", of, delimited.ReadTable("mine.csv", strings.NewReader(text), predictions.Columns()))
}

func mustReadText(t *testing.T, of, text string) *predictions.Table {
	t.Helper()
	return jobtest.Must(readText(t, of, text))
}

// jobsOfTwo is a log whose jobs ran 100, 200, 400 and 800 s, and waited 0, 10, 20 and 40 s.
const jobsOfTwo = `; UnixStartTime: 0
1 0    0  100 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
2 1000 10 200 1 -1 -1 1 -1 -1 1 2 1 -1 -1 -1 -1 -1
3 2000 20 400 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
4 3000 40 800 1 -1 -1 1 -1 -1 1 2 1 -1 -1 -1 -1 -1
`

// TestPredictionsScoreAgain scores the predictions written by a run, and gets exactly that run's
// scores, on a real log.
func TestPredictionsScoreAgain(t *testing.T) {
	t.Parallel()
	path := reallogs.First(t, "swf/KTH-SP2-1996-2.1-cln.swf.gz", longtest.Size(8000, 0))
	open := func() *workload.Log { return jobtest.Must(logfile.Open(path, workload.Options{})) }
	ctx := context.Background()
	t.Run("run times", func(t *testing.T) {
		var csv bytes.Buffer
		csv.WriteString("job_id,classes,predictor,predicted_s,quantile\n")
		o := RunTimesOptions{Predictors: []string{"last2", "knn", "estimate", "quantile"}, Classes: []string{"user", "site"}, Scoring: Scoring{By: RunTimesParts(), Replicates: 39, Seed: 1}}
		keep := o
		keep.Predicted = func(p RunTimePrediction) error {
			quantile := ""
			if p.Predictor == "quantile" {
				quantile = "0.95"
			}
			fmt.Fprintf(&csv, "%d,%s,%s,%v,%s\n", p.Job.ID, p.Classes, p.Predictor, p.Seconds, quantile)
			return nil
		}
		want := jobtest.Must(RunTimes(ctx, open(), keep))
		got := jobtest.Must(ScoreRunTimes(ctx, mustReadText(t, predictions.OfRunTimes, csv.String()), open(), o))
		for _, s := range want.Scores {
			same(t, s.Label(), got.Score(s.Predictor, s.Classes), &s)
		}
		same(t, "best", got.Best, want.Best)
	})
	t.Run("waits", func(t *testing.T) {
		var csv bytes.Buffer
		csv.WriteString("job_id,waits,predictor,predicted_s,actual_s,quantile\n")
		o := WaitsOptions{Predictors: []string{"bmbp", "qbets", "conformal-point"}, Scoring: Scoring{By: WaitsParts(), Replicates: 39, Seed: 1}}
		keep := o
		keep.Predicted = func(p WaitPrediction) error {
			quantile := ""
			if !math.IsNaN(p.Quantile) {
				quantile = fmt.Sprint(p.Quantile)
			}
			fmt.Fprintf(&csv, "%d,%s,%s,%v,%v,%s\n", p.Request.ID, p.Waits, p.Predictor, p.Seconds, p.Actual, quantile)
			return nil
		}
		want := jobtest.Must(Waits(ctx, open(), keep))
		got := jobtest.Must(ScoreWaits(ctx, mustReadText(t, predictions.OfWaits, csv.String()), open(), o))
		same(t, "scores", got.Scores, want.Scores)
	})
}

// same compares two results by their JSON.
func same(t *testing.T, what string, got, want any) {
	t.Helper()
	a := jobtest.Must(json.Marshal(got))
	b := jobtest.Must(json.Marshal(want))
	if !bytes.Equal(a, b) {
		t.Errorf("%s:\ngot  %.600s\nwant %.600s", what, a, b)
	}
}

// FuzzPredictions checks that no table of predictions makes scoring panic.
func FuzzPredictions(f *testing.F) {
	f.Add("job_id,predicted_s\n1,100\n3,\n9,5\n2,-1\n")
	f.Add("predictor,job_id,quantile,predicted_s,waits,actual_s\na,1,.5,7,x,3\nb,2,,NA,log,\n")
	f.Fuzz(func(t *testing.T, text string) {
		log := func() *workload.Log {
			return jobtest.Must(logfile.OpenReader("log.swf", strings.NewReader(jobsOfTwo), workload.Options{}))
		}
		if p, err := readText(t, predictions.OfRunTimes, text); err == nil {
			ScoreRunTimes(context.Background(), p, log(), RunTimesOptions{Scoring: Scoring{Replicates: 39}})
		}
		if p, err := readText(t, predictions.OfWaits, text); err == nil {
			ScoreWaits(context.Background(), p, log(), WaitsOptions{Scoring: Scoring{Replicates: 39, By: WaitsParts()}})
		}
	})
}
