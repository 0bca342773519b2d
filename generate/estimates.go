package generate

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// estimator draws the requested run time of each job from a law given its run time, independently
// of the other jobs: in constant memory, in any order, on any number of goroutines.
type estimator struct {
	stream stream
	times  []float64 // the estimates, ascending
	rows   []float64 // the upper ends of ranges of run times, ascending
	// pick returns the place in times for a row of a run time and x, uniform on [0, 1).
	pick func(row int, x float64) int
}

// newEstimator prepares the estimates of a class of about that many jobs; nil if it has none.
func newEstimator(m model.Class, c *class, jobs float64, o Options) (*estimator, error) {
	switch {
	case m.Estimates == nil:
		return nil, nil
	case m.Estimates.Kind == model.LogEstimates:
		return newLogLaw(m.Estimates, o.Seed, m.Name), nil
	case o.Exact:
		return nil, workload.OptionFault("estimates", "tsafrir with `exact`: it cuts run times", "none or a log's with `exact`")
	}
	// The model of 2005 assigns estimates to jobs that are all known. Here they come from the
	// law to which its assignment tends, because jobs are made on many cores and not held: a
	// first pass counts the run times of the class's jobs, the first estimateSample of them
	// where there are more. Those are the very run times of its jobs, by their numbers.
	n := int64(min(math.Round(max(1, jobs)), model.MaxEstimateJobs)) // 1 for NaN too
	bins := tsafrirBins(n, m.Estimates.Max, o.Seed, m.Name)
	counts := make([]float64, len(bins))
	times := timesOf(bins)
	d := newDrawer()
	for number := range min(n, estimateSample) {
		if row, ok := rowOf(times, c.draw(d, number).run); ok {
			counts[row]++
		}
	}
	return newConditional(bins, counts, o.Seed, m.Name)
}

// estimateSample is the largest number of jobs of a class whose run times are
// counted for the model of 2005: the law of the others' follows from theirs,
// with shares off by a thousandth at the most.
const estimateSample = 1 << 20

// draw returns the estimate of the job of that number in the class. It is never below the run
// time, unless that exceeds the largest estimate: then it is that estimate. For a run time that
// is NaN it is NaN.
func (e *estimator) draw(d *drawer, number int64, run float64) float64 {
	row, ok := rowOf(e.rows, run)
	if !ok {
		return math.NaN()
	}
	e.stream.seed(&d.pcg, number)
	return e.times[e.pick(row, d.rng.Float64())]
}

func timesOf(bins []bin) []float64 {
	times := make([]float64, len(bins))
	for i, b := range bins {
		times[i] = b.time
	}
	return times
}

// newConditional returns the law to which the assignment of Tsafrir, Etsion and
// Feitelson (2005) tends for many jobs with constant shares of the bins and of
// the run times between them, of which counts has the numbers; they may be those of a sample. In
// that assignment each job, from the longest down, takes one of the unused estimates that are
// not below its run time, all equally likely.
//
// Here jobs are independent, so the number of jobs with an estimate is
// binomial, with the bin's number as its mean and at most the square root of
// that as its standard deviation. The assignment gives exactly the bin's
// number.
//
// Each range of run times, from the longest down, takes the same proportion of
// every estimate that is still free, so the remaining estimates keep their
// proportions: estimate k has one weight for all the ranges that may have it.
// Only if a range takes all that remain do shorter ranges have no longer
// estimates.
//
// It is an error if more jobs run longer than some time than there are estimates above it.
func newConditional(bins []bin, counts []float64, seed uint64, class string) (*estimator, error) {
	all, jobs := 0.0, 0.0
	for i, b := range bins {
		all, jobs = all+float64(b.jobs), jobs+counts[i]
	}
	ends := make([]int, len(bins))        // of each range: its estimates are from its own up to here
	above := make([]float64, len(bins))   // of each estimate, the sum of the weights of it and of the longer ones of its range
	end, sum, kept := len(bins), 0.0, 1.0 // kept is what is left of the first weight of the sum
	runs, estimates := 0.0, 0.0
	for i := len(bins) - 1; i >= 0; i-- {
		runs += counts[i] // exact: below 2^53
		estimates += float64(bins[i].jobs)
		if runs/jobs > estimates/all && i > 0 {
			return nil, workload.OptionFault("max-estimate",
				fmt.Sprintf("%.10g, but %.3g %% of the jobs of class %s run longer than %.10g s, and %.3g %% of the estimates are longer", bins[len(bins)-1].time, 100*runs/jobs, class, bins[i-1].time, 100*estimates/all),
				"a larger maximum")
		}
		sum += float64(bins[i].jobs) / all / kept
		ends[i], above[i] = end, sum
		kept -= counts[i] / jobs / sum
		if kept < 1e-12 {
			end, sum, kept = i, 0, 1
		}
	}
	times := timesOf(bins)
	return &estimator{newStream(seed, partEstimates, class), times, times, func(row int, x float64) int {
		// The longest estimate with a sum of at least u, by halves.
		u := x * above[row]
		for n := ends[row] - row; n > 1; {
			half := n / 2
			if above[row+half] > u {
				row += half
			}
			n -= half
		}
		return row
	}}, nil
}

// runTimeSteps is how many ranges of run times an octave has, beside those that
// the estimates themselves bound.
const runTimeSteps = 8

// newLogLaw returns the law of estimates of a log given a run time, for a seed and the
// name of the jobs' class. By Bayes' rule, the probability of an estimate is
// proportional to its share in the log times the share of its jobs that ran for
// about as long. Within a cell of the accuracy, run times are uniform; the law
// is constant within ranges of run times of an eighth of an octave, divided at
// the estimates.
//
// If run times follow the log's distribution, so do the estimates and the
// accuracy. If no job of the log with an estimate of at least the run time ran
// for about as long, the law is the distribution of those estimates.
func newLogLaw(l *model.Estimates, seed uint64, class string) *estimator {
	var times []float64
	for _, b := range l.Bins {
		times = append(times, b.Time)
	}
	rows, most := slices.Clone(times), times[len(times)-1]
	for k := 0; ; k++ {
		e := math.Ldexp(math.Exp(float64(k%runTimeSteps)*(math.Ln2/runTimeSteps)), k/runTimeSteps)
		if e >= most {
			break
		}
		rows = append(rows, e)
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	laws := make([][]float64, len(rows)) // of the last estimates, those from a range's end on: sums of their weights
	below := 0.0
	for row, end := range rows {
		first, _ := slices.BinarySearch(times, end)
		sums, rest := make([]float64, len(times)-first), make([]float64, len(times)-first)
		ran, jobs := 0.0, 0.0
		for i, b := range l.Bins[first:] {
			ran, jobs = ran+b.Between(below, end), jobs+float64(b.Jobs)
			sums[i], rest[i] = ran, jobs
		}
		if ran == 0 {
			sums = rest
		}
		laws[row], below = sums, end
	}
	return &estimator{newStream(seed, partEstimates, class), times, rows, func(row int, x float64) int {
		sums := laws[row]
		n := len(sums)
		u := x * sums[n-1]
		return len(times) - n + sort.Search(n-1, func(i int) bool { return sums[i] > u })
	}}
}

// rowOf returns the range of a run time, of those with the upper ends: what is above the last
// counts as in it, and what is no run time is in none.
func rowOf(ends []float64, run float64) (row int, ok bool) {
	if !(run >= 0 && run <= math.MaxFloat64) {
		return 0, false
	}
	return min(sort.SearchFloat64s(ends, run), len(ends)-1), true
}
