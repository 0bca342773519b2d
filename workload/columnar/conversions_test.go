package columnar_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/apache/arrow/go/v15/parquet/pqarrow"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/longtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// tableOf returns a table of two columns: one with the values and a null, and one of nulls only.
func tableOf(t logtest.Failer, name, kind, values string) arrow.Record {
	text := name + ":" + kind + ",hostname:text\n"
	for _, value := range strings.Fields(values) {
		text += value + ",\n"
	}
	return logtest.TypedRecord(t, text+",\n")
}

// Columns of the job table with other types are read as their values, in Parquet and in Arrow.
// Values that do not fit are an error, or unknown and counted. Each row has the type, values,
// column, and the values read or part of the error.
func TestConversions(t *testing.T) {
	for _, c := range longtest.Rows(`
int32 | -3 2147483647 | user_id | [-3 2147483647 (null)] |
uint32 | 7 4294967295 | user_id | [7 4294967295 (null)] |
int16 | -3 4 | run_time_s | [-3 4 (null)] |
uint8 | 200 | user_id | [200 (null)] |
int64 | 9007199254740992 -5 9007199254740993 | run_time_s | [9.007199254740992e+15 -5 (null) (null)] | no-exact-number
uint64 | 9223372036854775808 | user_id |  | saw 9223372036854775808
float32 | 0.5 NaN 3 | run_time_s | [0.5 (null) 3 (null)] |
float32 | 5 NaN | user_id | [5 (null) (null)] |
float64 | -5 NaN 1152921504606846976 | user_id | [-5 (null) 1152921504606846976 (null)] |
float64 | 1 NaN 2 | run_time_s | [1 (null) 2 (null)] |
float64 | 5 5.5 | user_id | [5 (null) (null)] | fraction-user_id
float64 | 5 Inf | run_time_s |  | want a finite number
ms | 1500 2 | submit_time_s | [1.5 0.002 (null)] |
ms | 1500 | user_id |  | saw times, want no times
`) {
		kind, values, column, want, fault := c[0], c[1], c[2], c[3], c[4]
		rec := tableOf(t, column, kind, values)
		files := [][]byte{logtest.ForeignParquet(t, rec, 100), logtest.ForeignArrow(t, rec)}
		for i, f := range columnarFormats[:len(files)] {
			l, err := f.open(files[i], workload.Options{})
			got := ""
			if err == nil {
				for rec, e := range l.Batches() {
					if err = e; e == nil {
						got += recordOf(rec).Column(workload.ColumnIndex(column)).String()
					}
				}
			}
			var input *workload.InputError
			switch {
			case fault != "" && want == "":
				if !errors.As(err, &input) || !strings.Contains(err.Error(), fault) || !strings.Contains(err.Error(), column) {
					t.Errorf("%s of %s: %s and error %v, want %q", kind, f.format, got, err, fault)
				}
			case err != nil || got != want:
				t.Errorf("%s of %s: %s and error %v, want %s", kind, f.format, got, err, want)
			default:
				if n := logtest.Counts(l); n["unmapped-column"] != 1 || fault != "" && n[fault] != 1 {
					t.Errorf("%s of %s: warnings %v", kind, f.format, n)
				}
			}
		}
	}
}

// A value that cannot be read is an error with the column, the value found and the value expected.
// Each row has the type, values and the error.
func TestSourceFaults(t *testing.T) {
	for _, c := range longtest.Rows(`
decimal | 1 129127208515966861312 | x, row group 1: saw a decimal of the bytes 00000000000000070000000000000000, want one of at most 18 digits
uint64 | 9223372036854775808 | x, row group 1: row 1: saw 9223372036854775808, want at most 9223372036854775807
text | Jos\xe9 | x, row group 1: saw "Jos\xe9", want UTF-8 text
`) {
		kind, values, want := c[0], strings.ReplaceAll(c[1], `\xe9`, "\xe9"), "x.parquet: "+c[2]
		_, err := readBytes(logtest.ForeignParquet(t, tableOf(t, "x", kind, values), 100), workload.TableColumn{Name: "x"})
		var input *workload.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	_, err := readBytes(logtest.ForeignParquet(t, tableOf(t, "x", "int64", "7"), 1), workload.TableColumn{Name: "y"})
	if want := `x.parquet: columns: saw "x, hostname", want one with the name "y"`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// INT96 consists of a Julian day and the nanoseconds within it; Spark writes times in UTC like
// this.
func TestSourceInt96(t *testing.T) {
	rec := tableOf(t, "x", "ns", "1700000000123456000 -86400500000000 0")
	for _, dictionary := range []bool{true, false} {
		var b bytes.Buffer
		w, err := pqarrow.NewFileWriter(rec.Schema(), &b, parquet.NewWriterProperties(parquet.WithDictionaryDefault(dictionary)), pqarrow.NewArrowWriterProperties(pqarrow.WithDeprecatedInt96Timestamps(true)))
		if err == nil {
			err = errors.Join(w.Write(rec), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := readBytes(b.Bytes(), workload.TableColumn{Name: "x", Kind: workload.TableTime})
		if want := []string{"1700000000.123456", "-86400.5", "0", ""}; err != nil || !slices.Equal(got[0], want) {
			t.Errorf("%q, want %q; %v", got, want, err)
		}
	}
}

// A dictionary that falls back to plain values, version 2 pages in several row groups, and columns
// without nulls are read as Arrow's library wrote them.
func TestForeignLayouts(t *testing.T) {
	want := logtest.Collect(t, logtest.MadeUpLog(3, 20_000, workload.DefaultBatchRows))
	v2 := parquet.WithDataPageVersion(parquet.DataPageV2)
	for _, props := range [][]parquet.WriterProperty{
		{parquet.WithDictionaryPageSizeLimit(1000), parquet.WithCompression(compress.Codecs.Zstd)},
		{parquet.WithDictionaryDefault(false), v2}, // the library's own batch reader drops all rows of such a file
		{v2, parquet.WithCompression(compress.Codecs.Snappy)},
	} {
		l := jobtest.Must(logtest.OpenParquetBytes(logtest.ForeignParquet(t, recordOf(want), 7000, props...), workload.Options{}))
		logtest.SameBatches(t, logtest.Collect(t, l.Batches()), want)
		got, err := readBytes(logtest.ForeignParquet(t, logtest.TypedRecord(t, "x:int64!\n7\n8\n9\n"), 2, props...), workload.TableColumn{Name: "x"})
		if err != nil || !slices.Equal(got[0], []string{"7", "8", "9"}) || len(l.Warnings()) > 0 {
			t.Errorf("%q, %v, %v", got, err, l.Warnings())
		}
	}
}
