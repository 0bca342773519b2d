package cli

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/version"
)

// TestBoard: several logs give a scoreboard, in each form, the same at every run.
func TestBoard(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.swf"), filepath.Join(dir, "second.swf")
	for path, text := range map[string]string{first: growingLog(5), second: growingLog(8)} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(more ...string) outcome {
		return loadstone(t, "", append([]string{"runtime", first, second, "-q", "--classes", "user", "--predictors", "last,rm,sm"}, more...)...)
	}
	table := run()
	// Every second user's run times double. Of them last has an accuracy of 1/2, rm of
	// (1 - 2^-k) / k at the k-th, 0.2115 in the mean, and sm of 1/2, 3/8, 1/4, 3/16 and
	// then 1/8, 0.1989; of five users two are such: 0.8, 0.6846, 0.6795.
	for _, want := range []string{"predictor  classes  mean rank  best on", "\nlast       user          1.00        2", "\nrm         user          2.00        0", "\nsm         user          3.00        0", "0.800 (1) ", "0.685* (2)", "0.680* (3)", "\nfirst     60      55\nsecond    96      88\n", "\nMade by loadstone " + version.Number + ": runtime LOG LOG... --classes user --predictors last,rm,sm\n"} {
		if table.code != exitDone || !strings.Contains(table.out, want) {
			t.Errorf("exit code %d, %s\n%s\nno %q", table.code, table.err, table.out, want)
		}
	}
	// A log may have the name of a column.
	mean, written := filepath.Join(dir, "mean.swf"), filepath.Join(dir, "mean.html")
	if err := os.WriteFile(mean, []byte(growingLog(5)), 0o666); err != nil {
		t.Fatal(err)
	}
	loadstone(t, "", "runtime", mean, second, "-q", "--classes", "user", "--predictors", "last,rm", "-o", written)
	text, err := os.ReadFile(written)
	if _, differences, found := strings.Cut(string(text), "Differences from the best of each log"); err != nil || !found || !regexp.MustCompile(`>mean</`).MatchString(strings.SplitN(differences, "</thead>", 2)[0]) {
		t.Errorf("%v: no column of the log mean among the differences", err)
	}
	// Estimates are the same under all classes, and stand once.
	estimates := loadstone(t, "", "runtime", first, second, "-q", "--classes", "user,site", "--predictors", "last,estimate")
	if n := strings.Count(estimates.out, "\nestimate   all "); n != 1 || strings.Count(estimates.out, "\nestimate") != 1 {
		t.Errorf("exit code %d, estimates not once:\n%s%s", estimates.code, estimates.out, estimates.err)
	}
	csv := run("--format", "csv")
	if n := len(lines(csv.out)); n != 1+2*3 || !strings.HasPrefix(csv.out, "predictor,classes,mean_rank,firsts,logs_scored,score_mean,log,jobs,common_jobs,rank,score,") {
		t.Errorf("%d lines of CSV:\n%s", n, csv.out)
	}
	if again := run("--format", "csv"); again.out != csv.out {
		t.Error("another run has other numbers")
	}
	page := filepath.Join(dir, "board.html")
	if got := run("-o", page); got.code != exitDone {
		t.Error(got.err)
	}
	if text := mustRead(t, page); !strings.Contains(text, "Scoreboard of run time predictors") || !strings.Contains(text, "<th") || !strings.Contains(text, "second") {
		t.Errorf("page of %d bytes", len(text))
	} else {
		for _, want := range []string{"1000 draws of users with seed 1", "runtime LOG LOG... --classes user --predictors last,rm,sm", "loadstone " + version.Number, `class="n">0.685* (2)</td>`, `>best</td>`, "Jobs of each log"} {
			if !strings.Contains(text, want) {
				t.Errorf("page without %q", want)
			}
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"runtime", first, second, "--by", "month"}, "--by: it is for one log"},
		{[]string{"runtime", first, second, "--against", "last,user"}, "--against: it is for one log"},
		{[]string{"runtime", first, second, "--predictions", "p.csv"}, "--predictions: it is for one log"},
		{[]string{"runtime", first, first}, "want each log once"},
		{[]string{"runtime", first, "-"}, "want one log on standard input, or several files"},
		{[]string{"runtime", first, "-o", page}, "an HTML page needs several logs"},
		{[]string{"describe", first, "-o", page}, "want a name that ends in .json, .csv or .txt"},
	} {
		if got := loadstone(t, "", c.args...); got.code != exitUsage || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, %q, want %q", c.args, got.code, got.err, c.want)
		}
	}
}

// TestBoardOfWaits: the scores are those of 'predict --sample'.
func TestBoardOfWaits(t *testing.T) {
	dir := t.TempDir()
	var logs []string
	for _, seed := range []string{"1", "2"} {
		made, log := filepath.Join(dir, "made"+seed+".swf"), filepath.Join(dir, "log"+seed+".swf")
		for _, args := range [][]string{
			{"generate", "--model", "lublin1999", "--days", "20", "--load", "0.9", "--seed", seed, "-o", made}, {"simulate", made, "-o", log},
		} {
			if got := loadstone(t, "", append(args, "-q")...); got.code != exitDone {
				t.Fatal(got.err)
			}
		}
		logs = append(logs, log)
	}
	got := loadstone(t, "", append([]string{"predict", "-q", "--format", "csv"}, logs...)...)
	if got.code != exitDone || len(lines(got.out)) != 1+2*3 {
		t.Fatalf("exit code %d, %s\n%s", got.code, got.err, got.out)
	}
	for _, log := range logs {
		one := loadstone(t, "", "predict", log, "-q", "--predictors", "bmbp,qbets,chebyshev", "--sample", "50000", "--format", "csv")
		if one.code != exitDone {
			t.Fatal(one.err)
		}
		for _, name := range []string{"bmbp", "qbets", "chebyshev"} {
			score := cellsOf(t, got.out, "score", name, log)
			if want := cellsOf(t, one.out, "pinball_loss_common_min", name, "log-sample"); score == "" || score != want {
				t.Errorf("%s on %s: %q, want %q", name, log, score, want)
			}
		}
	}
}

// cellsOf is the cell of a column in the first row of CSV that has all of some words.
func cellsOf(t *testing.T, text, column string, has ...string) string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], column)
	for _, row := range rows {
		if !slices.ContainsFunc(has, func(word string) bool { return !slices.Contains(row, word) }) && at >= 0 {
			return row[at]
		}
	}
	return ""
}
