package logfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestPosition checks that the position starts below the file's size, grows with the batches, and
// ends at the size, and that a stream has none.
func TestPosition(t *testing.T) {
	dir := t.TempDir()
	swf, parquet := filepath.Join(dir, "log.swf"), filepath.Join(dir, "log.parquet")
	for _, path := range []string{swf, parquet} {
		out, err := logfile.Create(path, workload.Header{}, workload.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		jobtest.NoError(t, errors.Join(out.WriteAll(logtest.MadeUpLog(1, 400_000, 40_000)), out.Commit()))
		info := jobtest.Must(os.Stat(path))
		l, err := logfile.Open(path, workload.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		last, size := l.Position()
		if size != info.Size() || last >= size {
			t.Errorf("%s: %d of %d at the start, want less of %d", path, last, size, info.Size())
		}
		for _, err := range l.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			now, _ := l.Position()
			if now < last {
				t.Errorf("%s: %d after %d", path, now, last)
			}
			last = now
		}
		if last, _ = l.Position(); last < size*9/10 {
			t.Errorf("%s: %d of %d at the end", path, last, size)
		}
		l.Close()
	}
	s, err := logfile.OpenReader("-", strings.NewReader(exampleLog), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if read, size := s.Position(); read != 0 || size != 0 {
		t.Errorf("a stream is at %d of %d", read, size)
	}
}
