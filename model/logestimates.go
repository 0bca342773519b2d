package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/workload"
)

// LogEstimates implements Estimates by those of a log: each estimate with its number of jobs, by
// the ratio of run time to estimate.
type LogEstimates struct {
	Bins []LogEstimate `opt:"bins" required:"true"` // 1 to MaxEstimateBins, by ascending time
}

// LogEstimate is one estimate of a log.
type LogEstimate struct {
	Time float64 `opt:"time_s" in:"(0,1e9]" required:"true"` // s
	// Accuracy counts the jobs by run time / estimate, in the cells of
	// AccuracyCells. The last cell includes jobs that ran longer.
	Accuracy [AccuracyCells]int64 `opt:"accuracy" in:"[0,1e12]" required:"true"`
}

const (
	// MaxEstimateTime is the largest estimate, in seconds: 31 years.
	MaxEstimateTime = 1e9
	// MaxEstimateBins is the largest number of distinct estimates. Logs of the
	// Parallel Workloads Archive have 8 to 600, the model of 2005 at most 565.
	MaxEstimateBins = 2048
	// MaxEstimateJobs is the largest number of jobs in a distribution of estimates.
	MaxEstimateJobs = 1e12
)

// Check checks that times ascend and that the numbers of jobs are in range.
func (e *LogEstimates) Check() error {
	if n := len(e.Bins); n > MaxEstimateBins {
		return workload.OptionFault("bins", fmt.Sprintf("%d estimates", n), "1 to %d", MaxEstimateBins)
	}
	for i, b := range e.Bins {
		if i > 0 && b.Time <= e.Bins[i-1].Time {
			return workload.OptionFault(fmt.Sprintf("bins[%d].time_s", i), number(b.Time), "distinct times in ascending order")
		}
		if b.Jobs() == 0 {
			return workload.OptionFault(fmt.Sprintf("bins[%d].accuracy", i), "no jobs", "at least one job of each estimate")
		}
	}
	if jobs := e.Jobs(); jobs > MaxEstimateJobs {
		return workload.OptionFault("bins", fmt.Sprintf("%d jobs", jobs), "at most %g jobs", MaxEstimateJobs)
	}
	return nil
}

// Jobs returns the number of jobs with the estimate.
func (b *LogEstimate) Jobs() (n int64) {
	for _, cell := range b.Accuracy {
		n += cell
	}
	return n
}

// Jobs returns the number of jobs with any of the estimates.
func (e *LogEstimates) Jobs() (n int64) {
	for _, b := range e.Bins {
		n += b.Jobs()
	}
	return n
}

// LongestRun implements Estimates.
func (e *LogEstimates) LongestRun() float64 { return math.Inf(1) }

// runTimeSteps is the number of ranges of run times in an octave, not counting those that end at
// estimates.
const runTimeSteps = 8

// Law implements Estimates. By Bayes' rule, the probability of an estimate is proportional to its
// share in the log times the share of its jobs that ran for about as long. Within a cell of the
// accuracy, run times are uniform; the law is constant within ranges of run times of an eighth of
// an octave, which are divided at the estimates.
//
// If run times follow the log's distribution, so do the estimates and the
// accuracy. If no job of the log with an estimate of at least the run time ran
// for about as long, the law is the distribution of those estimates.
func (e *LogEstimates) Law(float64, func(int64) float64, *rand.Rand) (*EstimateLaw, error) {
	var times []float64
	for _, b := range e.Bins {
		times = append(times, b.Time)
	}
	rows, most := slices.Clone(times), times[len(times)-1]
	for k := 0; ; k++ {
		end := math.Ldexp(math.Exp(float64(k%runTimeSteps)*(math.Ln2/runTimeSteps)), k/runTimeSteps)
		if end >= most {
			break
		}
		rows = append(rows, end)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	laws := make([][]float64, len(rows)) // for each range, cumulative weights of the estimates that are not below its end
	below := 0.0
	for row, end := range rows {
		first, _ := slices.BinarySearch(times, end)
		sums, rest := make([]float64, len(times)-first), make([]float64, len(times)-first)
		ran, jobs := 0.0, 0.0
		for i, b := range e.Bins[first:] {
			ran, jobs = ran+b.between(below, end), jobs+float64(b.Jobs())
			sums[i], rest[i] = ran, jobs
		}
		if ran == 0 {
			sums = rest
		}
		laws[row], below = sums, end
	}
	return &EstimateLaw{times, rows, func(row int, x float64) int {
		sums := laws[row]
		n := len(sums)
		u := x * sums[n-1]
		return len(times) - n + sort.Search(n-1, func(i int) bool { return sums[i] > u })
	}}, nil
}

// between returns the number of the estimate's jobs that ran for more than low and up to high
// seconds, assuming uniform run times within a cell.
func (b LogEstimate) between(low, high float64) (jobs float64) {
	low, high = accuracySteps*low/b.Time, accuracySteps*high/b.Time
	k := accuracyCell(low)
	begin := 0.0
	if k > 0 {
		begin = accuracyEnd(k - 1)
	}
	for ; k < AccuracyCells && begin < high; k++ {
		end := accuracyEnd(k)
		if part := min(high, end) - max(low, begin); part > 0 {
			jobs += float64(b.Accuracy[k]) * part / (end - begin)
		}
		begin = end
	}
	return jobs
}

// AccuracyCells is the number of cells, ranges of the ratio of run time to estimate. They end at
// 1/20480, 1/10240, ..., 1/40, 1/20, and from there in steps of 1/20 up to 1. A cell begins above
// the end of the previous one, the first at 0.
const AccuracyCells = accuracySteps + accuracyHalvings

const (
	accuracySteps    = 20 // number of equal ranges from 0 to 1
	accuracyHalvings = 10 // number of halvings of the first range, which has a fifth of the jobs or more
)

// accuracyEnd returns the upper end of a cell in steps of 1/20, in which it is exact.
func accuracyEnd(cell int) float64 {
	if cell <= accuracyHalvings {
		return math.Ldexp(1, cell-accuracyHalvings)
	}
	return float64(cell - accuracyHalvings + 1)
}

// AccuracyCell returns the cell of a job that ran for run seconds and requested
// estimate seconds. A job that ran longer than its estimate is in the last
// cell.
func AccuracyCell(run, estimate float64) int {
	return accuracyCell(accuracySteps * min(run, estimate) / estimate)
}

// accuracyCell returns the cell of a ratio given in steps of 1/20.
func accuracyCell(x float64) int {
	if x > 1 {
		return min(accuracyHalvings+int(math.Ceil(min(x, accuracySteps)))-1, AccuracyCells-1)
	}
	if x <= 0 {
		return 0
	}
	f, e := math.Frexp(x)
	if f == 0.5 { // a power of two is the end of a cell
		e--
	}
	return max(0, accuracyHalvings+e)
}
