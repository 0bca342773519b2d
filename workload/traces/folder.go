package traces

import (
	"os"
	"path/filepath"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// openFolder opens a folder that holds a trace: one of the Workflow Trace
// Archive (tasks/schema-1.0/*.parquet, or that folder itself), whose files are
// parts of one table, or an OpenDC one (tasks.parquet).
func openFolder(name, path string, o workload.Options) (*workload.Log, error) {
	for _, sub := range []string{filepath.Join("tasks", "schema-1.0"), "schema-1.0", "."} {
		dir := filepath.Join(path, sub)
		if sub == "." && filepath.Base(filepath.Clean(path)) != "schema-1.0" {
			continue
		}
		files, err := columnar.PartFiles(dir)
		if err != nil {
			return nil, parse.InputFault(dir, err)
		}
		if len(files) > 0 {
			return columnar.OpenMappedFiles(name, &wtaLayout, files, find, o)
		}
	}
	tasks := filepath.Join(path, "tasks.parquet")
	if info, err := os.Stat(tasks); err == nil && info.Mode().IsRegular() {
		return columnar.OpenMappedFiles(name, &opendcLayout, []string{tasks}, find, o)
	}
	return nil, nil
}
