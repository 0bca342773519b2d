package predict

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// LogNormal is the method with which BMBP's authors compare it: the upper
// tolerance bound of a log-normal law, exp(mean + K sd), with the mean and
// standard deviation of the logarithms of the group's waits. K is such that the
// bound is above the quantile with the requested confidence if waits are
// log-normal: 2.026 for 59 waits at 0.95 and 0.95. Waits below a second count
// as a second. Brevik, Nurmi and Wolski (2006), "Predicting bounds on queuing
// delay for batch-scheduled parallel machines".
//
// The history is kept, grouped and trimmed by the rules of BMBP.
type LogNormal struct {
	quantile, confidence float64
	factors              map[int]float64 // by length of history
	momentBound
}

var _ BoundPredictor = (*LogNormal)(nil)

// NewLogNormal returns a LogNormal without history. quantile and confidence are
// in (0, 1). The history must be as long as for BMBP.
func NewLogNormal(quantile, confidence float64, o BoundOptions) (*LogNormal, error) {
	minimum := stats.MinimumHistory(quantile, confidence)
	if minimum == 0 {
		return nil, fmt.Errorf("log-normal: quantile %g and confidence %g, want numbers between 0 and 1", quantile, confidence)
	}
	of := func(w float64) float64 { return math.Log(max(1, w)) }
	return &LogNormal{quantile, confidence, map[int]float64{}, newMomentBound("log-normal", quantile, max(2, minimum), o, of)}, nil
}

// Predict implements BoundPredictor; Achieved holds for log-normal waits.
func (l *LogNormal) Predict(r workload.Request) (Bound, bool) {
	bound, logs, ok := l.ask(&r, l.quantile, l.confidence)
	if ok {
		bound.Seconds = math.Exp(logs.Mean() + l.factor(logs.N())*logs.StdDev())
		bound.Achieved = l.confidence
	}
	return bound, ok
}

// factor returns K for n waits or slightly fewer: it falls with n, so that is
// on the safe side. Up to 256 it is exact, then it is that of one of 128
// lengths in each power of two.
func (l *LogNormal) factor(n int) float64 {
	step := 1
	for n/step > 256 {
		step *= 2
	}
	n -= n % step
	k, ok := l.factors[n]
	if !ok {
		k = toleranceFactor(n, l.quantile, l.confidence)
		l.factors[n] = k
	}
	return k
}

// toleranceFactor returns the K with
//
//	Pr{ mean + K sd >= quantile q of the law } = c
//
// for n normal values, by bisection; the probability is the mean, over the
// law of s = sd/sigma, (n-1) s² being chi-square with n-1 degrees of freedom,
// of Phi(sqrt(n) (K s - z_q)).
func toleranceFactor(n int, q, c float64) float64 {
	z, free := mathext.NormalQuantile(q), float64(n-1)
	chi := distuv.ChiSquared{K: free}
	spread := 9 / math.Sqrt(2*free)
	const nodes = 200
	x, w := make([]float64, 2*nodes), make([]float64, 2*nodes)
	quad.Legendre{}.FixedLocations(x[:nodes], w[:nodes], max(0, 1-spread), 1)
	quad.Legendre{}.FixedLocations(x[nodes:], w[nodes:], 1, 1+spread+2/free)
	for i, s := range x {
		w[i] *= chi.Prob(free*s*s) * 2 * free * s
	}
	covers := func(k float64) float64 {
		p := 0.0
		for i, s := range x {
			p += w[i] * math.Erfc(-math.Sqrt(float64(n)/2)*(k*s-z)) / 2
		}
		return p
	}
	low, high := -1e4, 1e4
	for high-low > 1e-10 {
		mid := low + (high-low)/2
		if covers(mid) < c {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
