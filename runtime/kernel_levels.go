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
// offsets' way from 0 would add up over the groups. kernelCounts do the rest.
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

// kernelSaid is the prediction for a job from which the corrections learn.
type kernelSaid struct {
	quantiles [kernelLevelN]float64 // s
	grid      [kernelCells]float64  // s, before correction
}

// learn enters the run time of a job that ended.
func (a *kernelAim) learn(said *kernelSaid, run float64) {
	a.jobs++
	step := max(kernelStep, 1/math.Sqrt(float64(a.jobs)))
	for i, q := range kernelProbabilities {
		d := -step * (1 - q)
		if run > said.quantiles[i] {
			d = step * q
		}
		a.offsets[i] = min(max(a.offsets[i]+d, -kernelLimit), kernelLimit)
	}
}

// levels returns the logits of the levels, in the distribution before correction, at
// which the quantiles are read. held are the shares of run times within the quantiles
// of kernelGrid.
func (a *kernelAim) levels(held *[kernelCells]float64) (logits [kernelLevelN]float64) {
	const least = 1e-9
	before := math.Inf(-1)
	for i, x := range kernelLogits {
		q := logistic(x + a.offsets[i])
		at := 0
		for at < kernelCells && held[at] < q {
			at++
		}
		low, high, from, to := 0.0, 1.0, 0.0, 1.0
		if at > 0 {
			low, from = held[at-1], kernelGrid[at-1]
		}
		if at < kernelCells {
			high, to = held[at], kernelGrid[at]
		}
		level := to
		if high > low {
			level = from + (to-from)*(q-low)/(high-low)
		}
		before = max(before, logit(min(max(level, least), 1-least)))
		logits[i] = before
	}
	return logits
}

// kernelBins is how many groups of users share counts: by the jobs of a user that
// were submitted before, none, up to 3, 15, 63, 255 and more. Those that have ended
// would not do: a user whose first hundred jobs come at once is not like one with
// few jobs.
const kernelBins = 6

func kernelBin(jobs int) int {
	bin := 0
	for ; jobs > 0 && bin < kernelBins-1; jobs /= 4 {
		bin++
	}
	return bin
}
