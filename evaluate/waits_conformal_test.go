package evaluate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitingLog is n jobs that wait longer the more of them were submitted lately.
func waitingLog(n int) []workload.Job {
	r := rand.New(rand.NewPCG(2, 2))
	var jobs []workload.Job
	now, queue := 0.0, 0.0
	for i := range n {
		gap := r.ExpFloat64() * 300 * (1 + math.Sin(float64(i)/100))
		now, queue = now+math.Floor(gap), max(0, queue-gap)+r.ExpFloat64()*280
		j := workload.UnknownJob()
		j.ID, j.Row, j.Submit, j.User, j.Processors, j.Size = int64(i+1), int64(i), now, int64(i%7), 1, 1
		j.Wait, j.Run, j.Time = math.Floor(queue), math.Floor(r.ExpFloat64()*600), 900
		if i%50 == 49 {
			j.Wait, j.Run = math.NaN(), math.NaN()
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// predictedBy returns the predictions of the jobs, by ID.
func predictedBy(t *testing.T, jobs []workload.Job, o WaitsOptions) map[string]string {
	t.Helper()
	of := map[string]string{}
	o.Predictors = []string{predict.ConformalBound, predict.ConformalPoint}
	o.Predicted = func(p WaitPrediction) error {
		of[fmt.Sprint(p.Request.ID, p.Predictor)] = fmt.Sprint(p.Bound)
		return nil
	}
	log := workload.LogOf("made up", workload.Header{}, jobs)
	if _, err := Waits(context.Background(), log, o); err != nil {
		t.Fatal(err)
	}
	return of
}

// A run that is saved and goes on with the rest of the log predicts as one run does,
// also where it is saved twice.
func TestConformalGoesOn(t *testing.T) {
	jobs := waitingLog(3000)
	want := predictedBy(t, jobs, WaitsOptions{})
	var first, second bytes.Buffer
	predictedBy(t, jobs[:1000], WaitsOptions{Save: &first})
	predictedBy(t, jobs[1000:1700], WaitsOptions{Load: &first, Save: &second})
	got := predictedBy(t, jobs[1700:], WaitsOptions{Load: &second})
	if len(got) != 2*(1300-26) { // all but those of unknown wait: a loaded state has been trained
		t.Errorf("%d predictions", len(got))
	}
	for of, bound := range got {
		if want[of] != bound {
			t.Fatalf("%s: %s, want %s", of, bound, want[of])
		}
	}
}

func TestConformalOptionFaults(t *testing.T) {
	for want, o := range map[string]WaitsOptions{
		"calibration: together with a ": {Load: strings.NewReader(""), Calibration: true, Predictors: []string{"conformal"}},
		`features: "wait"`:              {Features: []string{"wait"}},
		`features: "user_id" twice`:     {Features: []string{"user_id", "user_id"}},
		"save: without conformal":       {Save: io.Discard},
		"load: together with downey-a":  {Load: strings.NewReader("")},
		"features: together with a sta": {Load: strings.NewReader(""), Features: []string{"memory"}, Predictors: []string{"conformal"}},
	} {
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Why conformal has no bound is not a matter of groups alone.
func TestConformalBeforeItLearns(t *testing.T) {
	log := workload.LogOf("made up", workload.Header{}, waitingLog(50))
	r, err := Waits(context.Background(), log, WaitsOptions{Predictors: []string{"conformal"}})
	if err != nil {
		t.Fatal(err)
	}
	const want = "conformal predicted nothing: it learns once 200 waits are known, and answers as bmbp until then, which had too few waits as well"
	if n := len(r.Warnings); n == 0 || r.Warnings[n-1].Text != want {
		t.Errorf("%v, want %s", r.Warnings, want)
	}
}
