package columnar_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// expectedColumn is a column of testdata/source as DuckDB reads it; null is
// unknown.
type expectedColumn struct {
	Kind   string
	Values []*string
	Zurich []*string // of times: where local ones are those of that zone
}

var expectedKinds = map[string]workload.TableKind{"whole": workload.TableWhole, "number": workload.TableNumber, "text": workload.TableText, "time": workload.TableTime}

func readExpected(t *testing.T) map[string]expectedColumn {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "source", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Columns map[string]expectedColumn }
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatal(err)
	}
	return all.Columns
}

// Every type of column in every codec, encoding and version of pages reads as the
// values that DuckDB gives; testdata/source/make.mjs has made the files.
func TestSourceTypes(t *testing.T) {
	expected := readExpected(t)
	files, err := filepath.Glob(filepath.Join("testdata", "source", "*.parquet"))
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		for _, zone := range []string{"", "Europe/Zurich"} {
			t.Run(filepath.Base(file)+","+zone, func(t *testing.T) {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				s, err := columnar.OpenSource(file, bytes.NewReader(b), int64(len(b)), workload.Options{TimeZone: zone})
				if err != nil {
					t.Fatal(err)
				}
				var columns []workload.TableColumn
				for _, c := range s.Columns() {
					e, ok := expected[c.Name]
					switch {
					case !ok && !c.Nested:
						t.Errorf("%+v, want a column that is passed over", c)
					case ok && (c.Nested || c.Kind != expectedKinds[e.Kind]):
						t.Errorf("%+v, want %s", c, e.Kind)
					case ok:
						columns = append(columns, workload.TableColumn{Name: c.Name, Kind: c.Kind})
					}
				}
				if len(columns) != len(expected) && !strings.HasPrefix(filepath.Base(file), "delta") {
					t.Errorf("%d columns, want %d", len(columns), len(expected))
				}
				// What is left to other programs is an error with a way out.
				unread := func(c workload.TableColumn) bool { return c.Name == "f32" || c.Name == "f64" }
				switch filepath.Base(file) {
				case "lz4_raw.parquet":
					unread = func(workload.TableColumn) bool { return true }
				case "v2.parquet", "v2_delta.parquet":
				default:
					unread = func(workload.TableColumn) bool { return false }
				}
				for _, c := range columns {
					for _, err := range s.Read([]workload.TableColumn{c}) {
						if unread(c) != (err != nil) || err != nil && !strings.Contains(err.Error(), "which Loadstone does not read: convert the file") {
							t.Errorf("%s: %v", c.Name, err)
						}
					}
				}
				if columns = slices.DeleteFunc(columns, unread); len(columns) == 0 {
					return
				}
				row := 0
				for rows, err := range s.Read(columns) {
					if err != nil {
						t.Fatal(err)
					}
					for i, c := range columns {
						want := expected[c.Name].Values
						if zone != "" && c.Kind == workload.TableTime {
							want = expected[c.Name].Zurich
						}
						checkValues(t, c, rows.Columns[i], want[row:row+rows.Rows])
					}
					row += rows.Rows
				}
				if row != len(expected["text"].Values) {
					t.Errorf("%d rows", row)
				}
			})
		}
	}
}

func checkValues(t *testing.T, c workload.TableColumn, got workload.TableValues, want []*string) {
	t.Helper()
	for k, text := range want {
		switch c.Kind {
		case workload.TableText:
			if text == nil {
				text = new(string)
			}
			if got.Text[k] != *text {
				t.Errorf("%s, row %d: %q, want %q", c.Name, k, got.Text[k], *text)
			}
		case workload.TableWhole:
			n := workload.Unknown
			if text != nil {
				n, _ = strconv.ParseInt(*text, 10, 64)
			}
			if got.Whole[k] != n {
				t.Errorf("%s, row %d: %d, want %d", c.Name, k, got.Whole[k], n)
			}
		default:
			x := math.NaN()
			if text != nil {
				x, _ = strconv.ParseFloat(*text, 64)
			}
			if got.Number[k] != x && !(math.IsNaN(x) && math.IsNaN(got.Number[k])) {
				t.Errorf("%s, row %d: %v, want %v", c.Name, k, got.Number[k], x)
			}
		}
	}
}

// Lists and structures are passed over, and counted.
func TestSourceNested(t *testing.T) {
	count := func(path string) map[string]int64 {
		b, err := os.ReadFile(filepath.Join("testdata", "source", path))
		if err != nil {
			t.Fatal(err)
		}
		s, err := columnar.OpenSource(path, bytes.NewReader(b), int64(len(b)), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var w workload.Warnings
		s.LeftOut(func(string) bool { return false }, &w)
		counts := map[string]int64{}
		for _, x := range w.List() {
			counts[x.Saw] = x.Count
		}
		return counts
	}
	if got := count("snappy.parquet"); got["list"] != 120 || got["struct"] != 60 || got["map"] != 60 || got["i8"] == 0 {
		t.Errorf("left out %v", got)
	}
}
