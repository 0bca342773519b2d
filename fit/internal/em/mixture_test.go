package em

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit/internal/fittest"
	"github.com/loadstone-hpc/loadstone/stats"
)

func exact(float64) float64 { return 0 }

// lnSeconds returns the logarithms of n run times in whole seconds from two laws: the distinct
// ones above 0 with their counts.
func lnSeconds(first, second dist.Law, share float64, n int) (y, w []float64) {
	rng := rand.New(rand.NewPCG(3, 1))
	ln := make([]float64, n)
	for i := range ln {
		law := first
		if rng.Float64() > share {
			law = second
		}
		ln[i] = math.Log(2 + math.Floor(math.Exp(law.Rand(rng))))
	}
	return stats.Distinct(ln)
}

// TestSquaremEndsWhereEMEnds checks that the accelerated run and a plain one reach the same
// likelihood, the first in less than half of the steps.
func TestSquaremEndsWhereEMEnds(t *testing.T) {
	y, w := lnSeconds(dist.Gamma{Shape: 4.2, Scale: 0.94}, dist.Gamma{Shape: 40, Scale: 0.22}, 0.6, 5000)
	m := New(Gammas{Resolution: exact}, NewPoints(y, w))
	starts := m.Starts()
	fast := m.Run(starts[0], Fine())
	plain, l, steps := starts[0], 0.0, 0
	for steps < 5000 {
		next, before := m.step(plain)
		l = before
		steps++
		moved := distance(plain, next)
		plain = next
		if moved <= Fine().Tolerance {
			break
		}
	}
	fittest.Near(t, "log-likelihood", fast.LogLikelihood, l, 1e-6)
	if 2*fast.Iterations >= steps {
		t.Errorf("%d E steps, where plain EM takes %d", fast.Iterations, steps)
	}
}
