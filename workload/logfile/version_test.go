package logfile_test

import (
	"bytes"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Both kinds of Parquet files name the version of the module, and no build.
func TestParquetNamesTheVersion(t *testing.T) {
	var jobs, plain bytes.Buffer
	w, err := logfile.NewWriter("parquet", &jobs, workload.Header{}, workload.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	type row struct {
		X int `json:"x"`
	}
	if err := (columnar.PlainForm[row]{Schema: "test/1"}).Write("parquet", &plain, func(func(row) error) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"jobs": jobs.Bytes(), "plain": plain.Bytes()} {
		// The length stands in front of a string of Thrift's compact form.
		want := append([]byte{byte(len(version.CreatedBy))}, version.CreatedBy...)
		if bytes.Count(b, []byte(" version ")) != 1 || !bytes.Contains(b, want) {
			t.Errorf("%s: created_by is not %q", name, version.CreatedBy)
		}
	}
}
