package columnar_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/apache/arrow/go/v15/parquet/file"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// A file of a log whose header says when it starts has the moments of submission
// as time stamps, which this package passes over: it reads as without them.
func TestParquetStamps(t *testing.T) {
	nan := math.NaN()
	submits := []float64{0, 0.25, 59.9999996, nan, -3.5, 86400, 1e300, -1e300, 1e12}
	const start = 843480031
	want := []float64{start, start + 0.25, start + 60, nan, start - 3.5, start + 86400, nan, nan, start + 1e12}
	batch := func() *workload.Batch {
		return &workload.Batch{Rows: len(submits), Floats: [workload.NumColumns][]float64{workload.ColSubmitTime: submits}}
	}
	begun := workload.Header{Lines: []string{" UnixStartTime: 843480031"}}
	for _, c := range []struct {
		name    string
		at, end workload.Header // when the file is begun, and ended
		stamped bool
	}{
		{"known", begun, begun, true},
		{"unknown", workload.Header{}, workload.Header{}, false},
		{"known at the end alone", workload.Header{}, begun, false},
		{"with names at the end", begun, workload.Header{Lines: []string{" UnixStartTime: 843480031", " User: 1 ann"}}, true},
		{"moved", begun, workload.Header{Lines: []string{" UnixStartTime: 843480032"}}, false},
		{"beyond the calendar", workload.Header{Lines: []string{" UnixStartTime: 8434800310000000"}}, workload.Header{Lines: []string{" UnixStartTime: 8434800310000000"}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			w, err := columnar.NewParquetWriter(&b, c.at, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Write(batch()); err != nil {
				t.Fatal(err)
			}
			if err := w.SetHeader(c.end); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			l, err := logtest.OpenParquetBytes(b.Bytes(), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			logtest.SameBatches(t, logtest.Collect(t, l.Batches()), batch())
			if len(l.Warnings()) > 0 || l.Header.Get("UnixStartTime") != c.end.Get("UnixStartTime") {
				t.Errorf("warnings %v, header %q", l.Warnings(), l.Header.Lines)
			}
			// Arrow's library agrees on schema and row groups.
			f, err := file.NewParquetReader(bytes.NewReader(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			columns := workload.FirstOptional
			if c.stamped {
				columns++
			}
			if n := f.MetaData().Schema.NumColumns(); n != columns || f.RowGroup(0).NumColumns() != columns {
				t.Fatalf("%d columns, and %d in the row group; want %d", n, f.RowGroup(0).NumColumns(), columns)
			}
			if !c.stamped {
				return
			}
			got, warnings, err := readBytes(b.Bytes(), workload.Options{}, workload.TableColumn{Name: "submit_time", Kind: workload.TableTime})
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			for i, x := range want {
				if got[0][i] != numberText(x) {
					t.Errorf("row %d: %s, want %v", i, got[0][i], x)
				}
			}
		})
	}
}
