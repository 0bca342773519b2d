package delimited_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func TestCSV(t *testing.T) {
	nan := math.NaN()
	rec := workload.RecordOf(3,
		workload.Values{Column: workload.ColJobID, Ints: []int64{1, 2, math.MaxInt64}},
		workload.Values{Column: workload.ColSubmitTime, Floats: []float64{0, 0.1, 1e21}},
		workload.Values{Column: workload.ColWaitTime, Floats: []float64{nan, -1, 1e-9}},
		workload.Values{Column: workload.ColStatus, Ints: []int64{workload.Unknown, 0, -5}},
		workload.Values{Column: workload.ColSigma, Floats: []float64{nan, nan, 1e300}},
	)
	defer rec.Release()
	const want = "1,0,,,,,,,,,,,,,,,,,,,\n2,0.1,-1,,,,,,,,0,,,,,,,,,,\n9223372036854775807,1e+21,1e-09,,,,,,,,-5,,,,,,,,,,1e+300\n"
	if got := string(delimited.Append(nil, rec, workload.ColumnSet(0).Written())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	// NaN that is not null, as a record of another program may hold.
	numbers := array.NewFloat64Builder(memory.DefaultAllocator)
	numbers.Append(nan)
	var cols [workload.NumColumns]arrow.Array
	cols[workload.ColSubmitTime] = numbers.NewArray()
	odd := logtest.RecordOf(&cols, 1, memory.DefaultAllocator)
	defer odd.Release()
	if got, want := string(delimited.Append(nil, odd, workload.ColumnSet(0).Written())), strings.Repeat(",", workload.FirstOptional-1)+"\n"; got != want {
		t.Errorf("NaN is written as %q, want %q", got, want)
	}
}

// Every value reads back as it was.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recs := logtest.RandomBatches(t)
		defer func() {
			for _, rec := range recs {
				rec.Release()
			}
		}()
		var b bytes.Buffer
		w, err := logfile.NewWriter("csv", &b, workload.Header{}, workload.WriteOptions{Columns: workload.OptionalColumns})
		if err != nil {
			t.Fatal(err)
		}
		logtest.WriteAll(t, w, logtest.Sequence(recs))
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range workload.Columns() {
			names = append(names, c.Name)
		}
		if got := strings.Join(rows[0], ","); got != strings.Join(names, ",") {
			t.Fatalf("head %s", got)
		}
		rows = rows[1:]
		for _, rec := range recs {
			checkCSV(t, rows[:rec.NumRows()], rec)
			rows = rows[rec.NumRows():]
		}
		if len(rows) > 0 {
			t.Fatalf("%d lines too many", len(rows))
		}
	})
}

func checkCSV(t logtest.Failer, rows [][]string, rec arrow.Record) {
	v := workload.NewView(rec)
	for r, row := range rows {
		for i, text := range row {
			same := false
			switch {
			case rec.Column(i).IsNull(r):
				same = text == ""
			case workload.ColumnAt(i).Float():
				x, err := strconv.ParseFloat(text, 64)
				same = err == nil && x == v.Float(i, r)
			default:
				n, err := strconv.ParseInt(text, 10, 64)
				same = err == nil && n == v.Int(i, r)
			}
			if !same {
				t.Fatalf("%s row %d: %q for %s", workload.ColumnAt(i).Name, r, text, rec.Column(i).ValueStr(r))
			}
		}
	}
}
