package traces

import (
	"io"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// Format is the Parquet files of the Workflow Trace Archive and of OpenDC,
// and the folders that hold such traces; they are read only.
var Format = workload.Format{
	Name:  "traces",
	Magic: columnar.MagicParquet,
	OpenAt: func(name string, r io.ReaderAt, size int64, o workload.Options) (*workload.Log, error) {
		return columnar.OpenMapped(name, r, size, find, o)
	},
	OpenFolder: openFolder,
}

// find returns the layout of a Parquet file with those columns, or nil; the
// error is for tables of a trace that do not hold jobs.
func find(file string, names []string) (*columnar.Mapping, error) {
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(name string) bool { return slices.Contains(names, name) })
	}
	other := func(saw, want string) error {
		return &workload.InputError{File: file, Field: "columns", Saw: saw, Want: want}
	}
	switch {
	case has("id") && has("ts_submit") && has("runtime"):
		return &wtaLayout, nil
	case has("ts_submit") && has("task_count"):
		return nil, other("a table of workflows of the Workflow Trace Archive", "its table of tasks, tasks/schema-1.0")
	case has("id") && has("submission_time", "submissionTime", "start_time") && has("duration", "endTime", "stop_time"):
		return &opendcLayout, nil
	case has("id") && has("cpu_usage", "cpuUsage") && has("duration"):
		return nil, other("a table of fragments of an OpenDC trace", "its table of tasks, tasks.parquet")
	}
	return nil, nil
}
