package mapping_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// published holds the values that other programs find in a file.
type published struct {
	File, Format, Start string
	Jobs                int
	Columns             map[string]struct {
		Known, Names int
		Sum          float64
		First        string // of the names
	}
	Rows     map[string]map[string]string // by number, from 1
	Warnings map[string]int64
	Map      map[string]string
	Fault    string
}

// Counts, sums and missing values of the published tables agree with those of Python's csv module
// (testdata/values.py, recorded in values.json), or of the source given in archives.json. Each
// table is recognised by its columns.
func TestPublishedTables(t *testing.T) {
	var all []published
	for _, name := range []string{"values.json", "archives.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err == nil {
			var some []published
			err = json.Unmarshal(data, &some)
			all = append(all, some...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range all {
		t.Run(want.File, func(t *testing.T) {
			path := filepath.Join(reallogs.Path(t, ""), want.File)
			jobs, _, err := logtest.JobsOf(path, workload.Options{Map: want.Map})
			if want.Fault != "" {
				if err == nil || !strings.Contains(err.Error(), want.Fault) {
					t.Errorf("error %v", err)
				}
				return
			}
			l, err2 := logfile.Open(path, workload.Options{Map: want.Map})
			if err != nil || err2 != nil || len(jobs) != want.Jobs {
				t.Fatalf("%d jobs, want %d, %v", len(jobs), want.Jobs, err)
			}
			defer l.Close()
			if _, err := logtest.Drain(l, nil); err != nil {
				t.Fatal(err)
			}
			if l.Format != want.Format || want.Start != "" && l.Header.Get("UnixStartTime") != want.Start {
				t.Errorf("told as %s, header %q", l.Format, l.Header.Lines)
			}
			for column, c := range want.Columns {
				known, sum, names := 0, 0.0, map[string]bool{}
				for _, job := range jobs {
					if text, ok := job[column]; ok {
						x, _ := strconv.ParseFloat(text, 64)
						known, sum, names[text] = known+1, sum+x, true
					}
				}
				// 15,000 additions of 1.1e-16 each, against an exact sum.
				if known != c.Known || c.Names == 0 && math.Abs(sum-c.Sum) > 1e-11*math.Abs(c.Sum) {
					t.Errorf("%s: %d known, sum %.17g; want %d and %.17g", column, known, sum, c.Known, c.Sum)
				}
				if c.Names > 0 && (len(names) != c.Names || jobs[0][column] != c.First) {
					t.Errorf("%s: %d names, the first %q; want %d and %q", column, len(names), jobs[0][column], c.Names, c.First)
				}
			}
			for row, job := range want.Rows {
				n, _ := strconv.Atoi(row)
				if d := cmp.Diff(job, jobs[n-1]); d != "" {
					t.Errorf("row %d: %s", n, d)
				}
			}
			if want.Warnings != nil {
				if d := cmp.Diff(want.Warnings, logtest.Counts(l), cmpopts.EquateEmpty()); d != "" {
					t.Errorf("warnings: %s", d)
				}
			}
			for col := range workload.NumColumns {
				for _, job := range jobs {
					if _, ok := job[workload.ColumnAt(col).Name]; ok && l.Lacks(col) {
						t.Fatalf("lacks %s, with values", workload.ColumnAt(col).Name)
					}
				}
			}
		})
	}
}
