package columnar_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/decimal128"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// readSource reads columns of a file.
func readSource(b []byte, o workload.Options, columns ...workload.TableColumn) ([]workload.TableValues, []workload.Warning, error) {
	s, err := columnar.OpenSource("x.parquet", bytes.NewReader(b), int64(len(b)), o)
	if err != nil {
		return nil, nil, err
	}
	all := make([]workload.TableValues, len(columns))
	for rows, err := range s.Read(columns) {
		if err != nil {
			return nil, nil, err
		}
		for i, v := range rows.Columns {
			all[i].Whole = append(all[i].Whole, v.Whole...)
			all[i].Number = append(all[i].Number, v.Number...)
			for _, text := range v.Text {
				all[i].Text = append(all[i].Text, strings.Clone(text))
			}
		}
	}
	return all, s.Warnings().List(), nil
}

// arrowFile writes one column by Arrow's library, whose schema the file keeps only
// with its own types.
func arrowFile(t *testing.T, a arrow.Array, own bool, props ...parquet.WriterProperty) []byte {
	t.Helper()
	var b bytes.Buffer
	options := []pqarrow.WriterOption{pqarrow.WithDeprecatedInt96Timestamps(own)}
	rec := numbers("x", a)
	w, err := pqarrow.NewFileWriter(rec.Schema(), &b, parquet.NewWriterProperties(props...), pqarrow.NewArrowWriterProperties(options...))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rec); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// INT96 is a Julian day and the nanoseconds of it, as Spark writes times in UTC.
func TestSourceInt96(t *testing.T) {
	stamps := arrayOfType(array.NewTimestampBuilder(memory.DefaultAllocator, &arrow.TimestampType{Unit: arrow.Nanosecond}),
		arrow.Timestamp(1_700_000_000_123_456_000), -86_400_000_000_000-500_000_000, 0)
	want := []float64{1_700_000_000.123456, -86_400.5, 0}
	for _, dictionary := range []bool{true, false} {
		b := arrowFile(t, stamps, true, parquet.WithDictionaryDefault(dictionary))
		got, warnings, err := readSource(b, workload.Options{TimeZone: "Europe/Zurich"}, workload.TableColumn{Name: "x", Kind: workload.TableTime})
		if err != nil || len(warnings) > 0 {
			t.Fatal(err, warnings)
		}
		for i, x := range want {
			if got[0].Number[i] != x {
				t.Errorf("%v, want %v", got[0].Number[i], x)
			}
		}
		if !math.IsNaN(got[0].Number[3]) {
			t.Errorf("a null is %v", got[0].Number[3])
		}
	}
}

// What cannot be read as asked is an error with column, what it is and what was
// wanted; so is a value that does not fit.
func TestSourceFaults(t *testing.T) {
	mem := memory.DefaultAllocator
	big := arrayOfType(array.NewDecimal128Builder(mem, &arrow.Decimal128Type{Precision: 38}), decimal128.FromU64(1), decimal128.New(7, 0))
	stamps := arrayOfType(array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Millisecond}), arrow.Timestamp(1500))
	whole, number, text, moment := workload.TableWhole, workload.TableNumber, workload.TableText, workload.TableTime
	for _, c := range []struct {
		name string
		a    arrow.Array
		kind workload.TableKind
		want string // after the file's name
	}{
		{"a decimal beyond int64", big, whole, "x, row group 1: saw 129127208515966861312, want a whole number of at most 9.2e18"},
		{"a fraction", arrayOfType(array.NewFloat64Builder(mem), 4, 4.5), whole, "x, row group 1: row 2: saw 4.5, want a whole number"},
		{"an unsigned number beyond int64", arrayOfType(array.NewUint64Builder(mem), uint64(1)<<63), whole, "x, row group 1: row 1: saw 9223372036854775808, want at most 9223372036854775807"},
		{"texts for numbers", arrayOfType(array.NewStringBuilder(mem), "7"), number, "x: saw texts, want numbers"},
		{"numbers for texts", arrayOfType(array.NewInt64Builder(mem), int64(7)), text, "x: saw numbers, want texts"},
		{"numbers for times", arrayOfType(array.NewInt64Builder(mem), int64(7)), moment, "x: saw whole numbers, want times"},
		{"times for whole numbers", stamps, whole, "x: saw times, want whole numbers"},
		{"times for texts", stamps, text, "x: saw times, want texts"},
		{"no UTF-8", arrayOfType(array.NewStringBuilder(mem), "Jos\xe9"), text, `x, row group 1: saw "Jos\xe9", want UTF-8 text`},
		{"bytes", arrayOfType(array.NewFixedSizeBinaryBuilder(mem, &arrow.FixedSizeBinaryType{ByteWidth: 3}), []byte("abc")), text, "x: saw FIXED_LEN_BYTE_ARRAY(3) values, want texts"},
		{"no column", arrayOfType(array.NewInt64Builder(mem), int64(7)), 99, `columns: saw "x, hostname", want one with the name "y"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			column := workload.TableColumn{Name: "x", Kind: c.kind}
			if c.kind == 99 {
				column = workload.TableColumn{Name: "y"}
			}
			_, _, err := readSource(arrowFile(t, c.a, false), workload.Options{}, column)
			var input *workload.InputError
			if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), "x.parquet: "+c.want) {
				t.Errorf("got  %v\nwant x.parquet: %s", err, c.want)
			}
		})
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

// Columns that are not asked for are not read.
func TestSourceReadsNoOtherColumns(t *testing.T) {
	const rows = 200_000
	var (
		wide []string
		thin []int64
	)
	for i := range rows {
		wide, thin = append(wide, strings.Repeat("x", 50)+string(rune('a'+i%26))), append(thin, int64(i))
	}
	b := logtest.ForeignParquet(t, logtest.Table("wide", logtest.Texts(wide...), "thin", logtest.Int64s(thin...), "too", logtest.Texts(wide...)), rows,
		parquet.WithDictionaryDefault(false))
	file := &countingReader{ReaderAt: bytes.NewReader(b)}
	s, err := columnar.OpenSource("x", file, int64(len(b)), workload.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for rows, err := range s.Read([]workload.TableColumn{{Name: "thin"}}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range rows.Columns[0].Whole {
			sum += n
		}
	}
	if sum != rows*(rows-1)/2 {
		t.Errorf("a sum of %d", sum)
	}
	// The column's 1.6 MB, its page headers, the footer (twice), and a buffer too many.
	if n := file.n.Load(); n < 8*rows || n > 8*rows+200_000 {
		t.Errorf("%d of %d bytes read, want %d and little more", n, len(b), 8*rows)
	}
	var w workload.Warnings
	s.LeftOut(func(column string) bool { return column == "thin" }, &w)
	if list := w.List(); len(list) != 2 || list[0].Saw != "wide" || list[0].Count != rows || list[0].Rule != "left-out-wide" {
		t.Errorf("warnings %v", list)
	}
}

// A local time of the hour that the clock goes over twice is the first of both,
// and one that it leaps over is taken as if it had not leapt: 02:30 of the last
// Sundays of October and March in Zurich.
func TestSourceClockChanges(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("testdata", "source", "other", "clocks.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	at := workload.TableColumn{Name: "at", Kind: workload.TableTime}
	got, warnings, err := readSource(b, workload.Options{TimeZone: "Europe/Zurich"}, at)
	if err != nil || got[0].Number[0] != 1729996200-7200 || got[0].Number[1] != 1711852200-3600 {
		t.Errorf("%v, %v", got, err)
	}
	if len(warnings) != 2 || warnings[0].Rule != "repeated-hour" || warnings[0].Line != 1 || warnings[1].Rule != "skipped-time" || warnings[1].Line != 2 {
		t.Errorf("warnings %v", warnings)
	}
	_, warnings, err = readSource(b, workload.Options{}, at)
	if err != nil || len(warnings) != 1 || warnings[0].Rule != "time-zone" || warnings[0].Count != 1 {
		t.Errorf("%v, %v", warnings, err)
	}
	_, _, err = readSource(b, workload.Options{}, workload.TableColumn{Name: "length", Kind: workload.TableNumber})
	if want := "x.parquet: length, row group 1: an interval with months, whose length is not known"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
