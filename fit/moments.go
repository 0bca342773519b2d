package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// MethodMoments takes the law that has the sample's mean and, where it has two
// parameters, its variance: of the transformed attribute for gamma, of the
// attribute itself for the others. Lublin and Feitelson (2003), section 3.2.1,
// warn of it: the few largest values of a long tail dominate the moments, the
// more so the higher the moment. Therefore mixtures are not fitted by moments.
const MethodMoments = "moments"

// largestShare is the share of the jobs whose part in the second moment is
// reported.
const largestShare = 0.01

// sampleMoments are the mean and the variance (by n) of the task's values, +Inf
// where they are beyond a float64, and the part of the sum of squares that the
// largest of them have.
func (t task) sampleMoments() (mean, variance, ofLargest float64) {
	jobs, sum := 0.0, 0.0
	for i, x := range t.x {
		jobs += t.sample.Counts[i]
		sum += t.sample.Counts[i] * x
	}
	mean = sum / jobs
	var squares, squared, large float64
	most := t.x[len(t.x)-1] // squares of shares of it do not overflow
	left := math.Ceil(largestShare * jobs)
	for i := len(t.x) - 1; i >= 0; i-- {
		x, n := t.x[i], t.sample.Counts[i]
		squared += n * (x - mean) * (x - mean)
		square := x / most * (x / most)
		squares += n * square
		taken := min(n, left)
		large += taken * square
		left -= taken
	}
	return mean, squared / jobs, large / squares
}

// fitMoments fits a law by its moments; of gives it from the mean and the
// variance, and is false where there is none.
func (t task) fitMoments(of func(mean, variance float64) (law dist.Law, free int, ok bool)) (outcome, error) {
	mean, variance, ofLargest := t.sampleMoments()
	if math.IsInf(mean, 0) {
		return outcome{}, t.degenerate("their sum is beyond 1.8e308")
	}
	law, free, ok := of(mean, variance)
	if !ok || dist.Validate(law) != nil {
		return outcome{}, t.degenerate(fmt.Sprintf("no such distribution has their mean %g and variance %g", mean, variance))
	}
	return outcome{law: law, free: free, status: Converged, warnings: []string{
		fmt.Sprintf("by moments: %.1f %% of the sum of squares is of the largest %g %% of the jobs, which rule such a fit", 100*ofLargest, 100*largestShare)}}, nil
}

func gammaOfMoments(mean, variance float64) (dist.Law, int, bool) {
	return dist.Gamma{Shape: mean * mean / variance, Scale: variance / mean}, 2, variance > 0 && mean > 0
}

func logNormalOfMoments(mean, variance float64) (dist.Law, int, bool) {
	ln := math.Log1p(variance / (mean * mean))
	return dist.LogNormal{Mu: math.Log(mean) - ln/2, Sigma: math.Sqrt(ln)}, 2, variance > 0 && mean > 0
}

func exponentialOfMoments(mean, _ float64) (dist.Law, int, bool) {
	return dist.Exponential{Mean: mean}, 1, mean > 0
}

func uniformOfMoments(mean, variance float64) (dist.Law, int, bool) {
	half := math.Sqrt(3 * variance)
	return dist.Uniform{Low: mean - half, High: mean + half}, 2, variance > 0
}
