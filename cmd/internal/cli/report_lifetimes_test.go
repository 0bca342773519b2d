package cli

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
)

// Means twice the log's and more are explained; closer ones, and laws without
// one, are not spoken of.
func TestFarMeans(t *testing.T) {
	log := figure.Remaining{Name: "the log", Age: []float64{1, 60}, Mean: []float64{7200, 9000}}
	near := figure.Remaining{Name: "gamma", Age: log.Age, Mean: []float64{14399, 1e9}}
	far := figure.Remaining{Name: "hyper-gamma", Age: log.Age, Mean: []float64{86400, 1e5}}
	none := figure.Remaining{Name: "pareto", Age: log.Age}
	unknown := figure.Remaining{Name: "weibull", Age: log.Age, Mean: []float64{math.NaN(), 1}}
	if got := farMeans([]figure.Remaining{log, near, none, unknown}); got != "" {
		t.Errorf("near means: %q", got)
	}
	want := "At the age of 1 s a job of the log runs 2 h longer in the mean, where hyper-gamma says 24 h: the tail of such a law goes on past the log's longest job, and its mean rests on that. Its medians do not."
	if got := farMeans([]figure.Remaining{log, near, far}); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
