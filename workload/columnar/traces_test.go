package columnar_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Every real log goes through Parquet and Arrow unchanged, header and all.
func TestColumnarTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := reallogs.Path(t, "swf")
	var paths []string
	for _, pattern := range []string{"*.swf", "*.swf.gz"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) == 0 {
		t.Skipf("no logs in %s", dir)
	}
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "not-") {
			continue // no log, for tests of bad input
		}
		for _, format := range []string{".parquet", ".arrow"} {
			t.Run(filepath.Base(path)+format, func(t *testing.T) {
				from, err := logfile.Open(path, workload.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer from.Close()
				to := filepath.Join(t.TempDir(), "x"+format)
				o, err := logfile.Create(to, from.Header, workload.WriteOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer o.Abort()
				if err := o.WriteAll(from.Batches()); err != nil {
					t.Fatal(err)
				}
				if err := o.Commit(); err != nil {
					t.Fatal(err)
				}
				sameLogs(t, path, to)
			})
		}
	}
}

// sameLogs compares two files, batch by batch.
func sameLogs(t *testing.T, a, b string) {
	t.Helper()
	var logs [2]*workload.Log
	for i, path := range []string{a, b} {
		l, err := logfile.Open(path, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		logs[i] = l
	}
	if d := cmp.Diff(logs[0].Header, logs[1].Header); d != "" {
		t.Error(d)
	}
	next, stop := pullBatches(logs[1])
	defer stop()
	rest, at := next(), int64(0)
	rows := 0
	for rec, err := range logs[0].Batches() {
		if err != nil {
			t.Fatal(err)
		}
		for from := int64(0); from < rec.NumRows(); {
			if rest == nil {
				t.Fatalf("%d rows, and then no more", rows)
			}
			n := min(rec.NumRows()-from, rest.NumRows()-at)
			for i := range workload.NumColumns {
				if !array.SliceEqual(rec.Column(i), from, from+n, rest.Column(i), at, at+n) {
					t.Fatalf("%s differs in rows %d to %d", workload.ColumnAt(i).Name, rows+1, rows+int(n))
				}
			}
			from, at, rows = from+n, at+n, rows+int(n)
			if at == rest.NumRows() {
				rest, at = next(), 0
			}
		}
	}
	if rest != nil {
		t.Errorf("more than %d rows", rows)
	}
}
