package model

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Estimates is the law of the run times that the users of a class request, in one of two forms.
// No published model has any.
type Estimates struct {
	// Kind is "tsafrir", the model of Tsafrir, Etsion and Feitelson (2005), "Modeling user
	// runtime estimates": few, round times, the largest of them the most popular; or "log",
	// the estimates of a log: the number of jobs that have each, and the share of it that they
	// ran.
	Kind string `opt:"kind" required:"true"`

	// Max is the largest of Tsafrir's estimates that the machine allows, in whole seconds. Run
	// times above it are cut to it: a scheduler would kill such jobs there.
	Max float64 `opt:"max_s" in:"[3600,1e9]" for:"kind=tsafrir"`

	RoundTo float64       `opt:"round_s" in:"[0,86400]" for:"bins" required:"bins"` // a log's estimates are rounded up to multiples of it, s; 0 means no rounding
	LeftOut int64         `opt:"left_out" in:"[0,)" for:"bins" required:"bins"`     // jobs without a known estimate above 0, or without a known run time
	Overrun int64         `opt:"overrun" in:"[0,)" for:"bins" required:"bins"`      // jobs that ran longer than their estimate; they are in the last cell
	Bins    []LogEstimate `opt:"bins" for:"kind=log"`                               // of a log, 1 to MaxEstimateBins, ascending times
}

// LogEstimate is one estimate of a log.
type LogEstimate struct {
	Time float64 `opt:"time_s" in:"(0,1e9]" required:"true"` // s
	Jobs int64   `opt:"jobs" in:"[1,1e12]" required:"true"`
	// Accuracy counts the jobs by run time / estimate, in the cells of
	// AccuracyEnd. The last cell includes jobs that ran longer.
	Accuracy [AccuracyCells]int64 `opt:"accuracy" in:"[0,)" required:"true"`
}

// The forms of Estimates.
const (
	TsafrirEstimates = "tsafrir"
	LogEstimates     = "log"
)

const (
	// MaxEstimateTime is the largest estimate, in seconds: 31 years.
	MaxEstimateTime = 1e9
	// MaxEstimateBins is the largest number of distinct estimates. Logs of the
	// Parallel Workloads Archive have 8 to 600, the model of 2005 at most 565.
	MaxEstimateBins = 2048
	// MaxEstimateJobs is the largest number of jobs of a distribution of
	// estimates.
	MaxEstimateJobs = 1e12
)

// Choices are the values of keys that take one of some.
func (Estimates) Choices(key string) []string {
	if key == "kind" {
		return []string{TsafrirEstimates, LogEstimates}
	}
	return nil
}

// Check checks the estimates of a log, and that Tsafrir's have a largest one.
func (e *Estimates) Check() error {
	switch {
	case e.Kind == TsafrirEstimates && (e.Max == 0 || e.Max != math.Trunc(e.Max)):
		return workload.OptionFault("max_s", e.Max, "whole seconds from 3600 to %g", float64(MaxEstimateTime))
	case e.Kind == LogEstimates && len(e.Bins) == 0 || len(e.Bins) > MaxEstimateBins:
		return workload.OptionFault("bins", fmt.Sprintf("%d estimates", len(e.Bins)), "1 to %d", MaxEstimateBins)
	}
	last := int64(0)
	for i, b := range e.Bins {
		at := fmt.Sprintf("bins[%d].", i)
		if i > 0 && b.Time <= e.Bins[i-1].Time {
			return workload.OptionFault(at+"time_s", number(b.Time), "distinct times in ascending order")
		}
		left := b.Jobs // each count at most that, so that the sum stays in range
		for _, n := range b.Accuracy {
			if left -= n; left < 0 {
				break
			}
		}
		if left != 0 {
			return workload.OptionFault(at+"accuracy", "another sum", "counts that sum to the estimate's %d jobs", b.Jobs)
		}
		last += b.Accuracy[AccuracyCells-1]
	}
	if jobs := e.Jobs(); jobs > MaxEstimateJobs {
		return workload.OptionFault("bins", fmt.Sprintf("%d jobs", jobs), "at most %g jobs", float64(MaxEstimateJobs))
	}
	if e.Overrun > last {
		return workload.OptionFault("overrun", e.Overrun, "0 to the %d jobs in the last cells", last)
	}
	return nil
}

// Jobs returns the number of jobs of all estimates of a log.
func (e *Estimates) Jobs() (n int64) {
	for _, b := range e.Bins {
		n += b.Jobs
	}
	return n
}

// LongestRun returns the run time, in seconds, to which the estimates of the
// class cut longer ones; +Inf if they do not, as jobs of a log can run longer than requested.
func (c Class) LongestRun() float64 {
	if c.Estimates == nil || c.Estimates.Kind != TsafrirEstimates {
		return math.Inf(1)
	}
	return c.Estimates.Max
}

// Between returns how many of the estimate's jobs ran longer than low and up to
// high seconds, assuming uniform run times within a cell.
func (b LogEstimate) Between(low, high float64) (jobs float64) {
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

// AccuracyCells is the number of ranges of the ratio of run time to estimate:
// see AccuracyEnd.
const AccuracyCells = accuracySteps + accuracyHalvings

const (
	accuracySteps    = 20 // equal ranges of the whole
	accuracyHalvings = 10 // of the first of them, which has a fifth of the jobs and more
)

// AccuracyEnd returns the upper end of a cell from 0 to AccuracyCells-1, from
// 1/20480 over 1/10240, ..., 1/40, 1/20, and from there in steps of 1/20 to 1.
// A cell begins above the end of the one before, the first with 0.
func AccuracyEnd(cell int) float64 { return accuracyEnd(cell) / accuracySteps }

// accuracyEnd is in steps, where it is exact.
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

// accuracyCell takes a share in steps.
func accuracyCell(x float64) int {
	if x > 1 {
		return min(accuracyHalvings+int(math.Ceil(min(x, accuracySteps)))-1, AccuracyCells-1)
	}
	if x <= 0 {
		return 0
	}
	f, e := math.Frexp(x)
	if f == 0.5 { // a power of two is the end of its cell
		e--
	}
	return max(0, accuracyHalvings+e)
}
