package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict/snapshots"
)

const (
	snapshotsMapping = `{"schema":"loadstone.snapshots-mapping/1","name":"hand","time":"t","answer":"wait","unit":"s","group":"g","numbers":["x"]}`
	snapshotsOne     = "t,wait,g,x\n0,10,a,1\n0,1000,b,2\n0,1500,b,3\n"
	snapshotsTwo     = "t,wait,g,x\n1000,100,a,1\n1000,100,b,2\n"
)

// writeAll writes files into a new folder, which becomes the current one.
func writeAll(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPredictSnapshots(t *testing.T) {
	writeAll(t, map[string]string{"m.json": snapshotsMapping, "1.csv": snapshotsOne, "2.csv": snapshotsTwo})
	args := []string{"predict", "2.csv", "1.csv", "--snapshots", "m.json", "--first-snapshot", "2", "--quantile", "0.5"}
	var r evaluate.SnapshotsResult
	decode(t, &r, append(args, "--predictions", "p.csv")...)
	// The mean of the group's logarithms is 10 s and 1000 s, for 100 s.
	if s := r.Score("group-means"); s == nil || s.SquaredError != 1 || s.Coverage != 0.5 || r.Options.Mapping != "hand" || r.Schema != evaluate.SnapshotsSchema {
		t.Errorf("%+v", r)
	}
	if text := mustRead(t, "p.csv"); !strings.HasPrefix(text, "snapshot_time_s,group,predictor,predicted_s,bound_s,actual_s\n") || !strings.Contains(text, "\n1000,b,group-means,1000,1000,100\n") {
		t.Errorf("predictions\n%s", text)
	}
	text, table := loadstone(t, "", args...), loadstone(t, "", append(args, "--format", "csv")...)
	if text.code != exitDone || text.err != "" || !strings.Contains(text.out, "forest by snapshot") || !strings.Contains(table.out, "\n1000 s,group-means,2,2,1,0,0,2,0.5,") {
		t.Errorf("%+v\n%s", text, table.out)
	}
	for of, code := range map[string]int{
		"mean_square_error_log10(group-means)<=1": exitDone, "coverage(group-means)>=0.5": exitDone, "coverage(group-means)>0.5": exitThreshold,
		"coverage_worst(group-means)>0.6": exitThreshold, "coverage(ridge-100)>=0": exitThreshold, "coverage(mean)>=0": exitThreshold,
	} {
		if got := loadstone(t, "", append(args, "--require", of)...); got.code != code || !strings.Contains(got.out, "forest by snapshot") {
			t.Errorf("%s: exit code %d, want %d: %s", of, got.code, code, got.err)
		}
	}
	// The same bytes again.
	if again := loadstone(t, "", args...); again.out != text.out {
		t.Errorf("%s\nagain\n%s", text.out, again.out)
	}
}

// TestPredictSnapshotsByColumns: a table with all columns of a built-in mapping is one of
// snapshots, any other a log.
func TestPredictSnapshotsByColumns(t *testing.T) {
	m, err := snapshots.FindMapping(snapshots.SlurmQueueTime)
	if err != nil {
		t.Fatal(err)
	}
	columns := m.Columns()
	row := func(at, wait string) string {
		cells := []string{at, wait}
		for range columns[2:] {
			cells = append(cells, "0")
		}
		return strings.Join(cells, ",") + "\n"
	}
	head := strings.Join(columns, ",") + "\n"
	head = strings.Replace(head, ",partition_id_y,", ",", 1) // which is the group and a feature
	less := func(row string) string { return strings.Replace(row, ",0,", ",", 1) }
	writeAll(t, map[string]string{
		"s.csv": head + less(row("2021-05-01 12:00:00", "60")) + less(row("2021-05-02 12:00:00", "70")),
		"l.csv": strings.Replace(head, "poll_wait_sec", "wait_time_s", 1) + less(row("2021-05-01 12:00:00", "60")),
	})
	got := loadstone(t, "", "predict", "s.csv", "--first-snapshot", "2", "--format", "json")
	var r evaluate.SnapshotsResult
	if err := json.Unmarshal([]byte(got.out), &r); err != nil || r.Log.Jobs != 1 || len(r.Published) == 0 || !strings.Contains(got.err, "note: s.csv: read as snapshots of a queue, by its columns") {
		t.Errorf("%+v %v", got, err)
	}
	if got := loadstone(t, "", "predict", "l.csv"); got.code != exitFailed || strings.Contains(got.err, "snapshots") {
		t.Errorf("%+v", got)
	}
}

func TestPredictSnapshotsFaults(t *testing.T) {
	writeAll(t, map[string]string{"m.json": snapshotsMapping, "1.csv": snapshotsOne, "bad.csv": snapshotsOne + "0,1,a,?\n", "bad.json": "{}", "empty.csv": "", "none.csv": "t,wait,g,x\n"})
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--snapshots", "m.json", "1.csv"}, exitFailed, "no jobs to score: scoring begins at snapshot 6 (--first-snapshot), and there are only 1"},
		{[]string{"--snapshots", "m.json", "bad.csv"}, exitFailed, `bad.csv:5: x: saw "?", want a number`},
		{[]string{"--snapshots", "m.json", "empty.csv"}, exitFailed, "empty.csv: saw nothing, want a table"},
		{[]string{"--snapshots", "m.json", "none.csv"}, exitFailed, "none.csv: no row in the snapshots"},
		{[]string{"--snapshots", "m.json", "missing.csv"}, exitFailed, "missing.csv"},
		{[]string{"--snapshots", "m.json", "m.json"}, exitFailed, "m.json:1"},
		{[]string{"--snapshots", "bad.json", "1.csv"}, exitUsage, `bad.json: want a mapping of snapshots: schema: saw ""`},
		{[]string{"--snapshots", "slurm", "1.csv"}, exitUsage, `--snapshots "slurm": want the file of a mapping, or one of slurm-queue-time-pred`},
		{[]string{"--snapshots", "m.json"}, exitUsage, "want the files of the snapshots"},
		{[]string{"--snapshots", "m.json", "1.csv", "--procs", "4"}, exitUsage, "--procs is for a log, not for snapshots of a queue"},
		{[]string{"--snapshots", "m.json", "1.csv", "--require", "x"}, exitUsage, "such as 'coverage(forest)>=0.93'"},
		{[]string{"--snapshots", "m.json", "1.csv", "--require", "accuracy(forest)>0"}, exitUsage, `"accuracy" is none of mean_square_error_log10, within_2_pct`},
		{[]string{"--snapshots", "m.json", "1.csv", "--require", "coverage(forest,g)>0"}, exitUsage, "want one predictor"},
		{[]string{"--snapshots", "m.json", "1.csv", "--baseline", "x.json"}, exitUsage, "--baseline is for a log, not for snapshots of a queue"},
		{[]string{"--snapshots", "m.json", "1.csv", "--first-snapshot", "1"}, exitUsage, "--first-snapshot 1: want 2 or more"},
		{[]string{"--snapshots", "m.json", "1.csv", "--first-snapshot", "0"}, exitUsage, "want more than 0"},
		{[]string{"--snapshots", "m.json", "1.csv", "--quantile", "1"}, exitUsage, "--quantile 1: want a number between 0 and 1"},
		{[]string{"1.csv", "--first-snapshot", "3"}, exitUsage, "--first-snapshot is for --snapshots"},
		{[]string{"--snapshots", "m.json", "1.csv", "-o", "1.csv"}, exitUsage, "1.csv"},
	} {
		got := loadstone(t, "", append([]string{"predict", "--predictions", filepath.Join(t.TempDir(), "p.csv")}, c.args...)...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: exit code %d, %q, want %d and %q", c.args, got.code, got.err, c.code, c.want)
		}
	}
}
