package columnar_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

var plainColumns = []columnar.PlainColumn{
	{Name: "id", Unit: "", Meaning: "a number", Kind: columnar.PlainInt}, {Name: "name", Unit: "", Meaning: "a text", Kind: columnar.PlainText}, {Name: "run_s", Unit: "s", Meaning: "a time", Kind: columnar.PlainFloat},
}

// plainRow is what the tests write as row i: every third number is unknown.
func plainRow(i int) (int64, string, float64) {
	id, x := int64(i), float64(i)/3
	if i%3 == 0 {
		id, x = workload.Unknown, math.NaN()
	}
	return id, []string{"a", "b, c", `d"`}[i%3], x
}

func writePlain(t *testing.T, format string, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	table, err := columnar.NewPlainTable(format, &b, "test/1", plainColumns)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		id, name, x := plainRow(i)
		table.Int(id)
		table.Text(name)
		table.Float(x)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Infinity is no value: JSON and many readers of CSV have none.
func TestPlainTableInfinity(t *testing.T) {
	for _, format := range columnar.PlainFormats() {
		var b bytes.Buffer
		table, err := columnar.NewPlainTable(format, &b, "test/1", plainColumns[2:])
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []float64{1, math.Inf(1), math.Inf(-1)} {
			table.Float(x)
		}
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
		nulls := 0
		switch format {
		case "csv":
			nulls = strings.Count(strings.TrimPrefix(b.String(), "run_s\n1\n"), "\n")
			if want := "run_s\n1\n\n\n"; b.String() != want {
				t.Errorf("CSV %q, want %q", b.String(), want)
			}
		case "arrow":
			f, err := ipc.NewFileReader(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			rec, err := f.Record(0)
			if err != nil {
				t.Fatal(err)
			}
			nulls = rec.Column(0).NullN()
		case "parquet":
			got, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(b.Bytes()), parquet.NewReaderProperties(memory.DefaultAllocator), pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
			if err != nil {
				t.Fatal(err)
			}
			nulls = got.Column(0).NullN()
			got.Release()
		}
		if nulls != 2 {
			t.Errorf("%s: %d nulls, want 2", format, nulls)
		}
	}
}

// checkPlain compares batches with what was written, and returns the rows.
func checkPlain(t *testing.T, rec arrow.Record, from int) int {
	t.Helper()
	ids, names, xs := rec.Column(0).(*array.Int64), rec.Column(1).(*array.String), rec.Column(2).(*array.Float64)
	for r := range int(rec.NumRows()) {
		id, name, x := plainRow(from + r)
		if ids.IsNull(r) != (id == workload.Unknown) || xs.IsNull(r) != math.IsNaN(x) || names.Value(r) != name ||
			id != workload.Unknown && (ids.Value(r) != id || xs.Value(r) != x) {
			t.Fatalf("row %d: %v, %q, %v; want %d, %q, %g", from+r, ids.ValueStr(r), names.Value(r), xs.ValueStr(r), id, name, x)
		}
	}
	return from + int(rec.NumRows())
}

// TestPlainTable reads what is written with the library's readers, over the
// border of a batch.
func TestPlainTable(t *testing.T) {
	for _, rows := range []int{0, 7, columnar.PlainRows + 5} {
		all, err := csv.NewReader(bytes.NewReader(writePlain(t, "csv", rows))).ReadAll()
		if err != nil || len(all) != rows+1 || strings.Join(all[0], " ") != "id name run_s" {
			t.Fatalf("csv: %d records of %d rows, %v", len(all), rows, err)
		}
		for i, record := range all[1:] {
			id, name, x := plainRow(i)
			want := []string{"", name, ""}
			if id != workload.Unknown {
				want = []string{strconv.FormatInt(id, 10), name, strconv.FormatFloat(x, 'g', -1, 64)}
			}
			if strings.Join(record, "|") != strings.Join(want, "|") {
				t.Fatalf("csv: row %d is %q, want %q", i, record, want)
			}
		}

		f, err := ipc.NewFileReader(bytes.NewReader(writePlain(t, "arrow", rows)))
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for i := range f.NumRecords() {
			rec, err := f.Record(i)
			if err != nil {
				t.Fatal(err)
			}
			read = checkPlain(t, rec, read)
		}
		if read != rows {
			t.Errorf("arrow: %d rows, want %d", read, rows)
		}

		p, err := file.NewParquetReader(bytes.NewReader(writePlain(t, "parquet", rows)))
		if err != nil {
			t.Fatal(err)
		}
		reader, err := pqarrow.NewFileReader(p, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil {
			t.Fatal(err)
		}
		table, err := reader.ReadTable(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		read = 0
		for tr := array.NewTableReader(table, 0); tr.Next(); {
			read = checkPlain(t, tr.Record(), read)
		}
		if read != rows || int(p.NumRows()) != rows {
			t.Errorf("parquet: %d rows, %d by its footer, want %d", read, p.NumRows(), rows)
		}
		if unit, _ := table.Schema().Field(2).Metadata.GetValue("unit"); unit != "s" {
			t.Errorf("parquet: the unit is %q", unit)
		}
	}
}

type tornWriter struct{ left int }

func (w *tornWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errTorn
	}
	return len(b), nil
}

var errTorn = errors.New("torn")

func TestPlainTableFaults(t *testing.T) {
	if _, err := columnar.NewPlainTable("xlsx", &bytes.Buffer{}, "", plainColumns); err == nil || !strings.Contains(err.Error(), "csv, parquet, arrow") {
		t.Errorf("an unknown format: %v", err)
	}
	for _, format := range columnar.PlainFormats() {
		table, err := columnar.NewPlainTable(format, &tornWriter{left: 100}, "", plainColumns)
		if err != nil {
			t.Fatal(err)
		}
		for i := range columnar.PlainRows + 1 {
			id, name, x := plainRow(i)
			table.Int(id)
			table.Text(name)
			table.Float(x)
		}
		if err := table.Close(); err == nil || table.Err() == nil {
			t.Errorf("%s: no error of a torn file", format)
		}
	}
}
