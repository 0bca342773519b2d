package columnar_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

const foreignRows = 1 << 20

// foreignTable is a table of jobs as a site might keep it, of 21 columns: numbers,
// times, texts of few values and one of as many as there are rows. A tenth of the
// values are null.
func foreignTable() arrow.Record {
	rng := rand.New(rand.NewPCG(1, 1))
	mem := memory.DefaultAllocator
	valid := func() bool { return rng.IntN(10) > 0 }
	var cells []any
	for c := range 7 {
		b := array.NewInt64Builder(mem)
		for range foreignRows {
			b.Append(rng.Int64N(1 << (4 * c)))
			if !valid() {
				b.AppendNull()
			}
		}
		cells = append(cells, fmt.Sprint("whole", c), array.NewSlice(b.NewArray(), 0, foreignRows))
	}
	for c := range 4 {
		b := array.NewFloat64Builder(mem)
		for range foreignRows {
			if b.Append(rng.ExpFloat64() * 1000); !valid() {
				b.AppendNull()
			}
		}
		cells = append(cells, fmt.Sprint("number", c), array.NewSlice(b.NewArray(), 0, foreignRows))
	}
	for c := range 4 {
		b := array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"})
		at := int64(1.7e15)
		for range foreignRows {
			at += rng.Int64N(60) * 1e6
			if b.Append(arrow.Timestamp(at)); !valid() {
				b.AppendNull()
			}
		}
		cells = append(cells, fmt.Sprint("time", c), array.NewSlice(b.NewArray(), 0, foreignRows))
	}
	for c := range 6 {
		b := array.NewStringBuilder(mem)
		for i := range foreignRows {
			switch {
			case c == 0:
				b.Append(fmt.Sprintf("job-%d", i))
			case valid():
				b.Append(fmt.Sprintf("name%d", rng.IntN(1+40*c*c)))
			default:
				b.AppendNull()
			}
		}
		cells = append(cells, fmt.Sprint("text", c), array.NewSlice(b.NewArray(), 0, foreignRows))
	}
	return logtest.Table(cells...)
}

// BenchmarkForeign reads all columns of a foreign table, by Source and, without its
// care for damaged files, by Arrow's library.
func BenchmarkForeign(b *testing.B) {
	rec := foreignTable()
	data := logtest.ForeignParquet(b, rec, foreignRows, parquet.WithCompression(compress.Codecs.Snappy), parquet.WithMaxRowGroupLength(columnar.GroupRows), parquet.WithBatchSize(foreignRows), parquet.WithDataPageSize(64<<10))
	var columns []workload.TableColumn
	s, err := columnar.OpenSource("x", bytes.NewReader(data), int64(len(data)), workload.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range s.Columns() {
		columns = append(columns, workload.TableColumn{Name: c.Name, Kind: c.Kind})
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("reader=source,workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := columnar.OpenSource("x", bytes.NewReader(data), int64(len(data)), workload.Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				n := 0
				for rows, err := range s.Read(columns) {
					if err != nil {
						b.Fatal(err)
					}
					n += rows.Rows
				}
				if n != foreignRows {
					b.Fatal(n)
				}
			}
			logtest.ReportJobs(b, foreignRows)
		})
	}
	b.Run("reader=arrow", func(b *testing.B) {
		b.ReportAllocs()
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
			if table.NumRows() != foreignRows {
				b.Fatal(table.NumRows())
			}
			table.Release()
		}
		logtest.ReportJobs(b, foreignRows)
	})
}
