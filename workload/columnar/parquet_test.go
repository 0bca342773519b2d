package columnar_test

import (
	"bufio"
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// columnarFormats are the formats that store all columns, with their readers.
var columnarFormats = []struct {
	format string
	open   func(b []byte, o workload.Options) (*workload.Log, error)
}{
	{"parquet", logtest.OpenParquetBytes},
	{"arrow", openArrow},
	{"arrows", openArrowStream},
}

func openArrow(b []byte, o workload.Options) (*workload.Log, error) {
	return mapping.Arrow.OpenAt("x.arrow", bytes.NewReader(b), int64(len(b)), o)
}

func openArrowStream(b []byte, o workload.Options) (*workload.Log, error) {
	return mapping.ArrowStream.Open("x.arrows", bufio.NewReader(bytes.NewReader(b)), o)
}

func TestColumnarRoundTrip(t *testing.T) {
	for _, f := range columnarFormats {
		t.Run(f.format, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				h := workload.Header{Lines: rapid.SliceOfN(rapid.SampledFrom([]string{" Version: 2.2", "", "   continued", " Note: caf\xe9", " Computer: \u00e9"}), 0, 4).Draw(t, "lines")}
				recs := logtest.RandomBatches(t)
				var b bytes.Buffer
				w, err := map[string]workload.Format{"parquet": mapping.Parquet, "arrow": mapping.Arrow, "arrows": mapping.ArrowStream}[f.format].Create(&b, h, workload.WriteOptions{Columns: workload.OptionalColumns, Workers: rapid.IntRange(1, 2).Draw(t, "writers")})
				if err != nil {
					t.Fatal(err)
				}
				logtest.WriteAll(t, w, logtest.Sequence(recs))
				l, err := f.open(b.Bytes(), workload.Options{Workers: rapid.IntRange(1, 2).Draw(t, "readers")})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(l.Header.Lines, h.Lines) {
					t.Fatalf("header %q, want %q", l.Header.Lines, h.Lines)
				}
				logtest.SameBatches(t, logtest.Collect(t, l.Batches()), logtest.Collect(t, logtest.Sequence(recs)))
				for _, w := range l.Warnings() { // the values are arbitrary
					if w.Rule != "submit-order" && !strings.HasPrefix(w.Rule, "negative-") {
						t.Fatal(w)
					}
				}
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func TestParquetGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	// Columns with nulls, batches that cross the border of a row group, and batch sizes that are
	// not multiples of anything.
	const jobs = 2*columnar.GroupRows + 1234
	b := parquetBytes(t, workload.Header{}, logtest.MadeUpLog(1, jobs, 10_007))
	r, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if n := r.NumRowGroups(); n != 3 {
		t.Errorf("%d row groups, want 3", n)
	}
	for g := range r.NumRowGroups() {
		if n := r.RowGroup(g).NumRows(); n > columnar.GroupRows {
			t.Errorf("row group of %d rows", n)
		}
		for i := range workload.NumColumns {
			c, err := r.MetaData().RowGroup(g).ColumnChunk(i)
			if err != nil {
				t.Fatal(err)
			}
			if c.Compression() != compress.Codecs.Zstd {
				t.Errorf("%s is compressed by %v", workload.ColumnAt(i).Name, c.Compression())
			}
		}
	}
	l := jobtest.Must(logtest.OpenParquetBytes(b, workload.Options{}))
	logtest.SameBatches(t, logtest.Collect(t, l.Batches()), logtest.Collect(t, logtest.MadeUpLog(1, jobs, workload.DefaultBatchRows)))
}
