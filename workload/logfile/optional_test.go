package logfile_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// jobWith returns a job with a value in one column.
func jobWith(column int) workload.Job {
	j := workload.UnknownJob()
	j.ID, j.Submit, j.Run, j.Processors = 1, 0, 60, 2
	if c := workload.ColumnAt(column); c.Float() {
		c.SetNumber(&j, 7.5)
	} else {
		c.SetInt(&j, 7)
	}
	return j
}

// Each optional column alone survives a round trip through Parquet, Arrow and CSV: on opening, the
// file has this optional column and no other.
func TestOptionalColumnsRoundTrip(t *testing.T) {
	for column := workload.FirstOptional; column < workload.NumColumns; column++ {
		c := workload.ColumnAt(column)
		for _, ext := range []string{".parquet", ".arrow", ".arrows", ".csv", ".csv.gz"} {
			for _, late := range []bool{false, true} {
				path := filepath.Join(t.TempDir(), "x"+ext)
				out, err := logfile.Create(path, workload.Header{}, workload.WriteOptions{Columns: workload.ColumnSetOf(column), HeaderLast: late})
				if err != nil {
					t.Fatal(err)
				}
				jobs := workload.JobsOf([]workload.Job{jobWith(column), workload.UnknownJob()})
				jobtest.NoError(t, errors.Join(out.WriteAll(workload.Batches(jobs)), out.Commit()))
				log, err := logfile.Open(path, workload.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer log.Close()
				if got := log.Optional(); got != workload.ColumnSetOf(column) {
					t.Errorf("%s: the %s file has %v", c.Name, ext, workload.ColumnNames(got.Written()[workload.FirstOptional:]))
				}
				n := 0
				for j, err := range log.Jobs() {
					if err != nil {
						t.Fatal(err)
					}
					known := c.Float() && c.Number(&j) == 7.5 || !c.Float() && c.Int(&j) == 7
					if n++; known != (n == 1) {
						t.Errorf("%s in %s, job %d: %+v", c.Name, ext, n, j)
					}
				}
				if ws := log.Warnings(); n != 2 || len(ws) > 0 && !strings.HasPrefix(ext, ".csv") {
					t.Errorf("%s in %s: %d jobs, %v", c.Name, ext, n, ws)
				}
			}
		}
	}
}

// A value in a column that was not declared when the file was created is an error, not a silent
// loss.
func TestUndeclaredColumn(t *testing.T) {
	for _, format := range []string{"parquet", "arrow", "arrows", "csv"} {
		for _, workers := range []int{1, 2} {
			var b bytes.Buffer
			out, err := logfile.NewOutput(format, &b, workload.Header{}, workload.WriteOptions{Columns: workload.ColumnSetOf(workload.ColEnergy), Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			err = out.WriteAll(workload.Batches(workload.JobsOf([]workload.Job{jobWith(workload.ColQOS)})))
			if err == nil || !strings.Contains(err.Error(), "qos_id: 1 values in a column that was not declared") {
				t.Errorf("%s: %v", format, err)
			}
		}
	}
}
