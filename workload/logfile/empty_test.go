package logfile_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// A table without jobs is a valid table: every readable format is read back as written, with or
// without a header.
func TestEmptyTables(t *testing.T) {
	headers := map[string]workload.Header{"none": {}, "some": {Lines: []string{" Version: 2.2", " MaxProcs: 4"}}}
	for _, format := range []string{"swf", "swf.gz", "csv", "csv.zst", "parquet", "arrow", "arrows"} {
		for name, h := range headers {
			for _, late := range []bool{false, true} {
				path := logtest.TempFile(t, "x."+format, nil)
				o, err := logfile.Create(path, h, workload.WriteOptions{HeaderLast: late})
				if err != nil {
					t.Fatal(err)
				}
				jobtest.NoError(t, errors.Join(o.WriteAll(logtest.Sequence(nil)), o.Commit()))
				l, err := logfile.Open(path, workload.Options{})
				rows, err := logtest.Drain(l, err)
				if err != nil || rows != 0 {
					b, _ := os.ReadFile(path)
					t.Errorf("%s, header %s: %d jobs, %v; of %.80q", format, name, rows, err, b)
					continue
				}
				if want := strings.Split(format, ".")[0]; !strings.HasPrefix(want, l.Format) {
					t.Errorf("%s is read as %s", format, l.Format)
				}
				if n, ok := l.Header.Processors(); name == "some" && format[:3] != "csv" && (!ok || n != 4) {
					t.Errorf("%s: header %q", format, l.Header.Lines)
				}
			}
		}
	}
}

// Other programs' empty tables are read; input without any sign of a log is refused.
func TestEmptyForeign(t *testing.T) {
	for name, c := range map[string]struct{ file, content, format string }{
		"swf, a comment":    {"x", "; Version: 2.2\n", "swf"},
		"gwf, a comment":    {"x.gwf", "# Grid Workload Format\n", "gwf"},
		"csv":               {"x.csv", "job_id,submit_time,run_time\n", "csv"},
		"csv, without end":  {"x.csv", "job_id,submit_time", "csv"},
		"sacct":             {"-", "JobID|State|Submit|Start|End|NCPUS\n", "sacct"},
		"squeue":            {"-", strings.SplitAfter(logtest.SqueueBars, "\n")[0], "squeue"},
		"wta":               {"x.parquet", string(logtest.ForeignParquet(t, logtest.TypedRecord(t, "id:int64!,ts_submit:int64!,runtime:int64!\n"), 10)), "wta"},
		"opendc":            {"x.parquet", string(logtest.ForeignParquet(t, logtest.TypedRecord(t, "id:text,submission_time:int64,duration:int64,cpu_count:int32,mem_capacity:int64\n"), 10)), "opendc"},
		"swf, nothing":      {"x.swf", "", ""},
		"swf, blank lines":  {"x.swf", "\n\n", ""},
		"gwf, blank lines":  {"x.gwf", "\n\n", ""},
		"sacct, steps only": {"-", "JobID|State|Submit|Start|End|NCPUS\n1.batch|COMPLETED|2021-12-10T14:23:28|2021-12-10T14:23:28|2021-12-10T14:23:28|1\n", ""},
	} {
		var l *workload.Log
		var err error
		if c.file == "-" {
			l, err = logfile.OpenReader("-", strings.NewReader(c.content), workload.Options{TimeZone: "UTC"})
		} else {
			l, err = logfile.Open(logtest.TempFile(t, c.file, []byte(c.content)), workload.Options{})
		}
		format := ""
		if err == nil {
			format = l.Format
		}
		rows, err := logtest.Drain(l, err)
		var input *workload.InputError
		switch {
		case c.format == "" && !errors.As(err, &input):
			t.Errorf("%s: %d jobs, %v", name, rows, err)
		case c.format != "" && (err != nil || rows != 0 || format != c.format):
			t.Errorf("%s: %d jobs of %s, %v", name, rows, format, err)
		}
	}
}
