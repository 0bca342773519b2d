package columnar_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// writeParts writes files in a new directory: typed tables as Parquet, and other texts.
func writeParts(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if filepath.Ext(name) == ".parquet" {
			text = string(logtest.ForeignParquet(t, logtest.TypedRecord(t, text), 1))
		}
		path := filepath.Join(dir, name)
		jobtest.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		jobtest.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// A directory of parts of the job table is read as one log.
func TestParquetFolder(t *testing.T) {
	const head = "job_id:int64,run_time_s:float64\n"
	dir := writeParts(t, map[string]string{
		"part.10.parquet": head + "5,5\n6,6\n", "part.2.parquet": head + "3,5\n4,6\n", "part.1.parquet": head + "1,5\n2,6\n",
		"_SUCCESS": "", ".part.2.parquet.crc": "", "notes.txt": "notes",
	})
	for _, workers := range []int{1, 2} {
		l := jobtest.Must(logfile.Open(dir, workload.Options{Workers: workers}))
		id := int64(1)
		for j, err := range l.Jobs() {
			if err != nil || j.ID != id || j.Run != float64(6-id%2) {
				t.Fatalf("job %d: %+v, %v", id, j, err)
			}
			id++
		}
		if id != 7 || l.Format != "parquet" || !l.Lacks(workload.ColUser) || len(l.Warnings()) != 0 {
			t.Errorf("%d jobs of %s, warnings %v", id-1, l.Format, l.Warnings())
		}
		l.Close()
	}
	for _, c := range []struct{ name, table, want string }{
		{"a.parquet", "load:int64\n1\n", `: columns: saw "load", want columns of the job table`},
		{"a.txt", "", `: saw a folder, want a job log: name a file in it`},
		{"queue_id=1/a.parquet", head + "1,5\n", `: saw a folder, want a job log: name a file in it`},
	} {
		dir := writeParts(t, map[string]string{c.name: c.table})
		if _, err := logfile.Open(dir, workload.Options{}); err == nil || !strings.HasPrefix(err.Error(), dir+c.want) {
			t.Errorf("got  %v\nwant %s%s", err, dir, c.want)
		}
	}
	jobtest.NoError(t, os.Truncate(filepath.Join(dir, "part.1.parquet"), 100))
	if _, err := logfile.Open(dir, workload.Options{}); err == nil || !strings.Contains(err.Error(), `/part.1.parquet: footer: saw "`) {
		t.Errorf("cut short: %v", err)
	}
}

// A mapping applies to other programs' tables, in a directory as in a file.
func TestFolderOfJobs(t *testing.T) {
	file := logtest.TempFile(t, "a.parquet", parquetBytes(t, workload.Header{}, logtest.MadeUpLog(1, 3, 3)))
	l, err := logfile.Open(filepath.Dir(file), workload.Options{As: "pm100"})
	if err != nil || l.Format != "parquet" {
		t.Fatalf("by a mapping: %v", err)
	}
	l.Close()
}
