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
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// numbered is a row of the tests.
type numbered struct {
	ID     int     `json:"id" help:"a number"`
	Name   string  `json:"name" help:"a text"`
	Run    float64 `json:"run_s" help:"a time"`
	Memory int64   `json:"memory" unit:"KB" help:"left out"`
}

var plainForm = columnar.PlainForm[numbered]{Schema: "test/1", Without: []string{"memory"}}

// plainRow is what the tests write as row i: every third number is unknown.
func plainRow(i int) (int64, string, float64) {
	id, x := int64(i), float64(i)/3
	if i%3 == 0 {
		id, x = workload.Unknown, math.NaN()
	}
	return id, []string{"a", "b, c", `d"`}[i%3], x
}

// plainRows returns what saves that many rows.
func plainRows(n int) func(func(numbered) error) error {
	return func(save func(numbered) error) error {
		for i := range n {
			id, name, x := plainRow(i)
			if err := save(numbered{int(id), name, x, 0}); err != nil {
				return err
			}
		}
		return nil
	}
}

func writePlain(t *testing.T, format string, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := plainForm.Write(format, &b, plainRows(rows)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Infinity is no value: JSON and many readers of CSV have none.
func TestPlainTableInfinity(t *testing.T) {
	type infinite struct {
		Run float64 `json:"run_s"`
	}
	for _, format := range columnar.PlainFormats() {
		var b bytes.Buffer
		err := columnar.PlainForm[infinite]{Schema: "test/1"}.Write(format, &b, func(save func(infinite) error) error {
			return errors.Join(save(infinite{1}), save(infinite{math.Inf(1)}), save(infinite{math.Inf(-1)}))
		})
		if err != nil {
			t.Fatal(err)
		}
		nulls := 0
		switch format {
		case "csv":
			nulls = strings.Count(strings.TrimPrefix(b.String(), "run_s\n1\n"), "\n")
			if want := "run_s\n1\n\n\n"; b.String() != want {
				t.Errorf("CSV %q, want %q", b.String(), want)
			}
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
		read := 0
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
	if err := plainForm.Write("xlsx", &bytes.Buffer{}, plainRows(1)); err == nil || !strings.Contains(err.Error(), "csv, parquet") {
		t.Errorf("an unknown format: %v", err)
	}
	for _, format := range columnar.PlainFormats() {
		for _, rows := range []int{1000, columnar.PlainRows} {
			saved := 0
			err := plainForm.Write(format, &tornWriter{left: 100}, func(save func(numbered) error) error {
				for saved < rows+10 {
					if err := save(numbered{ID: saved}); err != nil {
						return err
					}
					saved++
				}
				return nil
			})
			if !errors.Is(err, errTorn) {
				t.Errorf("%s: %v, want the error of a torn file", format, err)
			}
			if saved > columnar.PlainRows {
				t.Errorf("%s: %d rows were saved, want an end with the first error", format, saved)
			}
		}
		if err := plainForm.Write(format, &bytes.Buffer{}, func(func(numbered) error) error { return errTorn }); err != errTorn {
			t.Errorf("%s: %v, want the error of the rows", format, err)
		}
	}
}
