package fit

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
)

// TestFarOutlier: with one job of a year among short ones, the likelihood still has a maximum
// inside the range of the parameters, which a plain EM in Python found from three starts; the
// other mixtures have a fit too.
func TestFarOutlier(t *testing.T) {
	var values []float64
	for i := range 3200 {
		values = append(values, 2-60*math.Log(1-(float64(i)+.5)/3200))
	}
	for i := range 800 {
		values = append(values, 2-3000*math.Log(1-(float64(i)+.5)/800))
	}
	s := NewSample(RunTime, append(values, 31536000))
	r := mustFit(t, "hyper-exponential", RunTime, s, Options{})
	fittest.Near(t, "log-likelihood", float64(r.LogLikelihood), -27178.639, 0.001)
	for name, want := range map[string]float64{"mean_1": 71.7683, "mean_2": 51048.6, "p": 0.834046} {
		fittest.Relative(t, name, fittest.Parameter(t, r.Parameters, name), want, 1e-4)
	}
	for _, family := range []string{"hyper-gamma", "hyper-erlang"} {
		mustFit(t, family, RunTime, s, Options{})
	}
}
