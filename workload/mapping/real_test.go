package mapping_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// published is what testdata/values.py says of a file.
type published struct {
	File    string
	Format  string
	Jobs    int64
	Columns map[string]struct {
		Known, Names int64
		Sum          float64
		First        string
	}
}

// Counts, sums and missing values of the published tables are those of Python's csv
// module (testdata/values.py, recorded in values.json); each is told by its columns.
func TestPublishedTables(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "values.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []published
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		t.Run(want.File, func(t *testing.T) {
			l, err := logfile.Open(filepath.Join(logtest.Traces(t), want.File), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if l.Format != want.Format {
				t.Errorf("told as %s", l.Format)
			}
			var known, jobs [workload.NumColumns]int64
			var sums [workload.NumColumns]float64
			for rec, err := range l.Batches() {
				if err != nil {
					t.Fatal(err)
				}
				v := rec
				for col := range workload.NumColumns {
					for i := range v.Rows {
						jobs[col]++
						if math.IsNaN(v.Float(col, i)) && v.Int(col, i) == workload.Unknown {
							continue
						}
						known[col]++
						if workload.ColumnAt(col).Float() {
							sums[col] += v.Float(col, i)
						} else {
							sums[col] += float64(v.Int(col, i))
						}
					}
				}
			}
			if jobs[0] != want.Jobs {
				t.Errorf("%d jobs, want %d", jobs[0], want.Jobs)
			}
			for column, c := range want.Columns {
				col := workload.ColumnIndex(column)
				if col < 0 {
					t.Errorf("no column %s", column)
					continue
				}
				if known[col] != c.Known {
					t.Errorf("%s: %d known, want %d", column, known[col], c.Known)
				}
				if c.Names == 0 {
					// 15,000 additions of 1.1e-16 each, against an exact sum.
					if math.Abs(sums[col]-c.Sum) > 1e-11*math.Abs(c.Sum) {
						t.Errorf("%s: sum %.17g, want %.17g", column, sums[col], c.Sum)
					}
					continue
				}
				names := l.Header.NamesOf(column)
				if int64(len(names)) != c.Names || names[1] != c.First {
					t.Errorf("%s: %d names, the first %q; want %d and %q", column, len(names), names[1], c.Names, c.First)
				}
			}
			for col := range workload.NumColumns {
				if l.Lacks(col) && known[col] > 0 {
					t.Errorf("lacks %s, with %d values", workload.ColumnAt(col).Name, known[col])
				}
			}
		})
	}
}
