package runtime

import "math"

// kernelCells is the number of quantiles before correction that run times are
// counted by; with a cell above the last.
const kernelCells = 13

// kernelGrid are their levels.
var kernelGrid = [kernelCells]float64{0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.975, 0.99}

// kernelPriors are the shares of the cells where nothing has been counted.
var kernelPriors = func() (p [kernelCells]float64) {
	before := 0.0
	for i, level := range kernelGrid {
		p[i], before = level-before, level
	}
	return p
}()

// kernelCounts counts where the run times of some jobs fell among the quantiles that
// were said of them before correction: the histogram of the probability integral
// transform, by which distributions are recalibrated (Dawid 1984; Kuleshov, Fenner and
// Ermon 2018, "Accurate uncertainties for deep learning using calibrated regression").
// Older jobs fade. The n-th of a user's jobs that were submitted without one of them
// ending in between counts for 1/sqrt(n): they were predicted from the same history,
// and end alike.
type kernelCounts struct {
	cells [kernelCells]float64 // the cell above the last is the rest of n
	n     float64
}

// Counts of all jobs, of the users of a bin and of a user fade to 1/e in so many jobs.
const (
	kernelCountsAll  = 20_000
	kernelCountsBin  = 2000
	kernelCountsUser = 200
)

// learn enters a job that ended.
func (c *kernelCounts) learn(p *kernelAsked, run, memory float64) {
	keep := 1 - p.weight/memory
	cell := kernelCells
	for i, x := range p.said.grid {
		c.cells[i] *= keep
		if cell == kernelCells && run <= x {
			cell = i
		}
	}
	c.n = c.n*keep + p.weight
	if cell < kernelCells {
		c.cells[cell] += p.weight
	}
}

// The counts of all weigh as much as so many jobs beside those of a bin, and these as
// so many beside those of a user.
const (
	kernelPriorAll  = 100
	kernelPriorBin  = 100
	kernelPriorUser = 20
)

// kernelHeld returns the shares of run times that are within the quantiles of
// kernelGrid, for a user: the counts of all users, of users with about as many jobs,
// and of the user, each backed by the ones before.
func kernelHeld(all, bin, user *kernelCounts) (held [kernelCells]float64) {
	sum := 0.0
	for i, share := range kernelPriors {
		share = (all.cells[i] + kernelPriorAll*share) / (all.n + kernelPriorAll)
		share = (bin.cells[i] + kernelPriorBin*share) / (bin.n + kernelPriorBin)
		share = (user.cells[i] + kernelPriorUser*share) / (user.n + kernelPriorUser)
		sum += share
		held[i] = sum
	}
	return held
}

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

// read returns the levels, in the distribution before correction, at which the quantiles
// are read. held are the shares of run times within the quantiles
// of kernelGrid.
func (a *kernelAim) read(held *[kernelCells]float64) (levels [kernelLevelN]float64) {
	const least = 1e-9
	before := least
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
		before = max(before, min(level, 1-least))
		levels[i] = before
	}
	return levels
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
