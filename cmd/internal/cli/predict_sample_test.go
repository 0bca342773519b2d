package cli

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
)

// With --sample all predictors are scored on the same jobs, in one table, beside
// the bounds on all; simulated schedules are of the sample alone.
func TestPredictSample(t *testing.T) {
	log := predictLog(t)
	var r evaluate.WaitsResult
	decode(t, &r, "predict", log, "--sample", "50", "--policy", "fcfs")
	if len(r.Scores) != 5 || r.Arrivals == nil || len(r.Arrivals.Scores) != 9 || r.Arrivals.Draws != 100 || r.Arrivals.Policy != "fcfs" || *r.Arrivals.Processors != 10 {
		t.Fatalf("%+v, %+v", r.Scores, r.Arrivals)
	}
	for _, s := range r.Arrivals.Scores {
		if s.Jobs != 50 || s.Predicted == 0 {
			t.Errorf("%+v", s)
		}
	}
	got := loadstone(t, "", "predict", log, "-q", "--sample", "50")
	for _, want := range []string{"50 of 360 jobs, each at its submission, on the log's own waits; schedules under easy on 10 processors", "pinball loss", "downey-b-queue"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	csv := loadstone(t, "", "predict", log, "-q", "--sample", "50", "--format", "csv").out
	if rows := lines(csv); len(rows) != 1+5+9 || !strings.HasPrefix(rows[6], "bmbp,log-sample,50,") || !strings.HasSuffix(rows[0], ",absolute_error_median_min") {
		t.Errorf("%s", csv)
	}
	alone := loadstone(t, "", "predict", log, "-q", "--sample", "50", "--predictors", "drawn", "--require", "coverage(drawn)>=1")
	if alone.code != exitThreshold || !strings.HasPrefix(alone.out, "50 of 360 jobs") || !strings.Contains(alone.err, "--require 'coverage(drawn)>=1': it is ") {
		t.Errorf("%+v", alone)
	}
}
