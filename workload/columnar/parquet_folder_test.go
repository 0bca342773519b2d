package columnar_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// writeFiles writes files below a new folder.
func writeFiles(t *testing.T, files map[string][]byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, b := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// A folder of parts of the job table is a log, whose partitions are columns.
func TestParquetFolder(t *testing.T) {
	part := func(id int64) []byte {
		return logtest.ForeignParquet(t, logtest.Table("job_id", logtest.Int64s(id, id+1), "run_time_s", logtest.Float64s(5, 6)), 1)
	}
	dir := writeFiles(t, map[string][]byte{
		"queue_id=2/part.10.parquet": part(5), "queue_id=2/part.2.parquet": part(3),
		"queue_id=1/part.1.parquet": part(1), "queue_id=__HIVE_DEFAULT_PARTITION__/a.parquet": part(7),
		"_SUCCESS": nil, "queue_id=2/.part.2.parquet.crc": nil, "notes.txt": []byte("notes"),
	})
	for _, workers := range []int{1, 2} {
		l, err := logfile.Open(dir, workload.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		id := int64(1)
		for j, err := range l.Jobs() {
			if err != nil {
				t.Fatal(err)
			}
			queue := []int64{1, 1, 2, 2, 2, 2, workload.Unknown, workload.Unknown}[id-1]
			if j.ID != id || j.Queue != queue || j.Run != float64(6-id%2) {
				t.Errorf("job %d: %+v", id, j)
			}
			id++
		}
		if id != 9 || l.Format != "parquet" || l.Lacks(workload.ColQueue) || !l.Lacks(workload.ColUser) {
			t.Errorf("%d jobs of %s", id-1, l.Format)
		}
		counts := logtest.Counts(l)
		if counts["missing-column"] != workload.FirstOptional-3 || counts["unknown-column"] != 0 {
			t.Errorf("warnings %v", l.Warnings())
		}
		l.Close()
	}
	// A mapping is for other programs' tables, in a folder as in a file.
	var table []any
	for i := range workload.ColStatus {
		values := any(logtest.Int64s(1))
		if workload.ColumnAt(i).Float() {
			values = logtest.Float64s(1)
		}
		table = append(table, workload.ColumnAt(i).Name, values)
	}
	jobs := logtest.ForeignParquet(t, logtest.Table(table...), 1)
	l, err := logfile.Open(writeFiles(t, map[string][]byte{"a.parquet": jobs}), workload.Options{As: "pm100"})
	if err != nil || l.Format != "parquet" {
		t.Fatalf("by a mapping: %v", err)
	}
	l.Close()
	for name, c := range map[string]struct {
		files map[string][]byte
		want  string // after the folder's name
	}{
		"no number":     {map[string][]byte{"queue_id=batch/a.parquet": part(1)}, `/queue_id=batch/a.parquet: queue_id: saw texts, want a whole number`},
		"other columns": {map[string][]byte{"a.parquet": logtest.ForeignParquet(t, logtest.Table("load", logtest.Int64s(1)), 1)}, `/a.parquet: columns: saw "load", want columns of the job table`},
		"cut short":     {map[string][]byte{"a.parquet": part(1), "b.parquet": part(1)[:100]}, `/b.parquet: footer: saw "`},
		"no files":      {map[string][]byte{"a.txt": nil}, `: saw a folder, want a job log: name a file in it`},
	} {
		dir := writeFiles(t, c.files)
		if _, err := logfile.Open(dir, workload.Options{}); err == nil || !strings.HasPrefix(err.Error(), dir+c.want) {
			t.Errorf("%s: got  %v\nwant %s%s", name, err, dir, c.want)
		}
	}
}

// A folder that gives a column which its files have too counts, and is named.
func TestPartitionOfAColumn(t *testing.T) {
	b := logtest.ForeignParquet(t, logtest.Table("job_id", logtest.Int64s(1, 2), "submit_time_s", logtest.Float64s(0, 1)), 10)
	l, err := logfile.Open(writeFiles(t, map[string][]byte{"job_id=5/p.parquet": b}), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, w := range l.Warnings() {
		if w.Rule == "unknown-column" || w.Rule == "partition-column" && (w.Count != 1 || w.Saw != `"job_id"`) {
			t.Errorf("%+v", w)
		}
	}
	if logtest.Counts(l)["partition-column"] != 1 {
		t.Errorf("warnings %v", l.Warnings())
	}
}
