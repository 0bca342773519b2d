package columnar_test

import (
	"bytes"
	"errors"
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
	b := &workload.Batch{Rows: 9}
	b.Floats[workload.ColSubmitTime] = []float64{0, 0.25, 59.9999996, nan, -3.5, 86400, 1e300, -1e300, 1e12}
	const start, begun, late = 843480031, " UnixStartTime: 843480031", " UnixStartTime: 8434800310000000"
	want := []float64{start, start + 0.25, start + 60, nan, start - 3.5, start + 86400, nan, nan, start + 1e12}
	for _, c := range []struct {
		at, end string // the header when the file is begun, and ended
		stamped bool
	}{
		{begun, begun, true}, {"", "", false}, {"", begun, false}, {begun, " UnixStartTime: 843480032", false},
		{late, late, false}, // beyond the calendar
	} {
		var text bytes.Buffer
		w, err := columnar.NewParquetWriter(&text, workload.Header{Lines: []string{c.at}}, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		end := workload.Header{Lines: []string{c.end, " User: 1 ann"}}
		if err := errors.Join(w.Write(b), w.SetHeader(end), w.Close()); err != nil {
			t.Fatal(err)
		}
		l, err := logtest.OpenParquetBytes(text.Bytes(), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		logtest.SameBatches(t, logtest.Collect(t, l.Batches()), b)
		if len(l.Warnings()) > 0 || l.Header.Get("UnixStartTime") != end.Get("UnixStartTime") {
			t.Errorf("warnings %v, header %q", l.Warnings(), l.Header.Lines)
		}
		// Arrow's library agrees on schema and row groups.
		f, err := file.NewParquetReader(bytes.NewReader(text.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		columns := workload.FirstOptional
		if c.stamped {
			columns++
			got, warnings, err := readBytes(text.Bytes(), workload.Options{}, workload.TableColumn{Name: "submit_time", Kind: workload.TableTime})
			if err != nil || len(warnings) > 0 {
				t.Fatal(err, warnings)
			}
			for i, x := range want {
				if got[0][i] != numberText(x) {
					t.Errorf("row %d: %s, want %v", i, got[0][i], x)
				}
			}
		}
		if n := f.MetaData().Schema.NumColumns(); n != columns || f.RowGroup(0).NumColumns() != columns {
			t.Fatalf("%d columns, and %d in the row group; want %d", n, f.RowGroup(0).NumColumns(), columns)
		}
	}
}
