package model

import (
	"fmt"
	"math"
)

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

// LogEstimates are the estimates of a log: the number of jobs that have each,
// and the share of it that they ran.
type LogEstimates struct {
	RoundTo float64       // estimates are rounded up to multiples of it, s; 0 means no rounding
	LeftOut int64         // jobs without a known estimate above 0, or without a known run time
	Overrun int64         // jobs that ran longer than their estimate; they are in the last cell
	Bins    []LogEstimate // 1 to MaxEstimateBins, ascending times
}

// LogEstimate is one estimate of a log.
type LogEstimate struct {
	Time float64 // s, above 0, at most MaxEstimateTime
	Jobs int64   // at least 1
	// Accuracy counts the jobs by run time / estimate, in the cells of
	// AccuracyEnd. The last cell includes jobs that ran longer.
	Accuracy [AccuracyCells]int64
}

// Jobs returns the number of jobs of all estimates.
func (l LogEstimates) Jobs() (n int64) {
	for _, b := range l.Bins {
		n += b.Jobs
	}
	return n
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

// MaxEstimateRound is the largest LogEstimates.RoundTo: a day.
const MaxEstimateRound = 86400

// Longest returns +Inf: jobs of a log can run longer than requested.
func (LogEstimates) Longest() float64 { return math.Inf(1) }

func (LogEstimates) kind() string { return "log" }

func (l LogEstimates) visit(f *form) Estimates {
	f.value("round_s", required, &l.RoundTo, false, "a number")
	f.whole("left_out", required, &l.LeftOut)
	f.whole("overrun", required, &l.Overrun)
	objects(f, "bins", required, MaxEstimateBins, &l.Bins, func(_ int, b *LogEstimate, f *form) {
		f.value("time_s", required, &b.Time, false, "a number")
		f.whole("jobs", required, &b.Jobs)
		row(f, "accuracy", b.Accuracy[:], "by share of the estimate")
	})
	f.check(func() error { return l.check(f) })
	return l
}

// Validate returns nil, or a *FieldError for the first field that is out of its
// range.
func (l LogEstimates) Validate() error {
	return new(form).run(check, nil, func(f *form) { f.inner("estimates", nil, func(f *form) { l.visit(f) }) })
}

func (l *LogEstimates) check(f *form) error {
	fail := func(field string, saw any, want string, args ...any) error {
		return &FieldError{Path: f.at(field), Saw: fmt.Sprint(saw), Want: fmt.Sprintf(want, args...)}
	}
	switch {
	case !(l.RoundTo >= 0 && l.RoundTo <= MaxEstimateRound):
		return fail("round_s", l.RoundTo, "0, or a number of seconds above 0 and at most %d", MaxEstimateRound)
	case l.LeftOut < 0:
		return fail("left_out", l.LeftOut, "a whole number of at least 0")
	case len(l.Bins) == 0 || len(l.Bins) > MaxEstimateBins:
		return fail("bins", fmt.Sprintf("%d estimates", len(l.Bins)), "1 to %d", MaxEstimateBins)
	}
	jobs, last := int64(0), int64(0)
	for i, b := range l.Bins {
		at := fmt.Sprintf("bins[%d].", i)
		switch {
		case !(b.Time > 0 && b.Time <= MaxEstimateTime):
			return fail(at+"time_s", number(b.Time), "a number of seconds above 0, at most %g", float64(MaxEstimateTime))
		case i > 0 && b.Time <= l.Bins[i-1].Time:
			return fail(at+"time_s", number(b.Time), "distinct times in ascending order")
		case b.Jobs < 1 || b.Jobs > MaxEstimateJobs:
			return fail(at+"jobs", b.Jobs, "a whole number from 1 to %g", float64(MaxEstimateJobs))
		}
		if jobs += b.Jobs; jobs > MaxEstimateJobs {
			return fail("bins", "more jobs", "at most %g jobs", float64(MaxEstimateJobs))
		}
		sum := int64(0)
		for _, n := range b.Accuracy {
			// Each at most jobs, so that the sum stays in range.
			if n < 0 || n > b.Jobs {
				return fail(at+"accuracy", n, "counts from 0 to the estimate's %d jobs", b.Jobs)
			}
			sum += n
		}
		if sum != b.Jobs {
			return fail(at+"accuracy", fmt.Sprintf("a sum of %d", sum), "counts that sum to the estimate's %d jobs", b.Jobs)
		}
		last += b.Accuracy[AccuracyCells-1]
	}
	if l.Overrun < 0 || l.Overrun > last {
		return fail("overrun", l.Overrun, "0 to the %d jobs in the last cells", last)
	}
	return nil
}
