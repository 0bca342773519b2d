package model

import (
	"cmp"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Malleable is the model of jobs that run on any number of processors: three
// independent laws, and DowneyS for the speedup. Downey (1997), "Using queue
// time predictions for processor allocation", section 2.
type Malleable struct {
	SequentialTime     Law `opt:"sequential_time" required:"true"`     // law of the run time on one processor, in seconds
	AverageParallelism Law `opt:"average_parallelism" required:"true"` // law of the average parallelism, at least 1
	Sigma              Law `opt:"sigma" required:"true"`               // law of the variance of parallelism
	// Rigid means that the size of a job is its average parallelism, rounded up to a whole
	// number, at most the whole machine: the paper's strategy AVG on an empty machine. The run
	// time is the sequential time divided by the speedup. Otherwise jobs have neither a size nor
	// a run time, which are left to the reader of the log.
	Rigid bool `opt:"rigid"`
}

// Check checks the values and means of the laws.
func (m *Malleable) Check() error {
	if below := m.AverageParallelism.CDF(1); below > 0 {
		return workload.OptionFault("average_parallelism", fmt.Sprintf("a distribution with %.2g of it not above 1", below), "a distribution of values above 1")
	}
	return cmp.Or(checkCut("sequential_time", m.SequentialTime.Law, 0), checkCut("average_parallelism", m.AverageParallelism.Law, 0), checkCut("sigma", m.Sigma.Law, 0))
}

// Size returns the number of processors of a rigid job.
func (m Malleable) Size(averageParallelism float64, processors int64) int64 {
	return int64(min(math.Ceil(averageParallelism), float64(processors)))
}

// means returns the mean size, run time and area of rigid jobs. It integrates over the average
// parallelism and sigma at the midpoints of equal shares of their laws.
func (m Malleable) means(processors int64) (size, runTime, area float64) {
	const shares, sigmas = 4096, 32
	sequential := dist.Mean(m.SequentialTime.Law)
	for i := range shares {
		a := m.AverageParallelism.Quantile((float64(i) + 0.5) / shares)
		k := float64(m.Size(a, processors))
		size += k / shares
		for j := range sigmas {
			s := DowneyS(k, a, m.Sigma.Quantile((float64(j)+0.5)/sigmas))
			runTime += sequential / s / shares / sigmas
			area += sequential * k / s / shares / sigmas
		}
	}
	return size, runTime, area
}

// DowneyS returns the speedup S(n) on n >= 1 processors of a job with average parallelism a >= 1
// and variance of parallelism sigma >= 0. Downey (1997), "Using queue time predictions for
// processor allocation", section 2.1: equation 1 (low variance) up to sigma 1, equation 2 (high
// variance) above, which agree at 1. For n beyond the last case the speedup is a.
func DowneyS(n, a, sigma float64) float64 {
	if sigma <= 1 {
		switch {
		case n <= a:
			return a * n / (a + sigma*(n-1)/2)
		case n <= 2*a-1:
			return a * n / (sigma*(a-0.5) + n*(1-sigma/2))
		}
		return a
	}
	if more := sigma * (a - 1); n <= a+more {
		return n * a * (sigma + 1) / (a + more + n*sigma)
	}
	return a
}
