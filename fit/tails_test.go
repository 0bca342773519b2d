package fit

import (
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// tailsReference is testdata/tails.json: fits by SciPy, by tails.py. A sample
// of a real log has no values of its own.
type tailsReference struct {
	Name           string
	Values, Counts []float64
	LogNormal      lawReference `json:"log_normal"`
	Weibull        lawReference
	Pareto         lawReference
}

type lawReference struct {
	Parameters    []float64
	LogLikelihood float64 `json:"log_likelihood"`
}

// TestTailsAgreeWithSciPy checks that on samples with ties and on two logs, closed forms and
// roots agree with SciPy to all digits given.
func TestTailsAgreeWithSciPy(t *testing.T) {
	for _, ref := range longtest.ReadJSON[struct{ Samples []tailsReference }](t, "testdata/tails.json").Samples {
		t.Run(ref.Name, func(t *testing.T) {
			s := Sample{Values: ref.Values, Counts: ref.Counts}
			if strings.HasSuffix(ref.Name, ".swf") {
				s = collectLog(t, ref.Name).Sample(RunTime)
			}
			for _, c := range []struct {
				family    string
				want      lawReference
				tolerance float64
			}{
				{"log-normal", ref.LogNormal, 1e-10},
				{"weibull", ref.Weibull, 1e-9},
				{"pareto", ref.Pareto, 1e-10},
			} {
				r := mustFit(t, c.family, RunTime, s, Options{})
				if r.Family != c.family || r.Transform != None || r.Status != Converged || r.N != s.Jobs() {
					t.Errorf("%s is reported as %s of transform %s, %s, n %d", c.family, r.Family, r.Transform, r.Status, r.N)
				}
				for i, p := range r.Parameters {
					relative(t, c.family+": "+p.Name, p.Value, c.want.Parameters[i], c.tolerance)
				}
				relative(t, c.family+": log-likelihood", float64(r.LogLikelihood), c.want.LogLikelihood, 1e-11)
			}
		})
	}
}
