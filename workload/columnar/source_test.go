package columnar_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// A source says which columns it has, and reads those asked for as often as asked.
func TestSource(t *testing.T) {
	stamps := array.NewTimestampBuilder(memory.DefaultAllocator, &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"})
	stamps.AppendValues([]arrow.Timestamp{1500, 2250, -1}, []bool{true, true, false})
	file := logtest.ForeignParquet(t, logtest.Table("id", logtest.Int64s(1, 2, 3), "when", stamps.NewArray(), "who", logtest.Texts("b", "", "a"), "size", logtest.Float64s(4, math.NaN(), 0.5)), 2)
	dir := t.TempDir()
	for _, name := range []string{"part.10.parquet", "part.2.parquet"} {
		if err := os.WriteFile(filepath.Join(dir, name), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	one, err := columnar.OpenSource("x.parquet", bytes.NewReader(file), int64(len(file)), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := columnar.OpenSourceFolder("x", dir, workload.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for copies, s := range map[int]*columnar.Source{1: one, 2: two} {
		want := []workload.FileColumn{
			{Name: "id", Kind: workload.TableWhole, Type: "INT_64"},
			{Name: "when", Kind: workload.TableTime, Type: "TIMESTAMP(MILLIS, UTC)"},
			{Name: "who", Kind: workload.TableText, Type: "STRING"},
			{Name: "size", Kind: workload.TableNumber, Type: "DOUBLE"},
		}
		if got := s.Columns(); !slices.Equal(got, want) {
			t.Errorf("columns %+v, want %+v", got, want)
		}
		for range 2 {
			var (
				who  []string
				when []float64
			)
			for rows, err := range s.Read([]workload.TableColumn{{Name: "who", Kind: workload.TableText}, {Name: "when", Kind: workload.TableTime}}) {
				if err != nil {
					t.Fatal(err)
				}
				for _, text := range rows.Columns[0].Text {
					who = append(who, string([]byte(text)))
				}
				when = append(when, rows.Columns[1].Number...)
			}
			if !slices.Equal(who, slices.Repeat([]string{"b", "", "a"}, copies)) {
				t.Errorf("texts %q", who)
			}
			if len(when) != 3*copies || when[0] != 1.5 || when[1] != 2.25 || !math.IsNaN(when[2]) {
				t.Errorf("times %v", when)
			}
		}
	}
}
