package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// unestimated is runtimeLog without estimates.
func unestimated() string {
	return regexp.MustCompile(`(400|60) -1 1`).ReplaceAllString(runtimeLog, "-1 -1 1")
}

// TestRuntimeNothingPredicted: a predictor with nothing to say has dashes, no
// NaN.
func TestRuntimeNothingPredicted(t *testing.T) {
	got := loadstone(t, "", "runtime", writeLog(t, unestimated()), "-q", "--classes", "user", "--predictors", "all", "--by", "length")
	row := ""
	for _, line := range lines(got.out) {
		if strings.HasPrefix(line, "user     estimate") {
			row = line
		}
	}
	if got.code != exitDone || strings.Contains(got.out, "NaN") || strings.Contains(got.out, "- to -") {
		t.Errorf("exit code %d\n%s", got.code, got.out)
	}
	// The coverage, then the four numbers that there are none of.
	want := append([]string{"user", "estimate", "0.0000"}, slices.Repeat([]string{"-"}, 4)...)
	if !slices.Equal(strings.Fields(row), want) {
		t.Errorf("row %q, want %q", row, want)
	}
}

// TestRuntimePlotsOfNothing: no picture is no fault; the result is written and
// thresholds are judged.
func TestRuntimePlotsOfNothing(t *testing.T) {
	log, dir := writeLog(t, unestimated()), filepath.Join(t.TempDir(), "plots")
	got := loadstone(t, "", "runtime", log, "--classes", "user", "--predictors", "estimate", "--plots", dir, "--require", "coverage(estimate,user)>=0.5")
	if got.code != exitThreshold || !strings.Contains(got.out, "estimate") || !strings.Contains(got.err, "--require 'coverage(estimate,user)>=0.5': it is 0") {
		t.Errorf("exit code %d, %q, %q", got.code, got.out, got.err)
	}
	if _, err := os.Stat(dir); !strings.Contains(got.err, "run-time-accuracy.svg: not drawn: nothing was predicted") || !os.IsNotExist(err) {
		t.Errorf("folder of no pictures: %v, %q", err, got.err)
	}
}

// baselineOf writes an earlier result of runtimeLog's last,user, some fields
// of it replaced, or left away with an empty text. The accuracy is 0.75.
func baselineOf(t *testing.T, top, score map[string]string) string {
	t.Helper()
	fields := map[string]string{"classes": `"user"`, "predictor": `"last"`, "jobs": "6", "predicted": "4", "accuracy_mean": "0.8", "accuracy_low": "0.7", "accuracy_high": "0.9", "accuracy_common_mean": "0"}
	whole := map[string]string{
		"schema": `"loadstone.runtime-scores/1"`, "log": `{"name":"log.swf","jobs":6}`, "bootstrap": "null",
		"options": `{"alpha":0.5,"window":5,"neighbours":5,"quantile":0.95,"confidence":0.95}`,
	}
	object := func(fields, with map[string]string) string {
		maps.Copy(fields, with)
		var all []string
		for _, k := range slices.Sorted(maps.Keys(fields)) {
			if fields[k] != "" {
				all = append(all, fmt.Sprintf("%q:%s", k, fields[k]))
			}
		}
		return "{" + strings.Join(all, ",") + "}"
	}
	whole["scores"] = "[" + object(fields, score) + "]"
	path := filepath.Join(t.TempDir(), "earlier.json")
	if err := os.WriteFile(path, []byte(object(whole, top)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// lastScored is the score of last,user.
const lastScored = `{"classes":"user","predictor":"last","jobs":6,"predicted":4,"accuracy_mean":0.8,"accuracy_low":0.7,"accuracy_high":0.9,"accuracy_common_mean":0}`

// TestRuntimeBaselineDamaged: what an earlier result must have.
func TestRuntimeBaselineDamaged(t *testing.T) {
	log := writeLog(t, runtimeLog)
	type fields = map[string]string
	for _, c := range []struct {
		top, score fields
		want       string // in the error; empty for none
	}{
		{nil, nil, ""},
		{nil, fields{"accuracy_low": "null", "accuracy_high": "null", "accuracy_mean": "0.7"}, ""},
		{nil, fields{"predicted": "0", "accuracy_mean": "null", "accuracy_low": "null", "accuracy_high": "null"}, ""},
		{nil, fields{"accuracy_mean": ""}, "last,user: accuracy_mean: it is missing"},
		{nil, fields{"predicted": ""}, "last,user: predicted: it is missing"},
		{nil, fields{"classes": ""}, "scores[0]: classes: it is missing"},
		{nil, fields{"predictor": `""`}, "scores[0]: predictor: it is missing"},
		{nil, fields{"accuracy_mean": `"high"`}, `accuracy_mean: saw "high", want a number from 0 to 1`},
		{nil, fields{"accuracy_mean": "null"}, "accuracy_mean: saw null, want a number from 0 to 1"},
		{nil, fields{"accuracy_mean": "1.5", "accuracy_high": "2"}, "accuracy_mean: saw 1.5, want a number from 0 to 1"},
		{nil, fields{"sums": `{"jobs":"1f","predicted":"3 1","accuracy":"2.5 0.7"}`}, ""},
		{nil, fields{"sums": `{"jobs":"1f","predicted":"3 1","accuracy":"3.2 0"}`}, "sums: saw an accuracy of 3.2 and 0 held of 3 predictions of one cluster"},
		{nil, fields{"sums": `{"jobs":"1f","predicted":"-3 1","accuracy":"0 0"}`}, "sums: saw -3 predictions"},
		{nil, fields{"sums": `{"jobs":"1f","predicted":"3 1","accuracy":"2.5"}`}, "sums.accuracy: saw 1 numbers, want as many as in sums.predicted, 2"},
		{nil, fields{"sums": `{"jobs":"1f","predicted":"3 x","accuracy":"2.5 1"}`}, `sums.predicted: saw "x", want a number`},
		{nil, fields{"sums": `{"jobs":"xyz","predicted":"3 1","accuracy":"2.5 1"}`}, `sums.jobs: saw "xyz", want a hexadecimal number`},
		{nil, fields{"sums": `{"jobs":"1f"}`}, "sums.predicted: saw 0 numbers"},
		{nil, fields{"jobs": ""}, "last,user: jobs: it is missing"},
		{nil, fields{"predicted": "3.5"}, "predicted: saw a number 3.5, want a whole number"},
		{fields{"scores": "[" + lastScored + "," + lastScored + "]"}, nil, "last,user: given twice"},
		{fields{"log": `{"name":3,"jobs":6}`}, nil, "log.name: saw a number"},
		{fields{"scores": `{}`}, nil, "scores: saw an object"},
		{fields{"scores": `[3]`}, nil, "scores: saw a number"},
	} {
		path := baselineOf(t, c.top, c.score)
		got := loadstone(t, "", "runtime", log, "-q", "--classes", "user", "--predictors", "last", "--max-drop", "0.1", "--baseline", path)
		switch {
		case c.want == "":
			if got.code != exitDone || got.err != "" {
				t.Errorf("%v %v: exit code %d, %q", c.top, c.score, got.code, got.err)
			}
		case got.code != exitFailed || got.out != "" || !strings.Contains(got.err, path+": damaged: ") || !strings.Contains(got.err, c.want) || strings.Contains(got.err, "Go "):
			t.Errorf("%v %v: exit code %d, %q, want %d and %q", c.top, c.score, got.code, got.err, exitFailed, c.want)
		}
	}
	path := filepath.Join(t.TempDir(), "list.json")
	for text, want := range map[string]string{
		"[]": "not a result of this command: ", `{"schema":3}`: "not a result of this command: ", `{"schema":`: "not a result",
		`{"schema":"loadstone.fit/1"}`: `saw the schema "loadstone.fit/1"`, `{"schema":"loadstone.runtime-scores/1"}`: "no scores to compare with",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		got := loadstone(t, "", "runtime", log, "-q", "--baseline", path)
		if got.code != exitFailed || !strings.Contains(got.err, path+": ") || !strings.Contains(got.err, want) || strings.Contains(got.err, "Go ") || strings.Contains(got.err, "struct") {
			t.Errorf("%s: exit code %d, %q", text, got.code, got.err)
		}
	}
}

// TestRuntimeBaselineOfAnother: what differs is told, and nothing else.
func TestRuntimeBaselineOfAnother(t *testing.T) {
	dir := t.TempDir()
	log, scores := filepath.Join(dir, "log.swf"), filepath.Join(dir, "scores.json")
	if err := os.WriteFile(log, []byte(runtimeLog), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"runtime", log, "--classes", "user", "--predictors", "last", "--fallback", "user,all", "--baseline", scores}
	if got := loadstone(t, "", append(slices.Clone(args[:8]), "-o", scores)...); got.code != exitDone {
		t.Fatal(got.err)
	}
	longer := filepath.Join(dir, "longer.swf")
	if err := os.WriteFile(longer, []byte(runtimeLog+"7 14400 0 100 1 -1 -1 1 400 -1 1 1 1 -1 0 1 -1 -1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		more []string
		log  string
		want []string
	}{
		{nil, log, nil},
		{[]string{"--alpha", "0.25", "--predictors", "last,es"}, log, []string{"alpha 0.5, not 0.25"}},
		{[]string{"--window", "7", "--neighbours", "9", "--predictors", "last,sm,knn"}, log, []string{"window 5, not 7", "neighbours 5, not 9"}},
		{[]string{"--quantile", "0.9", "--confidence", "0.8", "--predictors", "last,quantile"}, log, []string{"quantile 0.95, not 0.9", "confidence 0.95, not 0.8"}},
		{[]string{"--fallback", "user,site"}, log, []string{"fallback user,all, not user,site"}},
		{[]string{"--replicates", "0"}, log, nil},
		{nil, longer, []string{`log "log.swf", not "longer.swf"`, "6 jobs, not 7"}},
	} {
		all := append(slices.Clone(args), c.more...)
		all[1] = c.log
		got := loadstone(t, "", all...)
		var told []string
		for _, line := range lines(got.err) {
			if rest, ok := strings.CutPrefix(line, "warning: --baseline "+scores+": it is of "); ok {
				told = append(told, rest)
			}
		}
		if got.code == exitFailed || !slices.Equal(told, c.want) {
			t.Errorf("%v: exit code %d, told %q, want %q\n%s", c.more, got.code, told, c.want, got.err)
		}
	}
}

// TestRuntimeWarnsOnce: a column that the log lacks is told once.
func TestRuntimeWarnsOnce(t *testing.T) {
	nobody := writeLog(t, "1 0 0 100 1 -1 -1 1 -1 -1 1 -1 1 -1 -1 -1 -1 -1\n2 500 0 100 1 -1 -1 1 -1 -1 1 -1 1 -1 -1 -1 -1 -1\n")
	got := loadstone(t, "", "runtime", nobody, "--classes", "site,user+queue,user,user-site,queue", "--predictors", "last", "--fallback", "user-site,all")
	want := []string{
		"warning: " + nobody + ": classes user+queue, user, user-site are left out: no job has the user (classes-left-out)",
		"warning: " + nobody + ": classes queue are left out: no job has the queue (classes-left-out)",
		"warning: " + nobody + ": no job has the user, which is therefore ignored in the classes fallback (no-user)",
		"warning: " + nobody + ": no job has the partition, which is therefore ignored in the classes site, fallback (no-partition)",
	}
	var told []string
	for _, line := range lines(got.err) {
		if strings.Contains(line, "no job has") {
			told = append(told, line)
		}
	}
	if got.code != exitDone || !slices.Equal(told, want) {
		t.Errorf("exit code %d, told\n%s\nwant\n%s", got.code, strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}

func TestRuntimeBadChoices(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--fallback", "estimate"}, `"estimate": want it after classes, such as default,estimate`},
		{[]string{"--fallback", "estimate,user"}, "such as default,estimate"},
		{[]string{"--fallback", "user,estimate,all"}, `"estimate" before "all": want it after classes`},
		{[]string{"--fallback", "user,estimate,estimate"}, `"estimate" before "estimate"`},
		{[]string{"--classes", "user+group,group+user"}, `"group+user", the same as "user+group": want one of them`},
		{[]string{"--classes", "site,partition"}, `"partition", the same as "site": want one of them`},
		{[]string{"--replicates", "1"}, "--replicates 1: want 0, or 39 to 100000"},
		{[]string{"--replicates", "38"}, "--replicates 38: want 0, or 39 to 100000"},
		{[]string{"--predictions", "-"}, "--predictions -: want a file"},
	} {
		got := loadstone(t, "", append([]string{"runtime", "a"}, c.args...)...)
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, error %q; want %d and %q", c.args, got.code, got.err, exitUsage, c.want)
		}
	}
	for _, args := range [][]string{{"--replicates", "39"}, {"--classes", "user,estimate"}, {"--fallback", "user+estimate,user,estimate"}} {
		if got := loadstone(t, "", append([]string{"runtime", writeLog(t, runtimeLog)}, args...)...); got.code != exitDone {
			t.Errorf("%q: exit code %d, %s", args, got.code, got.err)
		}
	}
}
