package tables

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/stats"
)

// A predictor that had a bound for 10 of 73 past jobs is judged on these alone, and the
// legend explains it. Shares of few jobs have no decimals.
func TestJudgedOnFewer(t *testing.T) {
	r := &forecast.Answer{
		Quantiles:   []float64{0.95},
		Record:      &forecast.Record{Jobs: 73, Of: 73, Quantile: 0.95, Sizes: []forecast.SizeRecord{{Processors: 4, Jobs: 73, Of: 73}}},
		Predictions: []forecast.Prediction{{Processors: 4, Predictor: "bmbp", Bounds: []forecast.Bound{{Quantile: 0.95, Coverage: 0.5, Jobs: 10}}}},
	}
	const legend = ";\n  each predictor is judged on those of these jobs for which it had a bound\n"
	if text := prose.Text("wait record", r); !strings.Contains(text, "over 73 of 73 jobs of all sizes") || !strings.Contains(text, legend) {
		t.Errorf("%q, want %q", text, legend)
	}
	r.Predictions[0].Bounds[0].Jobs = 73
	if text := prose.Text("wait record", r); strings.Contains(text, legend) {
		t.Errorf("%q, where each job had a bound", text)
	}
	for _, c := range []struct {
		coverage stats.Number
		jobs     int
		want     string
	}{{0.5, 10, "50% of 10"}, {85. / 95, 95, "89% of 95"}, {0.98, 100, "98.0% of 100"}, {0, 0, ""}} {
		r.Predictions[0].Bounds[0].Coverage, r.Predictions[0].Bounds[0].Jobs = c.coverage, c.jobs
		if got := prose.Text("wait covered", view.Cell{Row: r.Predictions[0], Of: r}); got != c.want {
			t.Errorf("%v of %d jobs: %q, want %q", c.coverage, c.jobs, got, c.want)
		}
	}
}
