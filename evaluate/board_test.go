package evaluate

import (
	"context"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestRunTimesBoard: the board has each log's own scores, whatever the order in which
// they come, and the error of the first log that has one.
func TestRunTimesBoard(t *testing.T) {
	logs := map[string]string{"x": jobsOfTwo, "y": strings.ReplaceAll(jobsOfTwo, " 400 1 ", " 300 1 "), "none": "; UnixStartTime: 0\n"}
	one := func(ctx context.Context, name string, o RunTimesOptions) (*RunTimesResult, error) {
		log, err := logfile.OpenReader(name, strings.NewReader(logs[name]), workload.Options{})
		if err != nil {
			return nil, err
		}
		return RunTimes(ctx, log, o)
	}
	o := RunTimesOptions{Predictors: []string{"last", "rm"}, Classes: []string{"user", "all"}, Scoring: Scoring{Replicates: 39, Seed: 1}}
	b, err := RunTimesBoard(context.Background(), []string{"x", "y"}, o, one)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Predictors) != 4 || len(b.Logs) != 2 || b.Logs[1].Name != "y" || b.Logs[0].Jobs != 4 || b.Logs[0].Common != 2 {
		t.Fatalf("%+v", b)
	}
	for k, name := range []string{"x", "y"} {
		r, err := one(context.Background(), name, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range b.Predictors {
			if s := r.Score(p.Predictor, p.Classes); p.Logs[k].Score != s.AccuracyCommon || p.Logs[k].Coverage != s.Coverage {
				t.Errorf("%s,%s on %s: %+v, want %+v", p.Predictor, p.Classes, name, p.Logs[k], s)
			}
		}
	}
	if _, err := RunTimesBoard(context.Background(), []string{"x", "none"}, o, one); err == nil || !strings.Contains(err.Error(), "none: no job has a run time") {
		t.Error(err)
	}
}
