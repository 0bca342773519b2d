package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

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

// kernelLevels corrects the levels of quantiles by what happened: online
// conformal prediction, after Gibbs and Candes (2021), "Adaptive conformal
// inference under distribution shift". The q-quantile is read off the like jobs
// at the level whose logit is that of q and the sum of two corrections: one of
// all users with about as many jobs, one of the user. A job that ran longer than
// what was said for q raises both, by step*q; one that did not lowers them, by
// step*(1-q). So the long-run share of jobs within the q-quantile is q, whatever
// the log does, as long as the corrections stay within their limits. The
// probability of reaching the request is corrected in the same way.
type kernelLevels struct {
	quantiles [kernelLevelN]float64
	reach     float64
}

// kernelSaid is what was said of a job that is to be corrected.
type kernelSaid struct {
	quantiles [kernelLevelN]float64 // s
	reach     float64               // probability; NaN without a request
}

// kernelStepAll is the step of the corrections for all users, and kernelLimit
// the limit of every correction.
const (
	kernelStepAll = 0.01
	kernelLimit   = 6
)

// kernelStepUser is the step of a user's corrections, which are found fast and
// then kept with care: many of a user's jobs end alike.
func kernelStepUser(jobs int) float64 { return max(0.02, 1/math.Sqrt(float64(1+jobs))) }

// learn enters a job that ended.
func (l *kernelLevels) learn(said *kernelSaid, j *workload.Job, step float64) {
	for i, q := range kernelProbabilities {
		d := -step * (1 - q)
		if j.Run > said.quantiles[i] {
			d = step * q
		}
		l.quantiles[i] = min(max(l.quantiles[i]+d, -kernelLimit), kernelLimit)
	}
	if !math.IsNaN(said.reach) {
		d := -step * said.reach
		if j.Run >= j.Time {
			d = step * (1 - said.reach)
		}
		l.reach = min(max(l.reach+d, -kernelLimit), kernelLimit)
	}
}

func (l *kernelLevels) shift(by *kernelLevels) {
	for i := range l.quantiles {
		l.quantiles[i] += by.quantiles[i]
	}
	l.reach += by.reach
}

// kernelBins is how many groups of users share corrections: by the jobs of a
// user that have ended, none, up to 3, 15, 63, 255 and more.
const kernelBins = 6

func kernelBin(jobs int) int {
	bin := 0
	for ; jobs > 0 && bin < kernelBins-1; jobs /= 4 {
		bin++
	}
	return bin
}
