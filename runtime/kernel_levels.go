package runtime

import "math"

// kernelLevelN is the number of quantiles whose levels are corrected.
const kernelLevelN = 7

// kernelProbabilities are their probabilities.
var kernelProbabilities = [kernelLevelN]float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}

var kernelLogits = func() (l [kernelLevelN]float64) {
	for i, p := range kernelProbabilities {
		l[i] = logit(p)
	}
	return l
}()

func logit(p float64) float64    { return math.Log(p / (1 - p)) }
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// kernelAim holds the share of all jobs within each quantile where it is to be:
// online conformal prediction, after Gibbs and Candès (2021), "Adaptive conformal
// inference under distribution shift". The q-quantile is read at the logit of q and
// an offset. A job that ran longer than what was said for q raises the offset, by
// step*q; one that did not lowers it, by step*(1-q). So the long-run share of jobs
// within the q-quantile is q, whatever the log does, as long as the offset stays
// within its limit. There is one for all jobs: with one for each group of jobs, the
// offsets' way from 0 would add up over the groups.
type kernelAim struct {
	offsets [kernelLevelN]float64
	jobs    int
}

// The step is 1/sqrt(1+n) after n jobs, until it is kernelStep; kernelLimit bounds
// offsets.
const (
	kernelStep  = 0.01
	kernelLimit = 6
)

// learn enters the run time of a job that ended, and the quantiles in seconds that were said of it.
func (a *kernelAim) learn(said *[kernelLevelN]float64, run float64) {
	a.jobs++
	step := max(kernelStep, 1/math.Sqrt(float64(a.jobs)))
	for i, q := range kernelProbabilities {
		d := -step * (1 - q)
		if run > said[i] {
			d = step * q
		}
		a.offsets[i] = min(max(a.offsets[i]+d, -kernelLimit), kernelLimit)
	}
}

// read returns the logits of the levels, in the distribution before correction, at which the
// quantiles are read. They do not fall.
func (a *kernelAim) read() (logits [kernelLevelN]float64) {
	before := math.Inf(-1)
	for i, x := range kernelLogits {
		before = max(before, x+a.offsets[i])
		logits[i] = before
	}
	return logits
}
