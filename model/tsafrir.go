package model

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TsafrirEstimates implements Estimates by the model of Tsafrir, Etsion and Feitelson (2005),
// "Modeling user runtime estimates": a few round times, of which the largest is the most popular.
type TsafrirEstimates struct {
	// Max is the largest estimate that the machine allows, in whole seconds. Run times above it
	// are cut to it: a scheduler would kill such jobs there.
	Max int64 `opt:"max_s" in:"[3600,1e9]" required:"true"`
}

// LongestRun implements Estimates.
func (e *TsafrirEstimates) LongestRun() float64 { return float64(e.Max) }

// Law implements Estimates. The model of 2005 assigns estimates to a complete list of jobs. Here
// jobs are generated on several cores and not kept in memory, so estimates are drawn from the law
// to which that assignment tends. A first pass counts the run times of the jobs of the class, or
// of the first estimateSample of them.
func (e *TsafrirEstimates) Law(jobs float64, run func(i int64) float64, rng *rand.Rand) (*EstimateLaw, error) {
	n := int64(min(math.Round(max(1, jobs)), MaxEstimateJobs)) // 1 for NaN too
	bins := tsafrirBins(n, float64(e.Max), rng)
	counts := make([]float64, len(bins))
	times := timesOf(bins)
	for i := range min(n, estimateSample) {
		if row, ok := rowOf(times, run(i)); ok {
			counts[row]++
		}
	}
	return newConditional(bins, counts)
}

// estimateSample is the largest number of jobs of a class whose run times are counted. In a
// sample of this size, shares differ from those of all jobs by at most a thousandth.
const estimateSample = 1 << 20

func timesOf(bins []bin) []float64 {
	times := make([]float64, len(bins))
	for i, b := range bins {
		times[i] = b.time
	}
	return times
}

// newConditional returns the law to which the assignment of Tsafrir, Etsion and Feitelson (2005)
// tends for many jobs with constant shares of the bins and of the run times between them.
// counts[i] is the number of jobs, perhaps in a sample, with a run time in the range that ends at
// the time of bin i. In that assignment each job, from the longest down, takes one of the unused
// estimates that are not below its run time, all equally likely.
//
// Here jobs are independent, so the number of jobs with an estimate is binomial, with a mean of
// the bin's number of jobs and a standard deviation of at most the square root of that. In the
// assignment it is exactly the bin's number.
//
// Each range of run times, from the longest down, takes the same proportion of every estimate
// that is still free, so the remaining estimates keep their proportions: an estimate has the same
// weight in all the ranges that may use it. But if a range takes all remaining estimates, shorter
// ranges cannot have any estimates that long.
//
// It is an error if, for some time t, the jobs that run longer than t outnumber the estimates
// above t.
func newConditional(bins []bin, counts []float64) (*EstimateLaw, error) {
	all, jobs := 0.0, 0.0
	for i, b := range bins {
		all, jobs = all+float64(b.jobs), jobs+counts[i]
	}
	ends := make([]int, len(bins))        // range i has the estimates from i to ends[i]-1
	above := make([]float64, len(bins))   // sum of the weights of estimates i to ends[i]-1
	end, sum, kept := len(bins), 0.0, 1.0 // kept is the share of each weight that is still free
	runs, estimates := 0.0, 0.0
	for i := len(bins) - 1; i >= 0; i-- {
		runs += counts[i] // exact: below 2^53
		estimates += float64(bins[i].jobs)
		if runs/jobs > estimates/all && i > 0 {
			return nil, workload.OptionFault("max_s",
				fmt.Sprintf("%.10g, but %.3g %% of the jobs run longer than %.10g s, and %.3g %% of the estimates are longer", bins[len(bins)-1].time, 100*runs/jobs, bins[i-1].time, 100*estimates/all),
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
	return &EstimateLaw{times, times, func(row int, x float64) int {
		// Binary search for the longest estimate whose sum is above u.
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

// The bins are computed with the constants, and in the order, of the authors' program. Users
// choose among a few round estimates:
//
//   - the number of distinct estimates (bins) grows with the number of jobs;
//   - 20 of them, the head, have 89 % of the jobs. Their times are the maximum and round times;
//     their popularity ranks are drawn from those in four logs;
//   - the others, the tail, have times on a curve and shares by a power law, paired at random.
//
// The program leaves some cases undefined. They are handled as follows:
//
//   - With a maximum below about 100 minutes there are fewer than 20 round times (12 for an
//     hour). The head then has only those; their ranks are drawn as for 20 and renumbered without
//     gaps. The head still has 89 % of the jobs: the shares of the missing ranks go to the
//     maximum.
//   - If there are no more bins than the head has (up to 200 jobs), there is no tail, and the
//     head's shares are scaled up to all the jobs.
//   - With fewer jobs than bins (the last step of equalising), bins are emptied from the least
//     popular up. The program empties the most popular first, so that a single job would not get
//     the maximum.
const (
	headBins    = 20
	headPercent = 89.0

	minute = 60
	hour   = 3600
)

// jointTimes are the estimates that are among the 20 most popular in each of the four logs behind
// the model. The rest of the head is filled with multiples of roundTimes.
var (
	jointTimes = []float64{5 * minute, 10 * minute, 15 * minute, 20 * minute, 30 * minute, hour, 2 * hour, 3 * hour,
		4 * hour, 5 * hour, 6 * hour, 8 * hour, 10 * hour, 12 * hour, 18 * hour}
	roundTimes = []float64{200 * hour, 100 * hour, 50 * hour, 10 * hour, 5 * hour, 2 * hour, hour, 20 * minute, 10 * minute, 5 * minute}
)

// headRanks are the popularity ranks of the head's times in four logs (SDSC-106, CTC, KTH with
// its 4 hour jobs, Blue). The first row is for the maximum, the others are by ascending time.
var headRanks = [headBins][4]int{
	{3, 1, 1, 1}, {1, 3, 4, 6}, {4, 4, 10, 5}, {17, 2, 14, 3}, {13, 12, 20, 7},
	{7, 9, 2, 2}, {8, 8, 3, 18}, {18, 18, 7, 19}, {2, 6, 12, 4}, {6, 7, 6, 11},
	{16, 11, 19, 20}, {10, 20, 5, 9}, {5, 16, 18, 10}, {15, 5, 16, 14}, {14, 14, 9, 13},
	{19, 13, 17, 16}, {11, 10, 15, 15}, {12, 15, 13, 17}, {9, 17, 8, 8}, {20, 19, 11, 12},
}

// bin is an estimate, with the number of jobs that have it and the percentage of jobs that should
// have it.
type bin struct {
	time    float64 // s
	jobs    int64
	percent float64
}

// tsafrirBins returns the bins, by ascending time, for a number of jobs and a maximum of most
// whole seconds. Only the ranks of the head and the pairing of times and shares in the tail are
// random.
func tsafrirBins(jobs int64, most float64, rng *rand.Rand) []bin {
	head := headTimes(most)
	percents := headPercents(len(head))
	distinct := distinctEstimates(jobs)
	bins := make([]bin, 0, distinct)
	for row, rank := range drawRanks(len(head), rng) {
		bins = append(bins, bin{time: head[row], percent: percents[rank-1]})
	}
	times := tailTimes(head, most, distinct)
	percents = tailPercents(len(times))
	rng.Shuffle(len(times), func(i, j int) { times[i], times[j] = times[j], times[i] })
	for i, t := range times {
		bins = append(bins, bin{time: t, percent: percents[i]})
	}
	for i := range bins {
		bins[i].jobs = int64(max(1, math.Round(bins[i].percent*(float64(jobs)/100))))
	}
	equalize(bins, jobs)
	bins = slices.DeleteFunc(bins, func(b bin) bool { return b.jobs == 0 })
	slices.SortFunc(bins, func(a, b bin) int { return cmp.Compare(a.time, b.time) })
	return bins
}

// distinctEstimates returns the number of bins for a number of jobs. The points of the curve are
// those of the authors' program.
func distinctEstimates(jobs int64) int {
	j := float64(jobs)
	curve := [][2]float64{{0, 0}, {20, 10}, {200, 20}, {1000, 35}, {10_000, 90}, {70_000, 340}, {250_000, 565}}
	for i, p := range curve {
		if j <= p[0] {
			low := curve[i-1] // j is above the first point
			slope := (p[1] - low[1]) / (p[0] - low[0])
			return int(low[1] + math.Round((j-low[0])*slope))
		}
	}
	return int(curve[len(curve)-1][1])
}

// headTimes returns up to 20 times, the maximum first, then ascending.
func headTimes(most float64) []float64 {
	times := []float64{most}
	for _, t := range jointTimes {
		if t < most {
			times = append(times, t)
		}
	}
	for _, step := range roundTimes {
		for k := math.Floor(most / step); k > 0 && len(times) < headBins; k-- {
			if t := k * step; !slices.Contains(times, t) {
				times = append(times, t)
			}
		}
	}
	slices.Sort(times[1:])
	return times
}

// headPercents returns the shares of n times in percent, by popularity rank.
func headPercents(n int) []float64 {
	percents := make([]float64, n)
	sum := 0.0
	for i := 1; i < n; i++ {
		percents[i] = 14.0491*math.Exp(-0.177531*float64(i+1)) + 0.462513
		sum += percents[i]
	}
	percents[0] = headPercent - sum
	return percents
}

// drawRanks returns the popularity rank, from 1, of each of n times. The maximum, in the first
// row, has rank 1. Another row takes the smallest free rank that no later row has in any log. If
// there is none, it takes the smaller of two ranks drawn from the free ones that this or an
// earlier row has in a log or, without such ranks, the smallest free rank.
func drawRanks(n int, rng *rand.Rand) []int {
	var drawn [headBins + 1]int // drawn[r] is the row, from 1, with rank r; 0 for none
	var last [headBins + 1]int  // last[r] is the last row that has rank r in any log
	for row, shown := range headRanks {
		for _, rank := range shown {
			last[rank] = row
		}
	}
	var pool []int
	for row := range n {
		pool = append(pool, headRanks[row][:]...)
		pool = slices.DeleteFunc(pool, func(rank int) bool { return drawn[rank] > 0 })
		rank, free := 0, 0
		for r := headBins; r >= 1; r-- {
			if drawn[r] == 0 {
				free = r
				if last[r] <= row {
					rank = r
				}
			}
		}
		switch {
		case row == 0 || rank == 0 && len(pool) == 0:
			rank = free
		case rank == 0:
			rank = min(pool[rng.IntN(len(pool))], pool[rng.IntN(len(pool))])
		}
		drawn[rank] = row + 1
	}
	ranks := make([]int, n)
	next := 1 // renumber without gaps, if there are fewer than 20 times
	for _, row := range drawn {
		if row > 0 {
			ranks[row-1] = next
			next++
		}
	}
	return ranks
}

// tailTimes returns the times of the estimates that are not in the head, ascending. They are on a
// curve, rounded to minutes; a time that is taken is moved by up to 30 s, or left out.
func tailTimes(head []float64, most float64, distinct int) (times []float64) {
	n := distinct - len(head)
	a := 1 + 12.1039*math.Exp(-0.6026*math.Log(float64(distinct)))
	taken := map[float64]bool{}
	for _, t := range head {
		taken[t] = true
	}
	for i := 1; i <= n; i++ {
		x := float64(i) / float64(n)
		y := (a - 1) * x / (a - x)
		t := math.Round(y*most/60) * 60
		for _, offset := range []float64{0, 30, -30, 20, -20, 10, -10} {
			if s := t + offset; s > 0 && s < most && !taken[s] {
				taken[s] = true
				times = append(times, s)
				break
			}
		}
	}
	slices.Sort(times)
	return times
}

// tailPercents returns the shares of the n estimates of the tail in percent, descending, with a
// sum of 100 - headPercent. Their ranks follow the head's 20.
func tailPercents(n int) []float64 {
	percents := make([]float64, n)
	sum := 0.0
	for i := range percents {
		percents[i] = 795.6 * math.Exp(-2.267*math.Log(float64(headBins+1+i)))
		sum += percents[i]
	}
	for i := range percents {
		percents[i] *= (100 - headPercent) / sum
	}
	return percents
}

// equalize changes the jobs of the bins so that their sum is jobs, by the steps of the authors'
// program. The first three steps go from the largest bin down until the sum is reached: bins
// change in proportion to their jobs, then by one job, then down to one job. In the last step,
// from the smallest bin up, they are emptied.
func equalize(bins []bin, jobs int64) {
	sum := int64(0)
	for _, b := range bins {
		sum += b.jobs
	}
	diff, sign := jobs-sum, int64(1)
	if diff < 0 {
		diff, sign = -diff, -1
	}
	for step := 0; diff > 0; step++ {
		slices.SortFunc(bins, func(a, b bin) int {
			return cmp.Or(-cmp.Compare(a.jobs, b.jobs), -cmp.Compare(a.percent, b.percent), -cmp.Compare(a.time, b.time))
		})
		if step == 3 {
			slices.Reverse(bins)
		}
		f := float64(diff) / float64(sum)
		for i := range bins {
			b := &bins[i]
			by := int64(1)
			switch step {
			case 0:
				by = int64(math.Ceil(f * float64(b.jobs)))
			case 2:
				by = b.jobs - 1
			case 3:
				by = b.jobs
			}
			if sign < 0 && step < 3 {
				by = min(by, b.jobs-1)
			}
			by = min(by, diff)
			b.jobs += sign * by
			if diff -= by; diff == 0 {
				break
			}
		}
	}
}
