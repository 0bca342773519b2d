package delimited_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

func TestCSV(t *testing.T) {
	nan := math.NaN()
	rec := &workload.Batch{Rows: 3, Floats: [workload.NumColumns][]float64{workload.ColSubmitTime: []float64{0, 0.1, 1e21}, workload.ColWaitTime: []float64{nan, -1, 1e-9}, workload.ColSigma: []float64{nan, nan, 1e300}}, Ints: [workload.NumColumns][]int64{workload.ColJobID: []int64{1, 2, math.MaxInt64}, workload.ColStatus: []int64{workload.Unknown, 0, -5}}}
	const want = "1,0,,,,,,,,,,,,,,,,,,,\n2,0.1,-1,,,,,,,,0,,,,,,,,,,\n9223372036854775807,1e+21,1e-09,,,,,,,,-5,,,,,,,,,,1e+300\n"
	if got := string(delimited.Append(nil, rec, workload.ColumnSet(0).Written())); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// Every value survives a round trip.
func TestCSVRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		recs := logtest.RandomBatches(t)
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
		want := logtest.Collect(t, logtest.Sequence(recs))
		if len(rows) != want.Rows+1 {
			t.Fatalf("%d lines, want %d", len(rows), want.Rows+1)
		}
		for r, row := range rows[1:] {
			for i, text := range row {
				x, n, same := want.Float(i, r), want.Int(i, r), false
				switch {
				case math.IsNaN(x) && n == workload.Unknown:
					same = text == ""
				case workload.ColumnAt(i).Float():
					got, err := strconv.ParseFloat(text, 64)
					same = err == nil && got == x
				default:
					got, err := strconv.ParseInt(text, 10, 64)
					same = err == nil && got == n
				}
				if !same {
					t.Fatalf("%s row %d: %q for %g or %d", workload.ColumnAt(i).Name, r, text, x, n)
				}
			}
		}
	})
}
