package columnar_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// The folders of DuckDB's partitions are columns: a whole number, and a text with a
// slash in it or null. Row i of 30 is of the year 2023 + i div 20.
func TestSourcePartitions(t *testing.T) {
	s, err := columnar.OpenSourceFolder("x", filepath.Join("testdata", "source", "partitions"), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	columns := []workload.TableColumn{{Name: "id"}, {Name: "at", Kind: workload.TableNumber}, {Name: "year"}, {Name: "site", Kind: workload.TableText}}
	if got := s.Columns(); len(got) != 4 || got[2] != (workload.FileColumn{Name: "year", Kind: workload.TableWhole}) || got[3].Kind != workload.TableText {
		t.Errorf("columns %+v", got)
	}
	seen := map[int64]bool{}
	for rows, err := range s.Read(columns) {
		if err != nil {
			t.Fatal(err)
		}
		for k, id := range rows.Columns[0].Whole {
			site := []string{"a/b 0", "a/b 1"}[id%2]
			if id%10 == 9 {
				site = ""
			}
			if at, year, got := rows.Columns[1].Number[k], rows.Columns[2].Whole[k], rows.Columns[3].Text[k]; at != 60*float64(id) || year != 2023+id/20 || got != site {
				t.Errorf("row %d: %v, %v, %q", id, at, year, got)
			}
			seen[id] = true
		}
	}
	if len(seen) != 30 {
		t.Errorf("%d rows, want 30", len(seen))
	}
}

// Parts of other columns than the first are an error with file, column, what was
// seen and expected.
func TestSourcePartsDiffer(t *testing.T) {
	mem := memory.DefaultAllocator
	nulls := array.NewNull(2)
	first := logtest.Table("id", logtest.Int64s(1, 2), "who", logtest.Texts("a", "b"), "size", logtest.Float64s(1, 2))
	for _, c := range []struct {
		name   string
		second arrow.Record
		want   string // after the second part's name
	}{
		{"same", first, ""},
		{"other widths", logtest.Table("size", arrayOfType(array.NewFloat32Builder(mem), float32(3)), "id", logtest.Int32s(3, 4), "who", logtest.Texts("c", "d")), ""},
		{"nulls", logtest.Table("id", logtest.Int64s(1, 2), "who", nulls, "size", logtest.Float64s(1, 2)), ""},
		{"another type", logtest.Table("id", logtest.Int64s(1, 2), "who", logtest.Int64s(1, 2), "size", logtest.Float64s(1, 2)), ": who: saw whole numbers, want texts, as FIRST has"},
		{"whole for numbers", logtest.Table("id", logtest.Int64s(1, 2), "who", logtest.Texts("a", "b"), "size", logtest.Int64s(1, 2)), ": size: saw whole numbers, want numbers, as FIRST has"},
		{"one fewer", logtest.Table("id", logtest.Int64s(1, 2), "size", logtest.Float64s(1, 2)), ": who: saw no such column, want texts, as FIRST has"},
		{"one more", logtest.Table("id", logtest.Int64s(1, 2), "who", logtest.Texts("a", "b"), "size", logtest.Float64s(1, 2), "kind", logtest.Texts("x", "y")), ": kind: saw texts, want no such column, as in FIRST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			one, two := filepath.Join(dir, "p.1.parquet"), filepath.Join(dir, "p.2.parquet")
			for path, rec := range map[string]arrow.Record{one: first, two: c.second} {
				if err := os.WriteFile(path, logtest.ForeignParquet(t, rec, 10), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			s, err := columnar.OpenSourceFolder("x", dir, workload.Options{})
			if c.want != "" {
				if want := two + strings.Replace(c.want, "FIRST", one, 1); err == nil || err.Error() != want {
					t.Errorf("got  %v\nwant %s", err, want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var who []string
			sum := 0.0
			for rows, err := range s.Read([]workload.TableColumn{{Name: "who", Kind: workload.TableText}, {Name: "size", Kind: workload.TableNumber}}) {
				if err != nil {
					t.Fatal(err)
				}
				who = append(who, rows.Columns[0].Text...)
				for _, x := range rows.Columns[1].Number {
					if !math.IsNaN(x) {
						sum += x
					}
				}
			}
			if sum != 6 || len(who) != 4 {
				t.Errorf("texts %q, a sum of %v", who, sum)
			}
		})
	}
}

// A folder of partitions beside one without is an error too.
func TestSourcePartitionsDiffer(t *testing.T) {
	dir := t.TempDir()
	file := logtest.ForeignParquet(t, logtest.Table("id", logtest.Int64s(1)), 10)
	for _, name := range []string{"site=a/p.parquet", "year=3/p.parquet"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := columnar.OpenSourceFolder("x", dir, workload.Options{})
	if want := filepath.Join(dir, "year=3/p.parquet") + `: partitions: saw "year", want "site", as ` + filepath.Join(dir, "site=a/p.parquet") + " has"; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}
