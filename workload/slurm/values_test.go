package slurm_test

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestValuesByPython compares the number of jobs and, for each column, the number of known values
// and their sum, or the number of different names, with the values that Python's json and csv
// modules read from the same files: testdata/values.py (Python 3.11), recorded in
// testdata/values.json.
func TestValuesByPython(t *testing.T) {
	var files map[string]map[string]json.RawMessage
	jobtest.NoError(t, json.Unmarshal([]byte(readText(filepath.Join("testdata", "values.json"))), &files))
	for file, want := range files {
		t.Run(file, func(t *testing.T) {
			path, own := strings.CutPrefix(file, "testdata/")
			path = filepath.Join("testdata", "slurm-22.05", path)
			if !own {
				path = reallogs.Path(t, "slurm-json/"+file)
			}
			checkValues(t, path, want)
		})
	}
}

func checkValues(t *testing.T, path string, want map[string]json.RawMessage) {
	l := jobtest.Must(logfile.Open(path, workload.Options{}))
	defer l.Close()
	start, _ := l.Header.Int("UnixStartTime")
	var known, sum [workload.NumColumns]float64
	jobs := 0
	for j, err := range l.Jobs() {
		if err != nil {
			t.Fatal(err)
		}
		jobs++
		for col := range workload.NumColumns {
			c := workload.ColumnAt(col)
			if !c.Known(&j) {
				continue
			}
			x := c.Number(&j)
			if !c.Float() {
				x = float64(c.Int(&j))
			}
			if col == workload.ColSubmitTime || col == workload.ColEligibleTime {
				x += float64(start)
			}
			known[col]++
			sum[col] += x
		}
	}
	for name, raw := range want {
		if name == "jobs" {
			if string(raw) != strconv.Itoa(jobs) {
				t.Errorf("%d jobs, want %s", jobs, raw)
			}
			continue
		}
		var wanted [2]float64
		jobtest.NoError(t, json.Unmarshal(raw, &wanted))
		col := workload.ColumnIndex(name)
		got := [2]float64{known[col], sum[col]}
		if workload.ColumnAt(col).NameKey != "" {
			got[1] = float64(len(l.Header.NamesOf(name)))
		}
		if got != wanted {
			t.Errorf("%s: %v known, sum or names %v; want %v", name, got[0], got[1], wanted)
		}
	}
}
