package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// growingLog has 40 users of 12 jobs each. Those of every other one always run
// 100 s; each job of the others twice as long as the one before. The latter make
// the difference between two weights of exponential smoothing, and the two kinds
// together a wide interval across users.
func growingLog(users int) string {
	var b strings.Builder
	for u := range users {
		run := 100
		for k := range 12 {
			fmt.Fprintf(&b, "%d %d 0 %d 1 -1 -1 1 -1 -1 1 %d 1 -1 0 1 -1 -1\n", u*12+k+1, 1000000*k+u, run, u+1)
			if u%2 == 1 {
				run *= 2
			}
		}
	}
	return "; UnixStartTime: 820454400\n" + b.String()
}

// edited copies a JSON file with some fields of its scores changed.
func edited(t *testing.T, path string, edit func(score map[string]any)) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal([]byte(mustRead(t, path)), &doc); err != nil {
		t.Fatal(err)
	}
	for _, s := range doc["scores"].([]any) {
		edit(s.(map[string]any))
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "edited.json")
	if err := os.WriteFile(out, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return out
}

// A run is compared with an earlier one job by job: a fall that is small beside
// what users differ by counts where it is sure. By hand: of run times 1, 2, 4,
// ... es with weight w predicts the k-th, 2^k, as p(k) = w 2^(k-1) + (1-w) p(k-1)
// with p(1) = 1, and is right to p(k)/2^k. The mean over k = 1 to 11 is 0.4762
// for w = 0.9 and 0.4212 for 0.7; with the users that are always right 0.7381 and
// 0.7106: a fall of 0.0275.
func TestRuntimeBaselineIsPaired(t *testing.T) {
	log, scores := writeLog(t, growingLog(40)), filepath.Join(t.TempDir(), "scores.json")
	run := func(log, alpha string, more ...string) outcome {
		return loadstone(t, "", append([]string{"runtime", log, "-q", "--classes", "user", "--predictors", "es", "--alpha", alpha}, more...)...)
	}
	if got := run(log, "0.9", "-o", scores); got.code != exitDone {
		t.Fatal(got.err)
	}
	bare := edited(t, scores, func(s map[string]any) { delete(s, "sums") })
	other := writeLog(t, strings.Replace(growingLog(40), " 0 100 1 ", " 0 101 1 ", 1))
	for _, c := range []struct {
		what, log, alpha string
		more             []string
		code             int
		want             string
	}{
		{"the same", log, "0.9", []string{"--baseline", scores}, exitDone, ""},
		{"a fall", log, "0.7", []string{"--baseline", scores}, exitThreshold, "accuracy(es,user) fell from 0.7381 to 0.7106, by 0.0275 (0."},
		{"on the same jobs", log, "0.7", []string{"--baseline", scores}, exitThreshold, ") on the same jobs"},
		{"more is allowed", log, "0.7", []string{"--baseline", scores, "--max-drop", "0.03"}, exitDone, ""},
		{"less is allowed", log, "0.7", []string{"--baseline", scores, "--max-drop", "0.01"}, exitThreshold, "by 0.0275: --max-drop is 0.01"},
		{"a rise", log, "1", []string{"--baseline", scores}, exitDone, ""},
		// Drawn apart, the difference is as uncertain as either.
		{"other jobs", other, "0.7", []string{"--baseline", scores}, exitDone, ""},
		{"other jobs, far below", other, "0", []string{"--baseline", scores}, exitThreshold, ") on other jobs"},
		// Without sums on either side nothing says how sure a fall is.
		{"no sums", log, "0.7", []string{"--baseline", bare}, exitThreshold, "fell from 0.7381 to 0.7106, by 0.0275\n"},
		{"no sums, allowed", log, "0.7", []string{"--baseline", bare, "--max-drop", "0.03"}, exitDone, ""},
		{"no draws", log, "0.7", []string{"--baseline", scores, "--replicates", "0"}, exitThreshold, "by 0.0275\n"},
	} {
		got := run(c.log, c.alpha, c.more...)
		if got.code != c.code || !strings.Contains(got.err, c.want) || c.want == "" && got.err != "" {
			t.Errorf("%s: exit code %d, %q, want %d and %q", c.what, got.code, got.err, c.code, c.want)
		}
	}
	for _, c := range []struct {
		log  string
		more []string
		want string // of standard error
	}{
		{log, []string{"--max-drop", "0.03"}, ": 1 score is worse, but by no more than --max-drop 0.03; the largest change: accuracy(es,user) from 0.7381 to 0.7106\n"},
		{other, nil, ": 1 score is worse, but by no more than chance explains (the 95 % interval of the difference includes 0); the largest change: accuracy(es,user) from 0.7381 to 0."},
	} {
		args := append([]string{"runtime", c.log, "--classes", "user", "--predictors", "es", "--alpha", "0.7", "--baseline", scores}, c.more...)
		if got := loadstone(t, "", args...); got.code != exitDone || !strings.Contains(got.err, c.want) {
			t.Errorf("%v: exit code %d, %q, want %q", args, got.code, got.err, c.want)
		}
	}
	got := loadstone(t, "", "runtime", log, "--classes", "user", "--predictors", "es", "--alpha", "0.7", "--baseline", bare)
	if want := "warning: --baseline " + bare + ": no interval of the difference "; !strings.Contains(got.err, want) {
		t.Errorf("without sums: %q, want %q", got.err, want)
	}
	for _, c := range []struct{ args, want string }{
		{"--max-drop 0.01", "--max-drop 0.01: want --baseline with it"},
		{"--max-drop -1 --baseline x", "--max-drop -1: want 0 to 1"},
		{"--max-drop NaN --baseline x", "--max-drop NaN: want 0 to 1"},
	} {
		for _, command := range []string{"runtime", "predict"} {
			if got := loadstone(t, "", append([]string{command, log}, strings.Fields(c.args)...)...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
				t.Errorf("%s %s: exit code %d, %q", command, c.args, got.code, got.err)
			}
		}
	}
}

// A score of the earlier run that this one lacks fails the comparison, for every command
// that has one, unless --allow-missing turns that into a warning. A predictor of the log
// that goes, or gets another name, must not pass a gate. With --quiet there are no warnings.
func TestBaselineScoresThatAreMissing(t *testing.T) {
	log, waits := writeLog(t, runtimeLog), writeLog(t, mustRead(t, predictLog(t)))
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	prepare := func(args ...string) {
		t.Helper()
		if got := loadstone(t, "", args...); got.code != exitDone {
			t.Fatal(args, got.err)
		}
	}
	runTimes := []string{"runtime", log, "-q", "--classes", "user"}
	prepare(append(runTimes, "--predictors", "last,rm", "-o", in("both.json"))...)
	prepare(append(runTimes, "--predictors", "last", "-o", in("one.json"))...)
	prepare(append(runTimes, "--predictors", "last", "--predictions", in("last.csv"), "-o", in("again.json"))...)
	prepare(append(runTimes, "--predictors", "last,rm", "--predictions", in("both.csv"), "-o", in("again.json"))...)
	prepare("score", log, in("both.csv"), "-q", "-o", in("scored.json"))
	prepare("predict", waits, "-q", "--predictors", "bmbp,chebyshev", "-o", in("bounds.json"))
	prepare("predict", waits, "-q", "--predictors", "bmbp", "--predictions", in("bmbp.csv"), "-o", in("again.json"))
	for _, c := range []struct {
		what    string
		args    []string
		missing string
		shared  bool // some scores
	}{
		{"a predictor that is gone", append(runTimes, "--predictors", "last", "--baseline", in("both.json")), "accuracy(rm,user)", true},
		{"another name", append(runTimes, "--predictors", "last,sm", "--baseline", in("both.json")), "accuracy(rm,user)", true},
		{"nothing in common", append(runTimes, "--predictors", "sm", "--baseline", in("one.json")), "accuracy(last,user)", false},
		{"score", []string{"score", log, in("last.csv"), "-q", "--baseline", in("scored.json")}, "accuracy(rm,user)", true},
		{"predict", []string{"predict", waits, "-q", "--predictors", "bmbp", "--baseline", in("bounds.json")}, "coverage(chebyshev), pinball_loss_min(chebyshev)", true},
		{"score of waits", []string{"score", waits, in("bmbp.csv"), "--of", "wait", "-q", "--baseline", in("bounds.json")}, "coverage(chebyshev), pinball_loss_min(chebyshev)", true},
	} {
		want := ": missing from this run: " + c.missing + " (--allow-missing leaves them out)\n"
		if got := loadstone(t, "", c.args...); got.code != exitThreshold || !strings.HasSuffix(got.err, want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q\nwant %q alone", c.what, got.code, got.err, want)
		}
		allowed := append(slices.Clone(c.args), "--allow-missing")
		got := loadstone(t, "", allowed...)
		if !c.shared {
			if want := "no score in common: this run has accuracy(sm,user)\n"; got.code != exitFailed || !strings.HasSuffix(got.err, want) {
				t.Errorf("%s, allowed: exit code %d, %q\nwant %q", c.what, got.code, got.err, want)
			}
			continue
		}
		if got.code != exitDone || got.err != "" {
			t.Errorf("%s, allowed and quiet: exit code %d, %q", c.what, got.code, got.err)
		}
		got = loadstone(t, "", append(allowed, "--quiet=false")...)
		if want := "not compared: missing from this run: " + c.missing + "\n"; got.code != exitDone || !strings.Contains(got.err, want) {
			t.Errorf("%s, allowed: exit code %d, %q\nwant %q", c.what, got.code, got.err, want)
		}
	}
	// What the baseline lacks is no reason to fail.
	args := append(runTimes, "--predictors", "last,rm", "--baseline", in("one.json"))
	if got := loadstone(t, "", args...); got.code != exitDone || got.err != "" {
		t.Errorf("a new predictor, quiet: exit code %d, %q", got.code, got.err)
	}
	if got, want := loadstone(t, "", append(args, "--quiet=false")...), "not compared: missing from the baseline: accuracy(rm,user)\n"; got.code != exitDone || !strings.Contains(got.err, want) {
		t.Errorf("a new predictor: exit code %d, %q, want %q", got.code, got.err, want)
	}
	if got, want := loadstone(t, "", append(runTimes, "--predictors", "last", "--allow-missing")...), "--allow-missing true: want --baseline with it"; got.code != exitUsage || !strings.Contains(got.err, want) {
		t.Errorf("without --baseline: exit code %d, %q, want %q", got.code, got.err, want)
	}
}

// Each condition that is not met has a line of its own.
func TestUnmetConditionsAreLines(t *testing.T) {
	log := writeLog(t, runtimeLog)
	got := loadstone(t, "", "runtime", log, "-q", "--classes", "user", "--predictors", "last,rm", "--require", "coverage(last,user)>0.99", "--require", "coverage(rm,user)>0.99")
	lines := strings.Split(strings.TrimSuffix(got.err, "\n"), "\n")
	if got.code != exitThreshold || len(lines) != 2 || !strings.HasPrefix(lines[0], "loadstone: "+log+": --require 'coverage(last,") || !strings.HasPrefix(lines[1], "loadstone: "+log+": --require 'coverage(rm,") {
		t.Errorf("exit code %d, %q", got.code, lines)
	}
}
