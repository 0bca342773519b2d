package runtime

import "math"

// kernelLevelN is the number of quantiles whose levels are corrected.
const kernelLevelN = 7

// kernelProbabilities are the probabilities of the corrected quantiles.
var kernelProbabilities = [kernelLevelN]float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}

var kernelLogits = func() (l [kernelLevelN]float64) {
	for i, p := range kernelProbabilities {
		l[i] = logit(p)
	}
	return l
}()

func logit(p float64) float64    { return math.Log(p / (1 - p)) }
func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// kernelAim keeps the share of all jobs that end within each predicted quantile at its
// probability: online conformal prediction, after Gibbs and Candès (2021), "Adaptive conformal
// inference under distribution shift". The q-quantile is read at the level whose logit is
// logit(q) plus an offset. A job that runs longer than its predicted q-quantile raises the
// offset by step*q; any other job lowers it by step*(1-q). The long-run share of jobs
// within the q-quantile is therefore q, whatever the log, as long as the offset stays
// within its limit. One kernelAim serves all jobs: with one for each group of jobs, the
// miscoverage while the offsets move away from 0 would add up over the groups.
type kernelAim struct {
	offsets [kernelLevelN]float64
	jobs    int
}

// After n jobs the step is 1/sqrt(1+n), but at least kernelStep. Offsets stay within
// kernelLimit of 0.
const (
	kernelStep  = 0.01
	kernelLimit = 6
)

// learn updates the offsets with the run time of a job that has ended and the quantiles that
// were predicted for it, in seconds.
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

// read returns the logits of the levels at which the quantiles are read in the uncorrected
// distribution. They do not decrease.
func (a *kernelAim) read() (logits [kernelLevelN]float64) {
	before := math.Inf(-1)
	for i, x := range kernelLogits {
		before = max(before, x+a.offsets[i])
		logits[i] = before
	}
	return logits
}
