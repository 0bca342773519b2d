package columnar_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Files of other programs; their origin and values are in testdata/foreign/make.mjs.
func TestForeignFiles(t *testing.T) {
	for name, jobs := range map[string]int{
		"no_rows.parquet": 0,
		"jobs.arrow":      300, "jobs_lz4.arrow": 300, "jobs.arrows": 300, "no_rows.arrow": 0,
	} {
		for _, workers := range []int{1, 2} {
			l, err := logfile.Open(filepath.Join("testdata", "foreign", name), workload.Options{Workers: workers})
			if err != nil {
				t.Error(err)
				continue
			}
			i := 0
			for j, err := range l.Jobs() {
				if err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
				run := float64(i * i % 1000)
				if i%7 == 3 {
					run = math.NaN()
				}
				if j.ID != int64(i+1) || j.Submit != float64(60*i) || j.Run != run && j.Run == j.Run || math.IsNaN(j.Run) != math.IsNaN(run) || j.Processors != 1<<(i%5) {
					t.Fatalf("%s: row %d: %+v", name, i, j)
				}
				i++
			}
			if i != jobs {
				t.Errorf("%s: %d jobs, want %d", name, i, jobs)
			}
			l.Close()
		}
	}
}
