package cli

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/live/journal"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestScoreStore: the answers of a live service, in a folder, are scored without a file of
// predictions.
func TestScoreStore(t *testing.T) {
	dir := t.TempDir()
	j, err := journal.Open(dir, journal.Begin{Source: "a test"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close() // it is scored while the service runs
	for i, wait := range []float64{0, 30, 50, 100} {
		e := journal.Event{Kind: workload.Submit, Time: 100 * float64(i), Job: workload.UnknownJob(), Scored: i > 0}
		e.Job.ID, e.Job.Row, e.Job.Submit = int64(i+1), int64(i), e.Time
		e.Answers = []journal.Answer{{Predictor: "bmbp", Quantile: 0.5, Seconds: 60}, {Predictor: "bmbp", Quantile: 0.95, Seconds: 90}}
		start := e
		start.Kind, start.Time, start.Job.Wait = workload.Start, e.Time+wait, wait
		if err := j.Append(&e, &start); err != nil {
			t.Fatal(err)
		}
	}
	// Bounds of 60 and 90 s of waits of 30, 50 and 100 s lose 15, 5 and 20 s at 0.5, and 3,
	// 2 and 9.5 s at 0.95.
	got := loadstone(t, "", "score", dir, "-q", "--format", "csv", "--require", "coverage(bmbp@0.95)>=0.6")
	if got.code != exitDone || got.err != "" {
		t.Fatal(got.code, got.err)
	}
	rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatal(got.out, err)
	}
	loss := slices.Index(rows[0], "pinball_loss_min")
	for i, want := range []float64{40.0 / 3 / 60, 14.5 / 3 / 60} {
		if x, _ := strconv.ParseFloat(rows[i+1][loss], 64); math.Abs(x-want) > 1e-12 || rows[i+1][0] != []string{"bmbp@0.5", "bmbp@0.95"}[i] {
			t.Errorf("%q, want a loss of %g min", rows[i+1], want)
		}
	}
	if got := loadstone(t, "", "describe", dir, "--format", "json"); got.code != exitDone || !strings.Contains(got.out, `"jobs": 4`) {
		t.Error(got)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"score", dir, "--of", "runtime"}, "--of runtime: the store of a live service has predictions of waits"},
		{[]string{"score", t.TempDir()}, "want a log and a file of predictions, at most one of them -, or the store of a live service"},
		{[]string{"score", "no such folder"}, "want a log and a file of predictions, at most one of them -, or the store of a live service"},
		{[]string{"describe", t.TempDir()}, "saw a folder, want a job log: name a file in it"},
	} {
		if got := loadstone(t, "", c.args...); got.code == exitDone || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %s, want %s", c.args, got.err, c.want)
		}
	}
}

// TestScoreThresholds: conditions on outside predictions, and an earlier result of
// theirs. Of the jobs of log.swf the run times are 100, 200, 400 and 800 s.
func TestScoreThresholds(t *testing.T) {
	log := writeLog(t, `; UnixStartTime: 0
1 0    0  100 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
2 1000 10 200 1 -1 -1 1 -1 -1 1 2 1 -1 -1 -1 -1 -1
3 2000 20 400 1 -1 -1 1 -1 -1 1 1 1 -1 -1 -1 -1 -1
4 3000 40 800 1 -1 -1 1 -1 -1 1 2 1 -1 -1 -1 -1 -1
`)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := file("mine.csv", "job_id,predicted_s\n1,100\n2,100\n3,400\n4,400\n")
	worse := file("worse.csv", "job_id,predictor,predicted_s\n1,mine,50\n2,mine,50\n3,mine,50\n4,mine,50\n")
	hours := file("hours.csv", "job_id,predicted_s\n1,0.0278\n2,0.0556\n3,0.111\n4,0.222\n")
	bounds := file("bounds.csv", "job_id,predicted_s,quantile\n1,5,0.9\n2,15,0.9\n3,15,0.9\n4,45,0.9\n")
	scores := filepath.Join(dir, "scores.json")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{mine, "-o", scores, "--require", "accuracy(mine,file)>=0.75"}, exitDone, ""},
		{[]string{mine, "--require", "accuracy(mine,file)>0.75"}, exitThreshold, "it is 0.75"},
		{[]string{mine, "--require", "accuracy(yours,file)>0.75"}, exitUsage, `instead of "yours": mine`},
		{[]string{worse, "--baseline", scores}, exitThreshold, "accuracy(mine,file) fell from 0.7500 to 0.2344"},
		{[]string{hours}, exitDone, "hours: predicted_s looks like hours: in that unit the mean accuracy is 1.00 instead of 0.00; want seconds (unit)"},
		{[]string{bounds, "--of", "wait", "--require", "coverage(bounds)>=0.75", "-o", scores}, exitDone, ""},
		{[]string{bounds, "--of", "wait", "--require", "coverage(bounds)>0.75"}, exitThreshold, "it is 0.75"},
		{[]string{bounds, "--of", "wait", "--baseline", scores}, exitDone, ""},
		{[]string{bounds, "--of", "wait", "--against", "a,b"}, exitUsage, "--against a,b: it is for predictions of run times"},
		{[]string{bounds, "--by", "burst"}, exitUsage, `loadstone: --by "burst": want one of length, site, month`},
		{[]string{bounds, "--of", "wait", "--by", "length"}, exitUsage, "want one of site, month, burst"},
		{[]string{bounds, "--require", "bound_coverage(bounds,file)<0.01"}, exitDone, ""},
		{[]string{filepath.Join(dir, "none.csv")}, exitFailed, "none.csv: no such file"},
		{[]string{log}, exitFailed, "tiny.swf:2: columns: saw"},
		{[]string{"-"}, exitFailed, "loadstone: -: saw an empty file, want a table in CSV, Parquet or Arrow"},
	} {
		got := loadstone(t, "", append([]string{"score", log, "--format", "csv"}, c.args...)...)
		if slicesHas(c.args, "-o") {
			got = loadstone(t, "", append([]string{"score", log}, c.args...)...)
		}
		if got.code != c.code || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, %q, want %d and %q", c.args, got.code, got.err, c.code, c.want)
		}
	}
}

func slicesHas(all []string, x string) bool { return strings.Contains(strings.Join(all, " "), x+" ") }

// TestEstimatesAreABaseline: the users' estimates bound waits, and have no correlation
// for which their sums are to be held against.
func TestEstimatesAreABaseline(t *testing.T) {
	dir := t.TempDir()
	log, scores := filepath.Join(dir, "log.swf"), filepath.Join(dir, "scores.json")
	if got := loadstone(t, "", "generate", "--model", "lublin2003", "--jobs", "1500", "--set", "users.count=20", "--estimates", "tsafrir", "--max-estimate", "64800", "--seed", "3", "-q", "-o", log); got.code != exitDone {
		t.Fatal(got.err)
	}
	for _, more := range [][]string{{"-o", scores}, {"--baseline", scores}} {
		if got := loadstone(t, "", append([]string{"predict", log, "-q", "--predictors", "estimates"}, more...)...); got.code != exitDone {
			t.Errorf("%q: exit code %d: %s", more, got.code, got.err)
		}
	}
	r, err := evaluate.DecodeWaits([]byte(mustRead(t, scores)))
	if err != nil || !r.Scores[0].Bound || math.IsNaN(float64(r.Scores[0].Coverage)) {
		t.Errorf("%+v, %v", r, err)
	}
}
