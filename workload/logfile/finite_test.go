package logfile_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// No value of a job is infinite. Every format that can express infinity is refused, with the field
// and the line or row; for other tables see package mapping.
func TestInfinityIsRefused(t *testing.T) {
	unknown := strings.Repeat(" -1", 14) + "\n"
	long := "run_time_s:float64\n" + strings.Repeat("0\n", workload.DefaultBatchRows+4) + "-Inf\n" // in a second batch
	for _, c := range []struct {
		name, file string
		content    []byte
		want       string // after the file's name
	}{
		{"swf", "x.swf", []byte("; a\n1 0 -1 5" + unknown + "2 60 -1 inf" + unknown), `:3: run_time_s: saw "inf", want a number`},
		{"parquet, second batch", "x.parquet", logtest.ForeignParquet(t, logtest.TypedRecord(t, long), 1<<20), `: row 32773: run_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"arrow", "x.arrow", logtest.ForeignArrow(t, logtest.TypedRecord(t, "job_id:int64,run_time_s:float64\n1,1\n2,2\n3,Inf\n")), `: row 3: run_time_s: saw a value beyond 1.8e308, want a finite number`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := logtest.TempFile(t, c.file, c.content)
			l, err := logfile.Open(path, workload.Options{})
			_, err = logtest.Drain(l, err)
			var input *workload.InputError
			if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), path+c.want) {
				t.Errorf("got  %v\nwant %s%s", err, path, c.want)
			}
		})
	}
}

// Values that overflowed within a program are not written: no format has a representation that
// readers accept.
func TestInfinityIsNotWritten(t *testing.T) {
	record := func(rows int) *workload.Batch {
		runs := make([]float64, rows)
		runs[rows-1] = math.Inf(-1)
		return &workload.Batch{Rows: rows, Floats: [workload.NumColumns][]float64{workload.ColRunTime: runs}}
	}
	for _, f := range logfile.Formats() {
		format := f.Name
		if f.Create == nil || format == "batsim" { // omits and counts such jobs
			continue
		}
		for _, rows := range []int{3, workload.DefaultBatchRows} {
			rec := record(rows)
			const want = "run_time_s: saw -Inf, want a finite number"
			var b bytes.Buffer
			w, err := logfile.NewWriter(format, &b, workload.Header{}, workload.WriteOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(rec); err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%s, Write of %d rows: %v", format, rows, err)
			}
			w.Close()
			for _, workers := range []int{1, 2} {
				o, err := logfile.NewOutput(format, &b, workload.Header{}, workload.WriteOptions{Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if err := o.WriteAll(logtest.Sequence([]*workload.Batch{rec})); err == nil || !strings.HasSuffix(err.Error(), want) {
					t.Errorf("%s, WriteAll of %d rows with %d workers: %v", format, rows, workers, err)
				}
				o.Abort()
			}
		}
	}
}
