package columnar_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// The library's own Parquet writer and reader on the same table, in the
// settings that were measured to suit it best: zstd, pages of 64 KiB, row
// groups as ours, columns read in parallel. The reader is the unguarded one,
// which a damaged file kills the process with.

func writeByLibrary(b *testing.B, recs []arrow.Record) []byte {
	var out bytes.Buffer
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageSize(64<<10),
		parquet.WithMaxRowGroupLength(columnar.GroupRows), parquet.WithBatchSize(workload.DefaultBatchRows))
	w, err := pqarrow.NewFileWriter(workload.Schema(), &out, props, pqarrow.DefaultWriterProps())
	if err != nil {
		b.Fatal(err)
	}
	for _, rec := range recs {
		if err := w.WriteBuffered(rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

func BenchmarkRivalWriteParquet(b *testing.B) {
	recs := benchRecords(b)
	var size int
	for b.Loop() {
		size = len(writeByLibrary(b, recs))
	}
	logtest.ReportJobs(b, benchJobs)
	b.ReportMetric(float64(size)/benchJobs, "B/job")
}

func BenchmarkRivalReadParquet(b *testing.B) {
	data := writeByLibrary(b, benchRecords(b))
	for b.Loop() {
		r, err := file.NewParquetReader(bytes.NewReader(data))
		if err != nil {
			b.Fatal(err)
		}
		a, err := pqarrow.NewFileReader(r, pqarrow.ArrowReadProperties{Parallel: true, BatchSize: workload.DefaultBatchRows}, memory.DefaultAllocator)
		if err != nil {
			b.Fatal(err)
		}
		table, err := a.ReadTable(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		if table.NumRows() != benchJobs {
			b.Fatalf("%d rows", table.NumRows())
		}
		table.Release()
	}
	logtest.ReportJobs(b, benchJobs)
}
