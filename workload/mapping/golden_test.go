package mapping_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// Each built-in mapping has a made file, testdata/made/NAME.*, and what comes of it by
// hand, NAME.want: the columns that are known, and the warnings. A .typed.csv becomes
// Parquet, of the types that its first line names.
func TestMadeFiles(t *testing.T) {
	for _, m := range mapping.List() {
		t.Run(m.Name, func(t *testing.T) {
			want := filepath.Join("testdata", "made", m.Name+".want")
			inputs, _ := filepath.Glob(filepath.Join("testdata", "made", m.Name+".*"))
			if len(inputs) < 2 {
				t.Fatalf("%d files, want a made one and %s", len(inputs), want)
			}
			for _, input := range inputs {
				if input == want {
					continue
				}
				if strings.HasSuffix(input, ".typed.csv") {
					input = typed(t, input)
				}
				sameAs(t, input, want, workload.Options{As: m.Name})
				if m.Exactly != nil || m.Fields != nil {
					sameAs(t, input, want, workload.Options{})
				}
			}
		})
	}
}

// A mapping reads the same table from lines of JSON, an array of objects and CSV with
// semicolons, numbers as such and as texts.
func TestForms(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "made", "eagle.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var objects []string
	for _, row := range rows[1:] {
		var members []string
		for i, text := range row {
			value := strconv.Quote(text)
			if _, err := strconv.ParseFloat(text, 64); err == nil && len(objects) > 0 {
				value = text
			} else if text == "" {
				value = "null"
			}
			members = append(members, strconv.Quote(rows[0][i])+": "+value)
		}
		objects = append(objects, "{"+strings.Join(members, ", ")+"}")
	}
	want := filepath.Join("testdata", "made", "eagle.want")
	for name, text := range map[string]string{
		"jobs.jsonl":  strings.Join(objects, "\n") + "\n",
		"bom.jsonl":   "\xef\xbb\xbf" + strings.Join(objects, "\r\n"),
		"jobs.json":   "[" + strings.Join(objects, ",") + "]",
		"indent.json": "[\n  " + strings.Join(objects, ",\n  ") + "\n]\n",
		"jobs.csv":    strings.ReplaceAll(string(data), ",", ";"),
	} {
		path := write(t, name, text)
		sameAs(t, path, want, workload.Options{As: "eagle"})
		sameAs(t, path, want, workload.Options{})
		sameAs(t, path, want, workload.Options{MapFile: filepath.Join("sources", "eagle.json"), Workers: 1})
	}
}

// sameAs reads a file and holds it against what is wanted.
func sameAs(t *testing.T, input, want string, o workload.Options) {
	t.Helper()
	data, err := os.ReadFile(want)
	if err != nil {
		t.Fatal(err)
	}
	table, notes, _ := strings.Cut(string(data), "\n\n")
	notes, _, _ = strings.Cut(notes, "\n\nBy hand")
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	l, err := logfile.Open(input, o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	n := 0
	for rec, err := range l.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		v := rec
		for i := range v.Rows {
			if n++; n >= len(rows) {
				t.Fatalf("more than %d jobs", len(rows)-1)
			}
			for col := range workload.NumColumns {
				sameValue(t, l, v, col, i, rows[0], rows[n])
			}
		}
	}
	if n != len(rows)-1 {
		t.Errorf("%d jobs, want %d", n, len(rows)-1)
	}
	var got []string
	for _, line := range l.Header.Lines {
		if key, _, _ := strings.Cut(strings.TrimSpace(line), ":"); !strings.Contains("User Group Application Queue Partition Account QOS GPUType", key) {
			got = append(got, strings.TrimSpace(line))
		}
	}
	for _, w := range l.Warnings() {
		got = append(got, w.String())
	}
	if g := strings.Join(got, "\n"); g != strings.TrimSpace(notes) {
		t.Errorf("%s: header and warnings\n%s\nwant\n%s", input, g, notes)
	}
}

// sameValue holds a value of a job against the row that is wanted: a name where the
// column has names.
func sameValue(t *testing.T, l *workload.Log, v *workload.Batch, col, i int, head, row []string) {
	t.Helper()
	c, want, got := workload.ColumnAt(col), "", ""
	for at, name := range head {
		if name == c.Name {
			want = row[at]
		}
	}
	if c.Float() {
		if x := v.Float(col, i); !math.IsNaN(x) {
			got = strconv.FormatFloat(x, 'g', -1, 64)
			if y, err := strconv.ParseFloat(want, 64); err == nil && y == x {
				got = want
			}
		}
	} else if n := v.Int(col, i); n != workload.Unknown {
		got = strconv.FormatInt(n, 10)
		if name, ok := l.Names().Text(col, n); ok && c.NameKey != "" {
			got = name
		}
	}
	if got != want {
		t.Errorf("row %d, %s: %q, want %q", i+1, c.Name, got, want)
	}
}

// typed makes Parquet of a CSV whose first line has the columns' types, behind a colon.
func typed(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]arrow.DataType{
		"int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64, "float64": arrow.PrimitiveTypes.Float64, "text": arrow.BinaryTypes.String,
		"utc":  &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"},
		"list": arrow.ListOf(arrow.PrimitiveTypes.Float64),
	}
	var fields []arrow.Field
	for _, name := range rows[0] {
		i := strings.LastIndexByte(name, ':')
		fields = append(fields, arrow.Field{Name: name[:i], Type: types[name[i+1:]], Nullable: true})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, row := range rows[1:] {
		for i, text := range row {
			addTyped(t, b.Field(i), text)
		}
	}
	rec := b.NewRecord()
	defer rec.Release()
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(path), ".typed.csv")+".parquet")
	if err := os.WriteFile(out, logtest.ForeignParquet(t, rec, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	return out
}

func addTyped(t *testing.T, b array.Builder, text string) {
	t.Helper()
	var err error
	switch b := b.(type) {
	case *array.Float64Builder:
		if text != "" {
			var x float64
			x, err = strconv.ParseFloat(text, 64)
			b.Append(x)
			break
		}
		b.AppendNull()
	case *array.ListBuilder:
		b.Append(true)
		b.ValueBuilder().(*array.Float64Builder).Append(100)
	case *array.StringBuilder:
		b.Append(text)
	case *array.TimestampBuilder:
		if text != "" {
			var at time.Time
			at, err = time.Parse(time.DateTime, text)
			b.Append(arrow.Timestamp(at.UnixMicro()))
			break
		}
		b.AppendNull()
	default:
		if text == "" {
			b.AppendNull()
			break
		}
		err = b.AppendValueFromString(text)
	}
	if err != nil {
		t.Fatal(err)
	}
}
