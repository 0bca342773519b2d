package workload

import (
	"bytes"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/version"
)

// Both kinds of Parquet files name the version of the module, and no build.
func TestParquetNamesTheVersion(t *testing.T) {
	var jobs, plain bytes.Buffer
	w, err := NewWriter("parquet", &jobs, Header{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := NewPlainTable("parquet", &plain, "test/1", []PlainColumn{{Name: "x", Kind: PlainFloat}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
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
