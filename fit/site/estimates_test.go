package site

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A class counts its requested times with the finest rounding that leaves no
// more than there may be: here 3000 odd times, of 50 minutes, and then times
// that no rounding brings to 2048. Jobs without one are left out.
func TestEstimatesOfAClass(t *testing.T) {
	collect := func(n int, asked func(i int) float64) *fit.Collector {
		c := fit.NewCollector(workload.Clock{})
		for i := range n {
			j := workload.UnknownJob()
			j.Submit, j.Run, j.Time = float64(i), 30, asked(i)
			c.Add(&j)
		}
		return c
	}
	for name, tt := range map[string]struct {
		asked func(i int) float64
		want  *EstimatesReport
		why   string
	}{
		"odd":  {func(i int) float64 { return float64(i + 1) }, &EstimatesReport{Jobs: 3000, Distinct: 50, Largest: 3000, RoundTo: 60}, ""},
		"some": {func(i int) float64 { return []float64{math.NaN(), 0, 60}[i%3] }, &EstimatesReport{Jobs: 1000, LeftOut: 2000, Distinct: 1, Largest: 60}, ""},
		"none": {func(int) float64 { return math.NaN() }, nil, ""},
		"few": {func(i int) float64 {
			if i < 99 {
				return 60
			}
			return math.NaN()
		}, nil, "99 jobs have one, want at least 100"},
		"many": {func(i int) float64 { return 1 + 900*float64(i) }, nil, "more than 2048"},
	} {
		e, got, err := fitEstimates(fit.Class{Collector: collect(3000, tt.asked)}, Options{MinJobs: 100})
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if (err == nil) != (tt.why == "") || err != nil && !strings.Contains(err.Error(), tt.why) {
			t.Errorf("%s: error %v, want %q", name, err, tt.why)
		}
		if l, ok := e.(model.LogEstimates); got != nil && (!ok || l.Validate() != nil || l.Jobs()+l.LeftOut != 3000) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
