package mapping_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// Columns that are within their limits separately may exceed the limit together. The file's pages
// are 40 MiB of zeros each, in some hundred kilobytes.
func TestParquetBomb(t *testing.T) {
	zeros := array.NewInt64Builder(memory.DefaultAllocator)
	zeros.AppendValues(make([]int64, 5<<20), nil)
	column := zeros.NewArray()
	for name, names := range map[string][]string{
		"ours": {"job_id", "user_id", "group_id", "queue_id", "status", "partition_id"},
		"wta":  {"id", "ts_submit", "runtime", "wait_time", "user_id", "group_id"},
	} {
		t.Run(name, func(t *testing.T) {
			var fields []arrow.Field
			for _, n := range names {
				fields = append(fields, arrow.Field{Name: n, Type: column.DataType()})
			}
			rec := array.NewRecord(arrow.NewSchema(fields, nil), slices.Repeat([]arrow.Array{column}, len(names)), int64(column.Len()))
			bomb := logtest.ForeignParquet(t, rec, 1<<30, parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<30), parquet.WithBatchSize(1<<30), parquet.WithCompression(compress.Codecs.Zstd))
			if len(bomb) > 1<<20 {
				t.Fatalf("%d bytes are no bomb", len(bomb))
			}
			_, err := logtest.Drain(logtest.OpenParquetBytes(bomb, workload.Options{}))
			var input *workload.InputError
			if want := "the pages of a row group take more than 192 MiB together"; !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %s", err, want)
			}
		})
	}
}
