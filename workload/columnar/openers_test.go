package columnar_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// opened is what testdata/openers/open.mjs prints of a file.
type opened struct {
	Program, File string
	Types         map[string]string
	Sums          map[string][2]float64 // how many values are known, and their sum
	Moments       []string              // the first three of submission
}

// DuckDB, hyparquet and Arrow for JavaScript open what is written here, with the
// values that stand in it.
func TestOpeners(t *testing.T) {
	folder := filepath.Join("testdata", "openers")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node")
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules", "hyparquet")); err != nil {
		t.Skip("no packages of npm: run npm install --no-package-lock in " + folder)
	}
	const start = 843480031
	header := workload.Header{Lines: []string{" UnixStartTime: 843480031", " Computer: none", " User: 1 J\u00f6rg"}}
	rec := logtest.Collect(t, logtest.MadeUpLog(3, 3000, 1000))
	sums := sumsOf(rec)
	dir, args := t.TempDir(), []string{"open.mjs"}
	for _, format := range []string{"parquet", "arrow", "arrows"} {
		path := filepath.Join(dir, "jobs."+format)
		o, err := logfile.Create(path, header, workload.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := o.WriteAll(logtest.Sequence([]*workload.Batch{rec})); err != nil {
			t.Fatal(err)
		}
		if err := o.Commit(); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	cmd := exec.Command(node, args...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []opened
	if err := json.Unmarshal(out, &all); err != nil || len(all) != 4 {
		t.Fatalf("%d files, %v", len(all), err)
	}
	var moments []string
	view := rec
	for i := range 3 {
		at := start + view.Float(workload.ColSubmitTime, i)
		moments = append(moments, time.UnixMilli(int64(math.Floor(at*1000))).UTC().Format("2006-01-02T15:04:05.000Z"))
	}
	for _, o := range all {
		name := o.Program + ", " + filepath.Base(o.File)
		if len(o.Sums) != len(sums) {
			t.Errorf("%s: %d columns, want %d", name, len(o.Sums), len(sums))
		}
		for column, want := range sums {
			if got := o.Sums[column]; got[0] != want[0] || math.Abs(got[1]-want[1]) > 1e-9*math.Abs(want[1]) {
				t.Errorf("%s: %s: %v, want %v", name, column, got, want)
			}
		}
		if o.Program != "arrow" && !slices.Equal(o.Moments, moments) {
			t.Errorf("%s: moments %q, want %q", name, o.Moments, moments)
		}
		if o.Program == "duckdb" && o.Types["submit_time"] != "TIMESTAMP WITH TIME ZONE" {
			t.Errorf("%s: submit_time is %s", name, o.Types["submit_time"])
		}
	}
}

// sumsOf returns how many values are known in each column of a file, and their sum.
func sumsOf(rec *workload.Batch) map[string][2]float64 {
	sums := map[string][2]float64{}
	view := rec
	for _, c := range workload.ColumnSet(0).Written() {
		known, sum := 0.0, 0.0
		for i := range view.Rows {
			x := math.NaN()
			if workload.ColumnAt(c).Float() {
				x = view.Float(c, i)
			} else if n := view.Int(c, i); n != workload.Unknown {
				x = float64(n)
			}
			if x == x {
				known, sum = known+1, sum+x
			}
		}
		sums[workload.ColumnAt(c).Name] = [2]float64{known, sum}
	}
	return sums
}
