package runtime

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
