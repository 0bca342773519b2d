package cli

import (
	"encoding/csv"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
)

// TestPredictPredictions: a row a job and predictor, with what was asked of
// bounds and what they achieve.
func TestPredictPredictions(t *testing.T) {
	log, dir := predictLog(t), t.TempDir()
	path := filepath.Join(dir, "p.csv")
	got := loadstone(t, "", "predict", log, "-q", "--predictors", "downey-b,simulated-corrected,estimates,bmbp,chebyshev", "--predictions", path)
	if got.code != exitDone {
		t.Fatal(got.err)
	}
	rows, err := csv.NewReader(strings.NewReader(mustRead(t, path))).ReadAll()
	if err != nil || strings.Join(rows[0], " ") != "job_id waits predictor group predicted_s actual_s history_n quantile confidence confidence_achieved" {
		t.Fatalf("%q, %v", rows[0], err)
	}
	count := map[string]int{}
	for _, row := range rows[1:] {
		count[row[1]+" "+row[2]]++
		bound := row[2] == "bmbp" || row[2] == "chebyshev"
		if bound != (row[3] == "1-4" || row[3] == "5-16") || bound != (row[7] == "0.95" && row[8] == "0.95") || (row[2] == "bmbp") != (row[9] != "") {
			t.Errorf("row %q", row)
		}
		if achieved, _ := strconv.ParseFloat(row[9], 64); row[2] == "bmbp" && !(achieved >= 0.95 && achieved < 1 && row[4] == "60" && row[5] == "60") {
			t.Errorf("row %q: all waits are 60 s", row)
		}
	}
	var r evaluate.WaitsResult
	decode(t, &r, "predict", log, "--predictors", "downey-b,simulated-corrected,estimates,bmbp,chebyshev")
	for _, s := range r.Scores {
		if n := count[s.Waits+" "+s.Predictor]; n != s.Predicted {
			t.Errorf("%s: %d rows, %d predicted", s.Predictor, n, s.Predicted)
		}
	}
	// Parquet and Arrow are read back in package workload.
	for name, magic := range map[string]string{"p.parquet": "PAR1", "p.arrow": "ARROW1"} {
		path := filepath.Join(dir, name)
		if got := loadstone(t, "", "predict", log, "-q", "--predictors", "bmbp", "--predictions", path); got.code != exitDone || !strings.HasPrefix(mustRead(t, path), magic) {
			t.Errorf("%s: exit code %d, %s", name, got.code, got.err)
		}
	}
}

// TestPredictThresholds: the result is there, and the exit code is 3. Every bound
// is 60 s, as every wait: covered, and accurate.
func TestPredictThresholds(t *testing.T) {
	log := predictLog(t)
	for text, code := range map[string]int{
		"coverage(bmbp)>=1": exitDone, "coverage( bmbp ) > 1": exitThreshold, "accuracy(chebyshev)<1": exitThreshold, "tightness_median(bmbp)<=1": exitDone,
		"coverage_nonzero(bmbp)>=1": exitDone, "under_pct(bmbp)<=0": exitDone, "absolute_error_mean_min(bmbp)>0": exitThreshold,
		"correlation_log(bmbp)>=-1": exitThreshold, // a bound has none
	} {
		got := loadstone(t, "", "predict", log, "-q", "--predictors", "bmbp,chebyshev", "--require", "coverage(bmbp)>0", "--require", text)
		if got.code != code || got.out == "" || (code != exitDone) != strings.Contains(got.err, text) {
			t.Errorf("%s: exit code %d, want %d; %s", text, got.code, code, got.err)
		}
	}
	// Predictors that are left out meet nothing, and say why.
	for _, c := range []struct{ log, predictors, require, want string }{
		{predictLogOf(t, false), "estimates,bmbp", "coverage(estimates)>=0", "estimates is left out: no job has an estimate"},
		{writeLog(t, waitless(t)), "downey-b,bmbp", "coverage(bmbp)<=1", "bmbp is left out: no job has a known wait"},
		{log, "downey-b", "accuracy(downey-b-unbiased)>=0.99", "it is "},
	} {
		got := loadstone(t, "", "predict", c.log, "-q", "--unbias", "--predictors", c.predictors, "--require", c.require)
		if got.code != exitThreshold || got.out == "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: exit code %d, %q, want %q", c.require, got.code, got.err, c.want)
		}
	}
}

// waitless is predictLog without waits.
func waitless(t *testing.T) string {
	return regexp.MustCompile(`(?m)^(\d+ \d+) 60 `).ReplaceAllString(mustRead(t, predictLog(t)), "$1 -1 ")
}

func TestPredictThresholdUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--require", "coverage>=0.95"}, "such as 'coverage(bmbp)>=0.95'"},
		{[]string{"--require", "beauty(bmbp)>=0.5"}, `"beauty" is none of jobs, predicted, coverage`},
		{[]string{"--require", "coverage(bmbp,user)>=0.5"}, "want one predictor"},
		{[]string{"--require", "coverage(oracle)>=0.5"}, `"oracle" is none of the predictors scored: downey-a,`},
		{[]string{"--require", "coverage(chebyshev-one-sided)>=0.5"}, `"chebyshev-one-sided" is none of the predictors scored`},
		{[]string{"--require", "accuracy(downey-a-unbiased)>=0.5"}, "none of the predictors scored"},
		{[]string{"--require", "coverage(bmbp)>=much"}, `saw the limit "much"`},
		{[]string{"--require", "coverage(bmbp)>95"}, "saw the limit 95, want a share from 0 to 1"},
		{[]string{"--predictions", "p.xlsx"}, ".csv, .parquet or .arrow"},
		{[]string{"--predictions", "-"}, "--predictions -: want a file"},
		{[]string{"--replicates", "38"}, "--replicates 38: want 0, or 39 to 100000"},
	} {
		got := loadstone(t, "", append([]string{"predict", "a"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, output %q, error %q; want %d and %q", c.args, got.code, got.out, got.err, exitUsage, c.want)
		}
	}
}

// TestPredictBaselineOfAnother: what differs is told.
func TestPredictBaselineOfAnother(t *testing.T) {
	log := predictLog(t)
	scores := filepath.Join(t.TempDir(), "scores.json")
	args := []string{"predict", log, "--predictors", "downey-b,bmbp"}
	if got := loadstone(t, "", append(slices.Clone(args), "-q", "-o", scores)...); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, c := range []struct {
		more []string
		want string
	}{
		{nil, ""},
		{[]string{"--quantile", "0.9", "--confidence", "0.8"}, "quantile 0.95, not 0.9; confidence 0.95, not 0.8"},
		{[]string{"--law", "gamma", "--unbias"}, "law uniform-log, not gamma"},
		{[]string{"--trim", "0.2", "--procs", "20"}, "processors 10, not 20; trim 0.1, not 0.2"},
		{[]string{"--classes", "queue_id", "--groups", "size,queue_id", "--changes", "never"}, "classes none, not queue_id; groups none, not size,queue_id; changes misses, not never"},
		{[]string{"--estimate-factor", "5"}, "estimate factor 0, not 5"},
	} {
		got := loadstone(t, "", append(append(slices.Clone(args), "--baseline", scores), c.more...)...)
		var told []string
		for _, line := range lines(got.err) {
			if rest, ok := strings.CutPrefix(line, "warning: --baseline "+scores+": it is of "); ok {
				told = append(told, rest)
			}
		}
		if got.code == exitFailed || strings.Join(told, "; ") != c.want {
			t.Errorf("%v: exit code %d, told %q, want %q", c.more, got.code, told, c.want)
		}
	}
	if got := loadstone(t, "", append(slices.Clone(args), "--baseline", scores, "-o", scores)...); got.code != exitUsage {
		t.Errorf("the baseline written over: exit code %d", got.code)
	}
}

// TestPredictManualThreshold runs the manual's example of a threshold that is not
// met, which its own test cannot.
func TestPredictManualThreshold(t *testing.T) {
	text := mustRead(t, "../../../docs/reference/pipelines.md")
	example := regexp.MustCompile(`(?m)^    \$ loadstone (predict .*); echo \$\?\n    (.*)\n    3$`).FindStringSubmatch(text)
	if example == nil {
		t.Fatal("no example in docs/reference/pipelines.md")
	}
	t.Chdir(t.TempDir())
	for _, command := range []string{"generate --model lublin1999-batch --jobs 2000 --seed 5 -o batch.swf", "simulate batch.swf -q -o fcfs.parquet"} {
		if got := loadstone(t, "", shellWords(command)...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	if got := loadstone(t, "", shellWords(example[1])...); got.code != exitThreshold || got.out != "" || got.err != example[2]+"\n" {
		t.Errorf("exit code %d, %q\nwant 3 and\n%q", got.code, got.err, example[2])
	}
}
