package columnar_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/file"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

func TestParquetForeignLayouts(t *testing.T) {
	want := logtest.Collect(t, logtest.MadeUpLog(3, 20_000, workload.DefaultBatchRows))
	dict := func(on bool) parquet.WriterProperty { return parquet.WithDictionaryDefault(on) }
	for _, c := range []struct {
		name  string
		props []parquet.WriterProperty
	}{
		{"plain-uncompressed", []parquet.WriterProperty{dict(false)}},
		{"dictionary-snappy", []parquet.WriterProperty{dict(true), parquet.WithCompression(compress.Codecs.Snappy)}},
		{"dictionary-gzip", []parquet.WriterProperty{dict(true), parquet.WithCompression(compress.Codecs.Gzip)}},
		{"dictionary-brotli", []parquet.WriterProperty{dict(true), parquet.WithCompression(compress.Codecs.Brotli)}},
		{"dictionary-falls-back", []parquet.WriterProperty{dict(true), parquet.WithDictionaryPageSizeLimit(1000), parquet.WithCompression(compress.Codecs.Zstd)}},
		// The library's own batches of rows drop all rows of such a file.
		{"version-2-pages", []parquet.WriterProperty{dict(false), parquet.WithDataPageVersion(parquet.DataPageV2)}},
		{"version-2-pages-zstd", []parquet.WriterProperty{dict(true), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Zstd)}},
		{"version-2-pages-snappy", []parquet.WriterProperty{dict(true), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Snappy)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := logtest.ForeignParquet(t, logtest.RecordOf(want), 7000, c.props...)
			l, err := logtest.OpenParquetBytes(b, workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := logtest.Collect(t, l.Batches())
			logtest.SameBatches(t, got, want)
			if len(l.Header.Lines) > 0 || len(l.Warnings()) > 0 {
				t.Errorf("header %q, warnings %v", l.Header.Lines, l.Warnings())
			}
		})
	}
}

// The library's reader finds our values, and unit and meaning of the columns.
func TestParquetReadByLibrary(t *testing.T) {
	mem := memory.DefaultAllocator
	want := logtest.Collect(t, logtest.MadeUpLog(4, 50_000, workload.DefaultBatchRows))
	b := parquetBytes(t, workload.Header{Lines: []string{" Version: 2.2"}}, logtest.Sequence([]*workload.Batch{want}))
	table, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(b), parquet.NewReaderProperties(mem), pqarrow.ArrowReadProperties{BatchSize: 1 << 20}, mem)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Release()
	r := array.NewTableReader(table, 1<<20)
	defer r.Release()
	if !r.Next() {
		t.Fatal("no rows")
	}
	logtest.SameBatches(t, logtest.BatchOf(r.Record()), want)
	for i, c := range workload.Columns() {
		f := table.Schema().Field(i)
		if unit, _ := f.Metadata.GetValue("unit"); f.Name != c.Name || unit != c.Unit {
			t.Errorf("column %d is %v", i, f)
		}
		if meaning, _ := f.Metadata.GetValue("meaning"); meaning != c.Meaning {
			t.Errorf("column %s means %q", f.Name, meaning)
		}
	}
	f, err := file.NewParquetReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.MetaData().KeyValueMetadata().FindValue("loadstone.header"); got == nil || *got != " Version: 2.2" {
		t.Error("no header")
	}
}

// numbers is a table of one column.
func numbers(name string, a arrow.Array) arrow.Record {
	s := arrow.NewSchema([]arrow.Field{{Name: name, Type: a.DataType(), Nullable: true}, {Name: "hostname", Type: arrow.BinaryTypes.String, Nullable: true}}, nil)
	other := array.MakeArrayOfNull(memory.DefaultAllocator, arrow.BinaryTypes.String, a.Len())
	return array.NewRecord(s, []arrow.Array{a, other}, int64(a.Len()))
}

func arrayOfType[T any, B interface {
	array.Builder
	AppendValues([]T, []bool)
}](b B, values ...T) arrow.Array {
	valid := make([]bool, len(values))
	for i := range valid {
		valid[i] = true
	}
	b.AppendValues(values, valid)
	b.AppendNull()
	return b.NewArray()
}

// conversions are columns of other types: what they read as, or why not. The
// last row is null in all.
func conversions() []struct {
	name   string
	column int
	in     arrow.Array
	want   string // values, or the error's text where fails
	fails  bool
} {
	mem := memory.DefaultAllocator
	type c = struct {
		name   string
		column int
		in     arrow.Array
		want   string
		fails  bool
	}
	nan32, nan := float32(math.NaN()), math.NaN()
	return []c{
		{"int32 to int64", workload.ColUser, arrayOfType(array.NewInt32Builder(mem), int32(-3), math.MaxInt32), "[-3 2147483647 (null)]", false},
		{"uint32 to int64", workload.ColUser, arrayOfType(array.NewUint32Builder(mem), uint32(7), math.MaxUint32), "[7 4294967295 (null)]", false},
		{"int16 to float64", workload.ColRunTime, arrayOfType(array.NewInt16Builder(mem), int16(-3), int16(4)), "[-3 4 (null)]", false},
		{"uint8 to int64", workload.ColUser, arrayOfType(array.NewUint8Builder(mem), uint8(200)), "[200 (null)]", false},
		{"int64 to float64", workload.ColRunTime, arrayOfType(array.NewInt64Builder(mem), int64(1)<<53, int64(-5)), "[9.007199254740992e+15 -5 (null)]", false},
		{"int64 beyond 2^53 to float64", workload.ColRunTime, arrayOfType(array.NewInt64Builder(mem), int64(1)<<53+1), "[9.007199254740992e+15 (null)]", false},
		{"uint64 beyond int64", workload.ColUser, arrayOfType(array.NewUint64Builder(mem), uint64(1)<<63), "saw 9223372036854775808", true},
		{"float32 to float64", workload.ColRunTime, arrayOfType(array.NewFloat32Builder(mem), float32(0.5), nan32, 3), "[0.5 (null) 3 (null)]", false},
		{"float32 to int64", workload.ColUser, arrayOfType(array.NewFloat32Builder(mem), float32(5), nan32), "[5 (null) (null)]", false},
		{"float64 to int64", workload.ColUser, arrayOfType(array.NewFloat64Builder(mem), -5, nan, 1<<60), "[-5 (null) 1152921504606846976 (null)]", false},
		{"not a number", workload.ColRunTime, arrayOfType(array.NewFloat64Builder(mem), 1, nan, 2), "[1 (null) 2 (null)]", false},
		{"fraction to int64", workload.ColUser, arrayOfType(array.NewFloat64Builder(mem), 5, 5.5), "saw 5.5, want a whole number", true},
		{"timestamp to seconds", workload.ColSubmitTime, arrayOfType(array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Millisecond}), arrow.Timestamp(1500), 2), "[1.5 0.002 (null)]", false},
		{"timestamp to int64", workload.ColUser, arrayOfType(array.NewTimestampBuilder(mem, &arrow.TimestampType{Unit: arrow.Millisecond}), arrow.Timestamp(1500)), "saw times, want a whole number", true},
		{"text", workload.ColUser, arrayOfType(array.NewStringBuilder(mem), "root"), "whole number", true},
	}
}

func checkConversion(t *testing.T, column int, l *workload.Log, err error, want string, fails bool) {
	t.Helper()
	var got string
	if err == nil {
		for rec, e := range l.Batches() {
			if err = e; e == nil {
				got += logtest.RecordOf(rec).Column(column).String()
			}
		}
	}
	if fails {
		var input *workload.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), workload.ColumnAt(column).Name) {
			t.Errorf("values %s and error %v, want %q", got, err, want)
		}
		return
	}
	if err != nil || got != want {
		t.Errorf("values %s and error %v, want %s", got, err, want)
	}
	rules := map[string]int64{}
	for _, w := range l.Warnings() {
		rules[w.Rule] = w.Count
	}
	if rules["missing-column"] != workload.FirstOptional-1 || rules["unknown-column"] != 1 {
		t.Errorf("warnings %v", rules)
	}
}

func TestParquetConversions(t *testing.T) {
	for _, c := range conversions() {
		t.Run(c.name, func(t *testing.T) {
			b := logtest.ForeignParquet(t, numbers(workload.ColumnAt(c.column).Name, c.in), 100)
			l, err := logtest.OpenParquetBytes(b, workload.Options{})
			checkConversion(t, c.column, l, err, c.want, c.fails)
		})
	}
}

// Rows that are not there, or are too many, never pass in silence.
func TestParquetCounts(t *testing.T) {
	b := parquetBytes(t, workload.Header{}, logtest.MadeUpLog(1, 40_000, 5000))
	for _, c := range []struct {
		name                 string
		group, total, values int64
		want                 string
	}{
		{"as it is", 0, 0, 0, ""},
		{"one more", 1, 1, 1, "pages end 1 rows before the footer's count"},
		{"far more", 1 << 40, 1 << 40, 1 << 40, "pages end 1099511627776 rows before the footer's count"},
		{"one fewer", -1, -1, -1, "a page of 7232 rows where the footer promises 7231 more"},
		{"a page fewer", -7232, -7232, -7232, "a page of 7232 rows beyond the footer's count"},
		{"one more in all", 0, 1, 0, "40000 rows in row groups and 40001 in all"},
		{"one more in the group", 1, 1, 0, "saw 40000 values, want 40001"},
		{"fewer than none", -50_000, -50_000, -50_000, "-10000 rows in row group 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := logtest.OpenParquetBytes(logtest.Recount(t, b, c.group, c.total, c.values), workload.Options{})
			var rows int64
			if err == nil {
				for rec, e := range l.Batches() {
					if err = e; e == nil {
						rows += int64(rec.Rows)
					}
				}
			}
			var input *workload.InputError
			switch {
			case c.want == "" && (err != nil || rows != 40_000):
				t.Errorf("%d rows, %v", rows, err)
			case c.want != "" && (!errors.As(err, &input) || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%d rows, %v; want %q", rows, err, c.want)
			}
		})
	}
}

// A column that may not be null has no levels in its pages.
func TestParquetRequired(t *testing.T) {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues([]int64{7, 8, 9}, nil)
	a := b.NewArray()
	s := arrow.NewSchema([]arrow.Field{{Name: "user_id", Type: a.DataType()}}, nil)
	for _, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
		file := logtest.ForeignParquet(t, array.NewRecord(s, []arrow.Array{a}, 3), 100, parquet.WithDataPageVersion(version))
		l, err := logtest.OpenParquetBytes(file, workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for rec, err := range l.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			if got := logtest.RecordOf(rec).Column(workload.ColUser).String(); got != "[7 8 9]" {
				t.Errorf("values %s", got)
			}
		}
	}
}
