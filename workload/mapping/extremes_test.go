package mapping_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
)

// TestExtremesOfParquet has whole numbers that no float64 holds, and the ends of 64 bits:
// unknown, and counted.
func TestExtremesOfParquet(t *testing.T) {
	nan := math.NaN()
	one := logtest.Int64s(1, 1, 1, 1, 1)
	values := logtest.Int64s(5, 1<<53+1, math.MaxInt64, math.MinInt64, -1<<53-1)
	want := []float64{5, nan, nan, nan, nan}
	for name, table := range map[string][]any{
		"submit_time": {"id", one, "submit_time", values, "runtime", one},
		"runtime":     {"id", one, "submit_time", one, "runtime", values},
	} {
		l, err := logtest.OpenTraceBytes(logtest.ForeignParquet(t, logtest.Table(table...), 1000), workload.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for j, err := range l.Jobs() {
			if err != nil {
				t.Fatal(err)
			}
			x := j.Submit
			if name == "runtime" {
				x = j.Run
			}
			got = append(got, x)
		}
		if d := cmp.Diff(want, got, cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if rules := logtest.Counts(l); rules["no-exact-number"] != 3 || rules["smallest-number"] != 1 {
			t.Errorf("%s: warnings %v", name, rules)
		}
	}
}
