package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The range of a predicted time at the head of the queue, in seconds. A
// prediction below a second comes from an old running job, not from one
// that is about to end, and values near zero would dominate a correlation of
// logarithms. The upper end, 32 years, means that no end is in sight.
const (
	Shortest = 1.0
	Longest  = 1e9
)

// earliest returns the smallest t in [Shortest, Longest] with f(t) >= target, to
// nine digits, or Longest if there is none. f must not decrease.
//
// f may be flat, even at the target (if some jobs must have ended by then and the
// others cannot have ended yet), so this is not a search for a zero: the bracket
// maintains f(low) < target <= f(high). Steps are false position in ln t with the
// value at the retained end halved (Illinois); every third step bisects.
func earliest(f func(t float64) float64, target float64) float64 {
	low, high := math.Log(Shortest), math.Log(Longest)
	below := f(Shortest) - target
	if below >= 0 {
		return Shortest
	}
	above := f(Longest) - target
	if !(above >= 0) {
		return Longest
	}
	side := 0
	for i := 1; high-low > 1e-10; i++ {
		x := low + (high-low)/2
		if i%3 != 0 {
			// Stay clear of the ends: the solution is often close to one of them.
			step := (high - low) * below / (below - above)
			x = low + min(max(step, 1e-3*(high-low)), (1-1e-3)*(high-low))
		}
		if x <= low || x >= high {
			break
		}
		if y := f(math.Exp(x)) - target; y < 0 {
			low, below = x, y
			if side < 0 {
				above /= 2
			}
			side = -1
		} else {
			high, above = x, y
			if side > 0 {
				below /= 2
			}
			side = 1
		}
	}
	return math.Exp(high)
}

// none returns the results of a Predict method without a prediction.
func none() (workload.Prediction, bool) {
	return workload.Prediction{Seconds: math.NaN()}, false
}

// predicted returns the results of a Predict method for a time found by earliest,
// based on the given number of jobs; those of none if t is Longest or more.
func predicted(t float64, observations int) (workload.Prediction, bool) {
	if t >= Longest {
		return none()
	}
	return workload.Prediction{Seconds: t, Observations: observations}, true
}
