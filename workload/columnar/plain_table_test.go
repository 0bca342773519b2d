package columnar_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// numbered is a row of the tests.
type numbered struct {
	ID     int64   `json:"id" help:"a number"`
	Name   string  `json:"name" help:"a text"`
	Run    float64 `json:"run_s" help:"a time"`
	Memory int64   `json:"memory" unit:"KB" help:"left out"`
}

var plainForm = columnar.PlainForm[numbered]{Schema: "test/1", Without: []string{"memory"}}

// plainRow is row i: every third number is unknown, or infinite, which is no value in JSON
// and many readers of CSV.
func plainRow(i int) (row numbered, cells []string) {
	row = numbered{ID: int64(i), Name: []string{"a", "b, c", `d"`}[i%3], Run: float64(i) / 3}
	if i%3 == 0 {
		row.ID, row.Run = workload.Unknown, []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[i/3%3]
		return row, []string{"", row.Name, ""}
	}
	return row, []string{strconv.Itoa(i), row.Name, strconv.FormatFloat(row.Run, 'g', -1, 64)}
}

func writePlain(t *testing.T, format string, rows int) []byte {
	t.Helper()
	var b bytes.Buffer
	err := plainForm.Write(format, &b, func(save func(numbered) error) error {
		for i := range rows {
			row, _ := plainRow(i)
			if err := save(row); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Other readers find what is written, over the border of a row group.
func TestPlainTable(t *testing.T) {
	for _, rows := range []int{0, 7, columnar.GroupRows + 5} {
		all, err := csv.NewReader(bytes.NewReader(writePlain(t, "csv", rows))).ReadAll()
		if err != nil || len(all) != rows+1 || strings.Join(all[0], " ") != "id name run_s" {
			t.Fatalf("csv: %d records of %d rows, %v", len(all), rows, err)
		}
		table, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(writePlain(t, "parquet", rows)), parquet.NewReaderProperties(memory.DefaultAllocator), pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
		if err != nil || int(table.NumRows()) != rows {
			t.Fatalf("parquet: %v", err)
		}
		read := 0
		for tr := array.NewTableReader(table, 0); tr.Next(); {
			rec := tr.Record()
			for r := range int(rec.NumRows()) {
				var cells []string
				for c := range 3 {
					text := rec.Column(c).ValueStr(r)
					if rec.Column(c).IsNull(r) {
						text = ""
					}
					cells = append(cells, text)
				}
				if _, want := plainRow(read); !slices.Equal(cells, want) || !slices.Equal(all[1+read], want) {
					t.Fatalf("row %d: %q in Parquet, %q in CSV; want %q", read, cells, all[1+read], want)
				}
				read++
			}
		}
		if unit, _ := table.Schema().Field(2).Metadata.GetValue("unit"); unit != "s" || read != rows {
			t.Errorf("parquet: the unit is %q, %d rows", unit, read)
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
	none := func(func(numbered) error) error { return errTorn }
	if err := plainForm.Write("xlsx", &bytes.Buffer{}, none); err == nil || !strings.Contains(err.Error(), "csv, parquet") {
		t.Errorf("an unknown format: %v", err)
	}
	for _, format := range columnar.PlainFormats() {
		for _, rows := range []int{1000, columnar.GroupRows + 10} { // which the end writes, and the end of a row group
			saved := 0
			err := plainForm.Write(format, &tornWriter{left: 100}, func(save func(numbered) error) (err error) {
				for ; err == nil && saved < rows; saved++ {
					err = save(numbered{ID: int64(saved)})
				}
				return err
			})
			if !errors.Is(err, errTorn) || saved > columnar.GroupRows {
				t.Errorf("%s: %v after %d rows, want the error of a torn file", format, err, saved)
			}
		}
		if err := plainForm.Write(format, &bytes.Buffer{}, none); err != errTorn {
			t.Errorf("%s: %v, want the error of the rows", format, err)
		}
	}
}
