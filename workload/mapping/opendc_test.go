package mapping_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// The values are those that the library's own column readers give for the
// files.
func TestOpenDCSurfWeek(t *testing.T) {
	l, jobs := readTrace(t, filepath.Join(logtest.Traces(t), "opendc", "surf_week"), workload.Options{})
	if l.Format != "opendc" || len(jobs) != 6295 {
		t.Fatalf("format %s, %d jobs", l.Format, len(jobs))
	}
	clock, note := l.Header.Clock()
	if want := time.Date(2022, 10, 6, 22, 0, 0, 0, time.UTC); !clock.Start.Equal(want) {
		t.Errorf("start %v (%s), want %v", clock.Start, note, want)
	}
	// 100,000 KB for 16 processors.
	wantJob(t, jobs[0], func(j *workload.Job) {
		j.ID, j.Submit, j.Run, j.Processors, j.Memory = 2133099, 0, 27930, 16, 6250
	})
	var submit, run, last float64
	for _, j := range jobs {
		submit += j.Submit
		run += j.Run
		last = max(last, j.Submit)
	}
	// 10484355606486000 ms less 6295 times 1665093600000 ms.
	if submit != 2591394486 || run != 69704250 || last != 604747 {
		t.Errorf("%.0f s of submission, the last at %.0f, and %.0f s of run time", submit, last, run)
	}
	logtest.WantCounts(t, l, map[string]int64{"submit-order": 454, "left-out-cpu_capacity": 6295})
}

// Version 1: identifiers are texts.
func TestOpenDCVersion1(t *testing.T) {
	dir := filepath.Join(logtest.Traces(t), "opendc", "trace-v2.1")
	for _, path := range []string{dir, filepath.Join(dir, "tasks.parquet")} {
		l, jobs := readTrace(t, path, workload.Options{})
		if len(jobs) != 4 || l.Header.Get("UnixStartTime") != "1376314546" {
			t.Fatalf("%d jobs, header %q", len(jobs), l.Header.Lines)
		}
		wantJob(t, jobs[2], func(j *workload.Job) {
			j.ID, j.Submit, j.Run, j.Processors, j.Memory = 1052, 1377787092-1376314546, 577855, 1, 131245
		})
		logtest.WantCounts(t, l, map[string]int64{"submit-order": 1, "left-out-cpu_capacity": 4, "left-out-nature": 4, "left-out-deadline": 4})
	}
	_, err := logfile.Open(filepath.Join(dir, "fragments.parquet"), workload.Options{})
	if want := "saw a table of fragments of an OpenDC trace, want its table of tasks, tasks.parquet"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v", err)
	}
}

func stamps(unit arrow.TimeUnit, values ...int64) arrow.Array {
	b := array.NewTimestampBuilder(memory.DefaultAllocator, &arrow.TimestampType{Unit: unit, TimeZone: "UTC"})
	for _, v := range values {
		b.Append(arrow.Timestamp(v))
	}
	return b.NewArray()
}

// The versions differ in their columns: each reads as the same jobs.
func TestOpenDCVersions(t *testing.T) {
	const day = 86400_000
	for _, c := range []struct {
		name  string
		table arrow.Record
	}{
		{"1", logtest.Table("id", logtest.Texts("7", "8"), "submission_time", stamps(arrow.Millisecond, day, day+1500), "duration", logtest.Int64s(2500, 100),
			"cpu_count", logtest.Int32s(4, 2), "mem_capacity", logtest.Int64s(100, 10))},
		{"ends", logtest.Table("id", logtest.Int32s(7, 8), "start_time", logtest.Int64s(day, day+1500), "stop_time", logtest.Int64s(day+2500, day+1600),
			"maxCores", logtest.Int32s(4, 2), "mem_capacity", logtest.Int64s(100, 10))},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, jobs := readTrace(t, logtest.TempFile(t, "tasks.parquet", logtest.ForeignParquet(t, c.table, 1)), workload.Options{})
			if len(jobs) != 2 {
				t.Fatalf("%d jobs", len(jobs))
			}
			wantJob(t, jobs[0], func(j *workload.Job) { j.ID, j.Submit, j.Run, j.Processors, j.Memory = 7, 0, 2.5, 4, 25 })
			wantJob(t, jobs[1], func(j *workload.Job) { j.ID, j.Submit, j.Run, j.Processors, j.Memory = 8, 1.5, 0.1, 2, 5 })
		})
	}
}
