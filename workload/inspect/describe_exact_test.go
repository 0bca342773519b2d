package inspect

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/stats"
)

// exactMoments and the other exact types hold the values of testdata/describe_exact.json, written
// by describe_exact.py.
type exactMoments struct{ Mean, CV float64 }

type exactLog struct {
	Columns    map[string]exactMoments
	Work, Load float64
}

// TestRealLogsAgainstFractions compares the figures of real logs with rational arithmetic. Sums are
// exact, so a figure differs only by the roundings of the few operations after them; the reference
// is rounded once.
func TestRealLogsAgainstFractions(t *testing.T) {
	data := jobtest.Must(os.ReadFile("testdata/describe_exact.json"))
	var reference struct{ Logs map[string]exactLog }
	if err := json.Unmarshal(data, &reference); err != nil || len(reference.Logs) != 2 {
		t.Fatalf("testdata/describe_exact.json: %v, %d logs", err, len(reference.Logs))
	}
	const ( // relative, in units of 2^-53
		sum  = 0   // exact, rounded once, as in the reference
		mean = 2   // the sum, the division
		cv   = 5.5 // half of the variance's (n² times it, the divisions by n and n-1), the root; the mean; the division
		load = 3   // the work, the seconds of the machine, the division
	)
	for name, want := range reference.Logs {
		t.Run(name, func(t *testing.T) {
			d, err := Describe(t.Context(), jobtest.Open(t, name), DescribeOptions{})
			if err != nil {
				t.Fatal(err)
			}
			same := func(what string, got stats.Number, want, ops float64) {
				t.Helper()
				if float64(got) != want && (ops == 0 || !(math.Abs(float64(got)-want) <= (ops+1)*0x1p-53*math.Abs(want))) {
					t.Errorf("%s is %.17g, want %.17g", what, got, want)
				}
			}
			for column, w := range want.Columns {
				c := d.Columns[column]
				same(column+" mean", c.Mean, w.Mean, mean)
				same(column+" CV", c.CV, w.CV, cv)
			}
			same("work", stats.Number(d.Work), want.Work, sum)
			same("load", d.OfferedLoad, want.Load, load)
		})
	}
}
