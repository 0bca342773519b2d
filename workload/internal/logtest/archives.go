package logtest

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// Archives reads the tables of testdata/tables. In each archive, options have a line for each
// option, columns are those of a mapping, and mapping is a whole one: each replaces the one before.
// Other files are tables, or what follows a name in the error of the mapping; want is what comes of
// those before it: an error, or jobs as in a .want file. \r, \xe9 and \end stand for a carriage
// return, a byte and the end of a text without a newline.
func Archives(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "tables", "*.txt"))
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var o workload.Options
		var inputs []string
		unescape := strings.NewReplacer(`\r`, "\r", `\xe9`, "\xe9", "\\end\n", "")
		for _, f := range archive.Files {
			text := string(f.Data)
			switch f.Name {
			case "options":
				o = workload.Options{Map: map[string]string{}}
				for line := range strings.Lines(text) {
					key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
					switch column, isPair := strings.CutPrefix(key, "map "); {
					case isPair:
						o.Map[column] = value
					case key == "timezone":
						o.TimeZone = value
					default:
						o.As = value
					}
				}
			case "columns":
				o = workload.Options{MapFile: write(t, "m.json", MappingOf(strings.TrimSpace(text)))}
			case "mapping":
				o = workload.Options{MapFile: write(t, "m.json", strings.TrimSpace(text))}
			case "want":
				if inputs == nil {
					inputs = []string{write(t, "t.csv", "a\n1\n")}
				}
				for _, input := range inputs {
					t.Run(filepath.Base(path)+"/"+filepath.Base(input), func(t *testing.T) { ReadsAs(t, input, text, o) })
				}
				inputs = nil
			default:
				inputs = append(inputs, write(t, f.Name, unescape.Replace(text)))
			}
		}
		if inputs != nil {
			t.Errorf("%s: nothing is wanted of %q", path, inputs)
		}
	}
}

// ReadsAs holds what comes of a file against what is wanted: a table of the columns that are
// known, a blank line, the lines of the header that are no names, and the warnings; or an error.
func ReadsAs(t *testing.T, input, want string, o workload.Options) {
	t.Helper()
	if strings.HasSuffix(input, ".typed.csv") {
		input = Typed(t, input)
	}
	table, notes, _ := strings.Cut(want, "\n\n")
	notes, _, _ = strings.Cut(notes, "\n\nBy hand")
	jobs, gotNotes, err := JobsOf(input, o)
	if err != nil {
		text := err.Error()
		for _, dir := range []string{filepath.Dir(input) + "/", filepath.Dir(o.MapFile) + "/"} {
			text = strings.ReplaceAll(text, dir, "")
		}
		var fault *workload.InputError
		if part, ok := strings.CutPrefix(strings.TrimSpace(want), "error: "); !ok || !strings.Contains(text, part) || !errors.As(err, &fault) && !strings.HasPrefix(part, "timezone") {
			t.Errorf("error: %s\nwant\n%s", text, want)
		}
		return
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows) != len(jobs)+1 || gotNotes != strings.TrimSpace(notes) {
		t.Fatalf("%v\n%v\n%s\nwant\n%s", err, jobs, gotNotes, want)
	}
	for i, job := range jobs {
		for at, column := range rows[0] {
			x, err1 := strconv.ParseFloat(job[column], 64)
			y, err2 := strconv.ParseFloat(rows[i+1][at], 64)
			if got := job[column]; got != rows[i+1][at] && (err1 != nil || err2 != nil || x != y) {
				t.Errorf("row %d, %s: %q, want %q", i+1, column, got, rows[i+1][at])
			}
			delete(job, column)
		}
		if len(job) > 0 {
			t.Errorf("row %d: also %v", i+1, job)
		}
	}
}

// JobsOf reads a file: the values of each job that are known, names in place of their numbers.
func JobsOf(path string, o workload.Options) (jobs []map[string]string, notes string, err error) {
	l, err := logfile.Open(path, o)
	if err != nil {
		return nil, "", err
	}
	defer l.Close()
	for j, err := range l.Jobs() {
		if err != nil {
			return nil, "", err
		}
		job := map[string]string{}
		for col := range workload.NumColumns {
			c := workload.ColumnAt(col)
			if !c.Known(&j) {
				continue
			}
			if job[c.Name] = strconv.FormatFloat(c.Number(&j), 'g', -1, 64); !c.Float() {
				job[c.Name] = strconv.FormatInt(c.Int(&j), 10)
			}
			if names := l.Names(); names != nil && c.NameKey != "" {
				if name, ok := names.Text(col, c.Int(&j)); ok {
					job[c.Name] = name
				}
			}
		}
		jobs = append(jobs, job)
	}
	var lines []string
	for _, line := range l.Header.Lines {
		if key, _, _ := strings.Cut(strings.TrimSpace(line), ":"); !strings.Contains("User Group Application Queue Partition Account QOS GPUType", key) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	for _, w := range l.Warnings() {
		lines = append(lines, w.String())
	}
	return jobs, strings.Join(lines, "\n"), nil
}

// Typed makes Parquet of a CSV file whose first line has the columns' types, behind a colon.
func Typed(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimSuffix(filepath.Base(path), ".typed.csv") + ".parquet"
	return write(t, name, string(ForeignParquet(t, TypedRecord(t, string(data)), 2)))
}

// arrowTypes are types of Arrow's by their names in the first line of a typed table.
var arrowTypes = map[string]arrow.DataType{
	"int16": arrow.PrimitiveTypes.Int16, "int32": arrow.PrimitiveTypes.Int32, "int64": arrow.PrimitiveTypes.Int64,
	"uint8": arrow.PrimitiveTypes.Uint8, "uint32": arrow.PrimitiveTypes.Uint32, "uint64": arrow.PrimitiveTypes.Uint64,
	"float32": arrow.PrimitiveTypes.Float32, "float64": arrow.PrimitiveTypes.Float64, "text": arrow.BinaryTypes.String,
	"utc": &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, "ms": arrow.FixedWidthTypes.Timestamp_ms, "ns": &arrow.TimestampType{Unit: arrow.Nanosecond},
	"decimal": &arrow.Decimal128Type{Precision: 38}, "bytes": &arrow.FixedSizeBinaryType{ByteWidth: 3}, "null": arrow.Null,
	"names": &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
	"list":  arrow.ListOf(arrow.PrimitiveTypes.Float64),
}

// TypedRecord makes a record of a CSV text whose first line has the columns' types, behind a
// colon: name:int64, or name:int64! for a column that may not be null. Moments are dates, or
// numbers of their unit; empty fields are nulls.
func TypedRecord(t Failer, text string) arrow.Record {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var fields []arrow.Field
	for _, name := range rows[0] {
		i := strings.LastIndexByte(name, ':')
		kind, required := strings.CutSuffix(name[i+1:], "!")
		fields = append(fields, arrow.Field{Name: name[:i], Type: arrowTypes[kind], Nullable: !required})
	}
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(fields, nil))
	defer b.Release()
	for _, row := range rows[1:] {
		for i, text := range row {
			switch to := b.Field(i).(type) {
			case *array.ListBuilder:
				to.Append(true)
				to.ValueBuilder().(*array.Float64Builder).Append(100)
				continue
			case *array.TimestampBuilder:
				at, err := time.Parse(time.DateTime, text)
				n := at.UnixMicro()
				if err != nil {
					n, err = strconv.ParseInt(text, 10, 64)
				}
				if err == nil {
					to.Append(arrow.Timestamp(n))
					continue
				}
			}
			if text == "" {
				b.Field(i).AppendNull()
			} else if err := b.Field(i).AppendValueFromString(text); err != nil {
				t.Fatal(err)
			}
		}
	}
	return b.NewRecord()
}

// write writes a file of a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	return TempFile(t, name, []byte(text))
}

// MappingOf is a mapping of those columns, on line 2.
func MappingOf(columns string) string {
	return "{\"schema\": \"loadstone.mapping/1\",\n\"columns\": {" + columns + "}}"
}
