package columnar_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v15/parquet"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// readSource reads columns as text, "" for an unknown value. It stops after a maximum number of
// rows, because a few bytes can encode very many nulls.
func readSource(s *columnar.Source, columns ...workload.TableColumn) ([][]string, error) {
	all := make([][]string, len(columns))
	for rows, err := range s.Read(columns) {
		if err != nil || rows.Row > 1<<18 {
			return all, err
		}
		for i, v := range rows.Columns {
			for k := range rows.Rows {
				text := ""
				switch {
				case v.HasText():
					text = strings.Clone(v.TextAt(k))
				case v.Number != nil:
					text = numberText(v.Number[k])
				case v.Whole != nil && v.Whole[k] != workload.Unknown:
					text = strconv.FormatInt(v.Whole[k], 10)
				}
				all[i] = append(all[i], text)
			}
		}
	}
	return all, nil
}

func numberText(x float64) string {
	if x != x {
		return ""
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// openSource opens a file in memory.
func openSource(b []byte, workers int) (*columnar.Source, error) {
	return columnar.OpenParquet("x.parquet", bytes.NewReader(b), int64(len(b)), workers)
}

// readBytes is readSource for a file in memory.
func readBytes(b []byte, columns ...workload.TableColumn) ([][]string, error) {
	s, err := openSource(b, 0)
	if err != nil {
		return nil, err
	}
	return readSource(s, columns...)
}

// readableColumns returns all readable columns of a file, with the types that the file declares.
func readableColumns(s *columnar.Source) (columns []workload.TableColumn) {
	for _, c := range s.Columns {
		if !c.Nested {
			columns = append(columns, workload.TableColumn{Name: c.Name, Kind: c.Kind})
		}
	}
	return columns
}

// sourceFiles returns the files of testdata/source.
func sourceFiles(t logtest.Failer) map[string][]byte {
	t.Helper()
	files := filesOf(t, "source", "*.parquet")
	if len(files) < 6 {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// filesOf returns the matching files of a directory in testdata, by name.
func filesOf(t logtest.Failer, folder, pattern string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", folder, pattern))
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

var tableKinds = map[string]workload.TableKind{"whole": workload.TableWhole, "number": workload.TableNumber, "text": workload.TableText, "time": workload.TableTime, "local": workload.TableLocalTime}

// Columns of every type, in every codec, encoding and page version, are read with the values that
// DuckDB gives; the files were made by testdata/source/make.mjs. Unsupported files give an error
// that suggests a remedy.
func TestSourceTypes(t *testing.T) {
	type column struct {
		Kind   string
		Values []*string
		Zurich []*string // for times: if local times are in that zone; so they differ
	}
	var expected struct{ Columns map[string]column }
	b, err := os.ReadFile(filepath.Join("testdata", "source", "expected.json"))
	if err == nil {
		err = json.Unmarshal(b, &expected)
	}
	if err != nil {
		t.Fatal(err)
	}
	for file, b := range sourceFiles(t) {
		s, err := openSource(b, 0)
		if err != nil {
			t.Fatal(err)
		}
		columns := readableColumns(s)
		if len(columns) != len(expected.Columns) {
			t.Errorf("%s: %d columns, want %d", file, len(columns), len(expected.Columns))
		}
		refused := 0
		for _, c := range columns {
			e := expected.Columns[c.Name]
			got, err := readSource(s, c)
			if err != nil && strings.Contains(err.Error(), "which Loadstone does not read: convert the file") {
				refused++
				continue
			}
			if e.Kind == "time" && !reflect.DeepEqual(e.Zurich, e.Values) {
				e.Kind = "local"
			}
			if err != nil || c.Kind != tableKinds[e.Kind] {
				t.Fatalf("%s: %+v, want %s; %v", file, c, e.Kind, err)
			}
			want := e.Values
			if len(got[0]) != len(want) {
				t.Fatalf("%s: %s: %d rows, want %d", file, c.Name, len(got[0]), len(want))
			}
			for i, text := range want {
				value := ""
				if text != nil {
					value = *text
				}
				if x, err := strconv.ParseFloat(value, 64); err == nil && c.Kind != workload.TableText && c.Kind != workload.TableWhole {
					value = numberText(x)
				}
				if got[0][i] != value {
					t.Errorf("%s: %s, row %d: %q, want %q", file, c.Name, i, got[0][i], value)
				}
			}
		}
		// Version 2 uses other encodings for values that are mostly different.
		if whole := file == "lz4_raw.parquet"; whole != (refused == len(columns)) || (whole || file == "v2.parquet") != (refused > 0) {
			t.Errorf("%s: %d columns of %d refused", file, refused, len(columns))
		}
	}
	// Lists, structures and some types are columns that cannot be read.
	s, err := openSource(sourceFiles(t)["snappy.parquet"], 0)
	if err != nil {
		t.Fatal(err)
	}
	var nested []string
	for _, c := range s.Columns {
		if c.Nested {
			nested = append(nested, c.Name)
		}
	}
	if !slices.Equal(nested, []string{"list", "struct", "map", "length", "uuid"}) {
		t.Errorf("nested: %q", nested)
	}
}

// Reading damaged files of every type, encoding and codec ends in one input error or in values.
func TestDamagedSources(t *testing.T) {
	trials := longtest.Size(30, 300)
	for name, b := range sourceFiles(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 1))
			for range trials {
				damaged, _ := damage(rng, b)
				checkRead(t, damaged)
			}
		})
	}
}

func FuzzSource(f *testing.F) {
	for _, b := range sourceFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkRead(t, b) })
}

// checkRead reads a file that may be damaged.
func checkRead(t logtest.Failer, b []byte) {
	t.Helper()
	s, err := openSource(b, 1)
	if err == nil {
		_, err = readSource(s, readableColumns(s)...)
	}
	var input *workload.InputError
	if err != nil && !errors.As(err, &input) {
		t.Fatalf("%T %v", err, err)
	}
}

// countingReader counts the bytes read.
type countingReader struct {
	io.ReaderAt
	n atomic.Int64
}

func (r *countingReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, at)
	r.n.Add(int64(n))
	return n, err
}

// Only the requested columns are read.
func TestSourceReadsNoOtherColumns(t *testing.T) {
	const rows = 20_000
	text := "wide:text,thin:int64,too:text\n"
	var lines strings.Builder
	for i := range rows {
		fmt.Fprintf(&lines, "%050d,%d,%050d\n", i, i, i)
	}
	b := logtest.ForeignParquet(t, logtest.TypedRecord(t, text+lines.String()), rows, parquet.WithDictionaryDefault(false))
	file := &countingReader{ReaderAt: bytes.NewReader(b)}
	s, err := columnar.OpenParquet("x", file, int64(len(b)), 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readSource(s, workload.TableColumn{Name: "thin"})
	// The column's 160 KB, its page headers, the footer (twice), and one extra buffer.
	if n := file.n.Load(); err != nil || len(got[0]) != rows || n < 8*rows || n > 8*rows+200_000 {
		t.Errorf("%d rows, %d of %d bytes read, %v", len(got[0]), n, len(b), err)
	}
}

// A part whose columns differ from those of the first is an error with the file, the column, the
// value found and the value expected.
func TestSourcePartsDiffer(t *testing.T) {
	const first = "id:int64,who:text,size:float64\n1,a,1\n2,b,2\n"
	for _, c := range []struct {
		second string // second part
		want   string // after its name; FIRST stands for the first file's name
	}{
		{first, ""},
		{"size:float32,id:int32,who:text\n3,3,c\n,4,d\n", ""},
		{"id:int64,who:null,size:float64\n1,,1\n2,,2\n", ""},
		{"id:int64,who:int64,size:float64\n1,1,1\n", ": who: saw whole numbers, want texts, as FIRST has (or name one file of the folder, such as tasks.parquet)"},
		{"id:int64,who:text,size:int64\n1,a,1\n", ": size: saw whole numbers, want numbers, as FIRST has (or name one file of the folder, such as tasks.parquet)"},
		{"id:int64,size:float64\n1,1\n", ": who: saw no such column, want texts, as FIRST has (or name one file of the folder, such as tasks.parquet)"},
		{"id:int64,who:text,size:float64,kind:text\n1,a,1,x\n", ": kind: saw texts, want no such column, as in FIRST (or name one file of the folder, such as tasks.parquet)"},
	} {
		dir := writeParts(t, map[string]string{"p.1.parquet": first, "p.2.parquet": c.second})
		s, err := columnar.OpenParquetFolder("x", dir, 0)
		if c.want != "" {
			if want := filepath.Join(dir, "p.2.parquet") + strings.Replace(c.want, "FIRST", filepath.Join(dir, "p.1.parquet"), 1); err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := readSource(s, workload.TableColumn{Name: "who", Kind: workload.TableText}, workload.TableColumn{Name: "size", Kind: workload.TableNumber})
		if err != nil || len(got[0]) != 4 || got[0][1] != "b" || got[1][0] != "1" || len(got[1]) != 4 {
			t.Errorf("%q, %v", got, err)
		}
	}
}
