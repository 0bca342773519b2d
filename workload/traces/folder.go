package traces

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
		files, err := parquetFiles(dir)
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

// parquetFiles lists the Parquet files of a folder in the order of their
// names, in which part.2 stands before part.10; none where there is no folder.
func parquetFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if os.IsNotExist(err) {
			err = nil
		}
		return nil, err
	}
	var files []string
	for _, e := range entries {
		// Spark writes its own notes as _SUCCESS and .part-0.parquet.crc.
		if name := e.Name(); filepath.Ext(name) == ".parquet" && name[0] != '.' && name[0] != '_' && !e.IsDir() {
			files = append(files, filepath.Join(dir, name))
		}
	}
	slices.SortFunc(files, compareNumbered)
	return files, nil
}

// compareNumbered compares names with the numbers in them as numbers.
func compareNumbered(a, b string) int {
	whole := cmp.Compare(a, b)
	digits := func(s string) int {
		return len(s) - len(strings.TrimLeft(s, "0123456789"))
	}
	for a != "" && b != "" {
		n, m := digits(a), digits(b)
		if n == 0 || m == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:n], "0"), strings.TrimLeft(b[:m], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[n:], b[m:]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), whole)
}
