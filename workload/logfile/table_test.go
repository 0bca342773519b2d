package logfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// tableRow is a row of the tables here.
type tableRow struct {
	ID      int64   `json:"job_id"`
	Name    string  `json:"predictor"`
	Seconds float64 `json:"predicted_s"`
}

var tableColumns = []workload.TableColumn{
	{Name: "job_id", Kind: workload.TableWhole}, {Name: "predicted_s", Kind: workload.TableNumber},
	{Name: "predictor", Kind: workload.TableText, Optional: true}, {Name: "quantile", Kind: workload.TableNumber, Optional: true},
}

// rowsOf reads a whole table, a line each.
func rowsOf(t *testing.T, path string) ([]string, error) {
	t.Helper()
	table, done, err := OpenTable(path, tableColumns)
	if err != nil {
		return nil, err
	}
	defer done()
	var all []string
	for r, err := range table {
		if err != nil {
			return all, err
		}
		for i := range r.Rows {
			line := fmt.Sprintf("%d: %d %g", r.At(i), r.Columns[0].Whole[i], r.Columns[1].Number[i])
			if r.Columns[2].HasText() {
				line += " " + r.Columns[2].TextAt(i)
			}
			if r.Columns[3].Number != nil {
				line += fmt.Sprintf(" %g", r.Columns[3].Number[i])
			}
			all = append(all, line)
		}
	}
	return all, nil
}

func writeText(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var w io.Writer = f
	if strings.HasSuffix(name, ".gz") {
		z := gzip.NewWriter(f)
		defer z.Close()
		w = z
	}
	io.WriteString(w, text)
	return path
}

// TestTable reads the same table as text, compressed, and from Parquet that this
// program wrote.
func TestTable(t *testing.T) {
	const csv = "other, Predicted_S ,predictor,job_id,quantile\n\nx,1.5,a,7,\n" + `"y, z",2e2,"b",8,0.95` + "\nz,NaN,a,9,NA\nz,-inf,a,10,.5\n"
	want := []string{"3: 7 1.5 a NaN", "4: 8 200 b 0.95", "5: 9 NaN a NaN", "6: 10 -Inf a 0.5"}
	for _, name := range []string{"p.csv", "p.csv.gz", "p.txt"} {
		got, err := rowsOf(t, writeText(t, name, csv))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}

// TestTableColumnar reads tables from Parquet and Arrow files that this program wrote,
// plain and compressed, and none of them cut short.
func TestTableColumnar(t *testing.T) {
	form := columnar.PlainForm[tableRow]{Schema: "test/1"}
	for _, format := range []string{"parquet", "arrow"} {
		path := filepath.Join(t.TempDir(), "p."+format)
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		const n = 200_000 // more than a batch
		err = form.Write(format, f, func(save func(tableRow) error) error {
			for i := range int64(n) {
				row := tableRow{ID: i, Name: []string{"a", "b"}[i%2], Seconds: float64(i) / 4}
				if i == 7 {
					row.Seconds = math.NaN()
				}
				if err := save(row); err != nil {
					return err
				}
			}
			return nil
		})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		got, err := rowsOf(t, path)
		if err != nil || len(got) != n || got[n-1] != "200000: 199999 49999.75 b" || got[n-2] != "199999: 199998 49999.5 a" || got[7] != "8: 7 NaN b" {
			t.Errorf("%s: %d rows, %v, the last %q", format, len(got), err, got[max(0, len(got)-2):])
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err = rowsOf(t, writeText(t, "p."+format+".gz", string(data))); err != nil || len(got) != n {
			t.Errorf("compressed %s: %d rows, %v", format, len(got), err)
		}
		for cut := range 40 {
			if _, err := rowsOf(t, writeText(t, "cut."+format, string(data[:len(data)*cut/40]))); err == nil {
				t.Errorf("%s: %d of 40 parts are read without an error", format, cut)
			}
		}
	}
}

// TestTableArrowOfOthers reads the types that other programs write: texts as
// categories and as large texts, numbers of other widths, a column of nulls; and it
// refuses what cannot be a prediction.
func TestTableArrowOfOthers(t *testing.T) {
	mem := memory.DefaultAllocator
	category := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	write := func(stream bool, fields []arrow.Field, json string) string {
		t.Helper()
		schema := arrow.NewSchema(fields, nil)
		rec, _, err := array.RecordFromJSON(mem, schema, strings.NewReader(json))
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Release()
		path := filepath.Join(t.TempDir(), "p.arrow")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var w interface {
			Write(arrow.Record) error
			Close() error
		}
		if stream {
			w = ipc.NewWriter(f, ipc.WithSchema(schema), ipc.WithZstd())
		} else if w, err = ipc.NewFileWriter(f, ipc.WithSchema(schema), ipc.WithLZ4()); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(rec), w.Close()); err != nil {
			t.Fatal(err)
		}
		return path
	}
	field := func(name string, kind arrow.DataType) arrow.Field {
		return arrow.Field{Name: name, Type: kind, Nullable: true}
	}
	want := []string{"1: 7 1.5 mine NaN", "2: 8 NaN  NaN", "3: 9 2 mine NaN"}
	for _, c := range []struct {
		id, seconds, name, quantile arrow.DataType
	}{
		{arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Float64, arrow.BinaryTypes.String, arrow.Null},
		{arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Float32, arrow.BinaryTypes.LargeString, arrow.Null},
		{arrow.PrimitiveTypes.Float64, arrow.PrimitiveTypes.Float64, category, arrow.PrimitiveTypes.Float64},
	} {
		for _, stream := range []bool{false, true} {
			path := write(stream, []arrow.Field{field("predictor", c.name), field("job_id", c.id), field("predicted_s", c.seconds), field("quantile", c.quantile)},
				`[{"job_id":7,"predicted_s":1.5,"predictor":"mine"},{"job_id":8},{"job_id":9,"predicted_s":2,"predictor":"mine"}]`)
			got, err := rowsOf(t, path)
			for i := range got { // a column of nulls is none
				if c.quantile == arrow.Null {
					got[i] += " NaN"
				}
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%v, stream %v: %q, %v", c, stream, got, err)
			}
		}
	}
	for want, fields := range map[string][]arrow.Field{
		"job_id: saw utf8 values, want whole numbers":       {field("job_id", arrow.BinaryTypes.String), field("predicted_s", arrow.PrimitiveTypes.Float64)},
		"job_id: saw null values, want whole numbers":       {field("job_id", arrow.Null), field("predicted_s", arrow.Null)},
		"predicted_s: saw bool values, want numbers":        {field("job_id", arrow.PrimitiveTypes.Int64), field("predicted_s", arrow.FixedWidthTypes.Boolean)},
		"predicted_s: saw duration[s] values, want numbers": {field("job_id", arrow.PrimitiveTypes.Int64), field("predicted_s", arrow.FixedWidthTypes.Duration_s)},
		"predictor: saw float64 values, want texts":         {field("job_id", arrow.PrimitiveTypes.Int64), field("predicted_s", arrow.PrimitiveTypes.Float64), field("predictor", arrow.PrimitiveTypes.Float64)},
		`columns: saw "job_id", want one with the name`:     {field("job_id", arrow.PrimitiveTypes.Int64)},
	} {
		if _, err := rowsOf(t, write(false, fields, `[]`)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	half := write(false, []arrow.Field{field("job_id", arrow.PrimitiveTypes.Float64), field("predicted_s", arrow.PrimitiveTypes.Float64)}, `[{"job_id":7},{"job_id":7.5}]`)
	if _, err := rowsOf(t, half); err == nil || !strings.Contains(err.Error(), "row 2: saw 7.5, want a whole number") {
		t.Error(err)
	}
}

// TestTableFaults: the file, line and field of what cannot be read.
func TestTableFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "p.csv: saw an empty file, want a table in CSV, Parquet or Arrow"},
		{"\n\n", "p.csv: saw no names of columns, want a first line with them"},
		{"job,predicted_s\n1,2\n", `p.csv:1: columns: saw "job, predicted_s", want one with the name "job_id"`},
		{"job_id,job_id,predicted_s\n", `p.csv:1: columns: saw "job_id" twice, want it once`},
		{"job_id,predicted_s\n1,2\n2\n", "p.csv:3: saw 1 field, want 2, as in the first line"},
		{"job_id,predicted_s\n\n1,2\nx,2\n", `p.csv:4: job_id: saw "x", want a whole number`},
		{"job_id,predicted_s\n1,1:30\n", `p.csv:2: predicted_s: saw "1:30", want a number`},
		{"job_id,predicted_s\n1,\"2\n", `p.csv:2: saw a quote that is not closed`},
		{"ARROW1\x00\x00", "p.csv: saw 8 bytes, want an Arrow file"},
	} {
		path := writeText(t, "p.csv", c.text)
		_, err := rowsOf(t, path)
		var fault *workload.InputError
		if !errors.As(err, &fault) || !strings.HasPrefix(strings.Replace(err.Error(), filepath.Dir(path)+"/", "", 1), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	if _, err := rowsOf(t, t.TempDir()); err == nil || !strings.Contains(err.Error(), "saw a directory") {
		t.Error(err)
	}
}

// FuzzTable: no table makes its reader panic.
func FuzzTable(f *testing.F) {
	form := columnar.PlainForm[tableRow]{Schema: "test/1"}
	for _, format := range []string{"parquet", "arrow"} {
		var b bytes.Buffer
		if err := form.Write(format, &b, func(save func(tableRow) error) error { return save(tableRow{1, "a", 2}) }); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Add([]byte("job_id,predicted_s\n1,2\n"))
	f.Add([]byte("PAR1xxxxPAR1"))
	f.Add([]byte("ARROW1\x00\x00xxxxARROW1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rowsOf(t, writeText(t, "p.csv", string(data)))
	})
}
