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

// No value of a job is infinite. Every format that can say so is refused, with
// the field, and with the line or row.
func TestInfinityIsRefused(t *testing.T) {
	const jobs = "job_id:int64,run_time_s:float64\n1,1\n2,2\n3,Inf\n"
	swf := func(run string) []byte {
		return []byte("; a\n1 0 -1 5" + strings.Repeat(" -1", 14) + "\n2 60 -1 " + run + strings.Repeat(" -1", 14) + "\n")
	}
	gwf := func(run string) []byte {
		return []byte("# a\n1 0 -1 5" + strings.Repeat(" -1", 25) + "\n2 60 -1 " + run + strings.Repeat(" -1", 25) + "\n")
	}
	csv := func(lines ...string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }
	parquet := func(text string) []byte { return logtest.ForeignParquet(t, logtest.TypedRecord(t, text), 2) }
	long := "run_time_s:float64\n" + strings.Repeat("0\n", workload.DefaultBatchRows+4) + "-Inf\n" // in a second batch
	moments := map[string]string{"submit_time": "s", "start_time": "b", "end_time": "e"}
	for _, c := range []struct {
		name, file string
		content    []byte
		columns    map[string]string
		want       string // after the file's name
	}{
		{"swf", "x.swf", swf("inf"), nil, `:3: run_time_s: saw "inf", want a number`},
		{"gwf", "x.gwf", gwf("Inf"), nil, `:3: RunTime (run_time_s): saw "Inf", want a finite number`},
		{"csv job", "x.csv", csv("job_id,submit_time,run_time", "1,0,5", "-Inf,60,5"), nil, `:3: job_id: saw "-Inf", want a finite number`},
		{"csv", "x.csv", csv("job_id,submit_time,run_time", "1,0,5", "2,60,inf"), nil, `:3: run_time (run_time_s): saw "inf", want a finite number`},
		{"csv beyond float64", "x.csv", csv("job_id,submit_time,run_time", "1,0,5", "2,60,1e309"), nil, `:3: run_time (run_time_s): saw "1e309", want a finite number`},
		{"csv run time from start and end", "x.csv", csv("s,b,e", "1,2,3", "4,-1e308,1e308"), moments, `:3: run_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"csv wait from start", "x.csv", csv("s,b,e", "1,2,3", "-1e308,1e308,1e308"), moments, `:3: wait_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"csv submission from gaps", "x.csv", csv("gap,run_time_s", "1e308,2", "", "1e308,4"), map[string]string{"interarrival_time": "gap"}, `:4: submit_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"parquet", "x.parquet", parquet(jobs), nil, `: row 3: run_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"parquet whole numbers", "x.parquet", parquet("job_id:int64,allocated_processors:float64\n1,1\n2,Inf\n3,2\n"), nil, `: row 2: allocated_processors: saw "+Inf", want a finite number`},
		{"parquet, second batch", "x.parquet", logtest.ForeignParquet(t, logtest.TypedRecord(t, long), 1<<20), nil, `: row 32773: run_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"arrow", "x.arrow", logtest.ForeignArrow(t, logtest.TypedRecord(t, jobs)), nil, `: row 3: run_time_s: saw a value beyond 1.8e308, want a finite number`},
		{"wta", "x.parquet", parquet("id:int64,ts_submit:int64,runtime:float64\n1,0,1\n2,1,Inf\n3,2,2\n"), nil, `: row 2: runtime (run_time_s): saw "+Inf", want a finite number`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := logtest.TempFile(t, c.file, c.content)
			l, err := logfile.Open(path, workload.Options{Map: c.columns})
			_, err = logtest.Drain(l, err)
			var input *workload.InputError
			if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), path+c.want) {
				t.Errorf("got  %v\nwant %s%s", err, path, c.want)
			}
		})
	}
}

// Among jobs that are named by texts, hashes say, 1e309 is a name.
func TestJobsNamedLikeInfinity(t *testing.T) {
	for _, ids := range [][2]string{{"7fa20", "1e309"}, {"1e309", "7fa20"}} {
		path := logtest.TempFile(t, "x.csv", []byte("job_id,submit_time,run_time\n"+ids[0]+",0,5\n"+ids[1]+",60,5\n"))
		l, err := logfile.Open(path, workload.Options{})
		if rows, err := logtest.Drain(l, err); err != nil || rows != 2 {
			t.Errorf("%v: %d jobs, %v, want 2", ids, rows, err)
		}
	}
}

// What has overflowed inside a program is not written: no format has a word
// for it that readers take.
func TestInfinityIsNotWritten(t *testing.T) {
	record := func(rows int) *workload.Batch {
		runs := make([]float64, rows)
		runs[rows-1] = math.Inf(-1)
		return &workload.Batch{Rows: rows, Floats: [workload.NumColumns][]float64{workload.ColRunTime: runs}}
	}
	for _, f := range logfile.Formats() {
		format := f.Name
		if f.Create == nil || format == "batsim" { // which leaves such jobs out, and counts them
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
