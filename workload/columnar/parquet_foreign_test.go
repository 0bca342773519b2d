package columnar_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// The library reads our values, and the unit and meaning of each column.
func TestParquetReadByLibrary(t *testing.T) {
	mem := memory.DefaultAllocator
	want := logtest.Collect(t, logtest.MadeUpLog(4, 50_000, workload.DefaultBatchRows))
	b := parquetBytes(t, workload.Header{Lines: []string{" Version: 2.2"}}, logtest.Sequence([]*workload.Batch{want}))
	table, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(b), parquet.NewReaderProperties(mem), pqarrow.ArrowReadProperties{BatchSize: 1 << 20}, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	r := array.NewTableReader(table, 1<<20)
	defer r.Release()
	if !r.Next() {
		t.Fatal("no rows")
	}
	checkRecord(t, r.Record(), want, workload.NumColumns)
	f, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.MetaData().KeyValueMetadata().FindValue("loadstone.header"); got == nil || *got != " Version: 2.2" {
		t.Error("no header")
	}
}

// checkRecord compares what the library reads with the batch that was written: the first columns of
// the job table, with their values, units and meanings.
func checkRecord(t *testing.T, got arrow.Record, want *workload.Batch, columns int) {
	t.Helper()
	if got.NumCols() != int64(columns) {
		t.Fatalf("%d columns, want %d", got.NumCols(), columns)
	}
	table := recordOf(want)
	for i := range columns {
		c, field := workload.ColumnAt(i), got.Schema().Field(i)
		unit, _ := field.Metadata.GetValue("unit")
		meaning, _ := field.Metadata.GetValue("meaning")
		if field.Name != c.Name || unit != c.Unit || meaning != c.Meaning || !array.Equal(got.Column(i), table.Column(i)) {
			t.Errorf("column %d, want %s, is %v", i, c.Name, field)
		}
	}
}

// Missing or surplus rows are always detected.
func TestParquetCounts(t *testing.T) {
	b := parquetBytes(t, workload.Header{}, logtest.MadeUpLog(1, 40_000, 5000))
	for _, c := range []struct {
		name                 string
		group, total, values int64
		want                 string
	}{
		{"as it is", 0, 0, 0, ""},
		{"one more", 1, 1, 1, "pages end 1 rows before the footer's count"},
		{"far more", 1 << 40, 1 << 40, 1 << 40, "pages end 1099511627776 rows before the footer's count"},
		{"one fewer", -1, -1, -1, "a page of 7232 rows where the footer promises 7231 more"},
		{"a page fewer", -7232, -7232, -7232, "a page of 7232 rows beyond the footer's count"},
		{"one more in all", 0, 1, 0, "40000 rows in row groups and 40001 in all"},
		{"one more in the group", 1, 1, 0, "saw 40000 values, want 40001"},
		{"fewer than none", -50_000, -50_000, -50_000, "-10000 rows in row group 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := logtest.OpenParquetBytes(recount(t, b, c.group, c.total, c.values), workload.Options{})
			rows, err := logtest.Drain(l, err)
			var input *workload.InputError
			switch {
			case c.want == "" && (err != nil || rows != 40_000):
				t.Errorf("%d rows, %v", rows, err)
			case c.want != "" && (!errors.As(err, &input) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%d rows, %v; want %q", rows, err, c.want)
			}
		})
	}
}

// recount rewrites a file's footer with other numbers of rows.
func recount(t *testing.T, b []byte, group, total, values int64) []byte {
	t.Helper()
	r, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	meta := r.MetaData()
	meta.NumRows += total
	meta.RowGroups[0].NumRows += group
	for _, c := range meta.RowGroups[0].Columns {
		c.MetaData.NumValues += values
	}
	size := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	out := bytes.NewBuffer(bytes.Clone(b[:len(b)-8-size]))
	before := out.Len()
	if _, err := meta.WriteTo(out, nil); err != nil {
		t.Fatal(err)
	}
	footer := binary.LittleEndian.AppendUint32(out.Bytes(), uint32(out.Len()-before))
	return append(footer, "PAR1"...)
}
