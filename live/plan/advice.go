package plan

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MostCandidates bounds the sizes, and the time limits of each, of one question.
const MostCandidates = 100

// Question asks which size and time limit a program should request.
type Question struct {
	Request  workload.Request // its Partition counts; its Size and Time do not
	Sizes    []int64          // 1 to MostCandidates
	RunTimes RunTimes
	// Limits are the time limits to compare, s, at most MostCandidates; nil stands for
	// quantiles of the run time at each size, in whole minutes.
	Limits []float64
}

// Candidate is a size and a time limit with the expected times, in seconds: NaN
// if the run time is unknown or the machine is too small, +Inf if the wait has
// no end in sight.
type Candidate struct {
	Size  int64
	Limit float64
	Wait  float64 // mean
	Run   float64 // mean, until the job ends or reaches the limit
	// Turnaround is the mean time from submission to the end of the work. A
	// job that is killed is submitted again with the best longer limit, until
	// it ends.
	Turnaround float64
	Killed     float64 // probability that the limit ends the job
}

// Advice returns the candidates, by size and limit, and which of them has the least
// expected turnaround; of equal ones the smallest size, then the shortest limit. It is -1
// if none has a known one. Each submission, the second too, waits as a request at
// the moment of the plan. An option that cannot be used is a *workload.OptionError.
func (p *Plan) Advice(q Question) (candidates []Candidate, best int, err error) {
	if err := q.validate(); err != nil {
		return nil, -1, err
	}
	m, err := p.machine(q.Request.Partition)
	if err != nil {
		return nil, -1, err
	}
	sizes := slices.Compact(slices.Sorted(slices.Values(q.Sizes)))
	best = -1
	for _, n := range sizes {
		d, ok := q.RunTimes(n)
		if !ok || n > m.largest() {
			candidates = append(candidates, unknown(n, q.Limits)...)
			continue
		}
		list, err := p.candidates(&q, n, d)
		if err != nil {
			return nil, -1, err
		}
		candidates = append(candidates, list...)
	}
	for i, c := range candidates {
		if !math.IsNaN(c.Turnaround) && !math.IsInf(c.Turnaround, 1) && (best < 0 || c.Turnaround < candidates[best].Turnaround) {
			best = i
		}
	}
	return candidates, best, nil
}

func (q *Question) validate() error {
	if len(q.Sizes) == 0 || len(q.Sizes) > MostCandidates {
		return workload.OptionFault("sizes", len(q.Sizes), "1 to %d", MostCandidates)
	}
	for _, n := range q.Sizes {
		if n < 1 {
			return workload.OptionFault("sizes", n, "at least one processor")
		}
	}
	if len(q.Limits) > MostCandidates {
		return workload.OptionFault("limits", len(q.Limits), "at most %d", MostCandidates)
	}
	for _, l := range q.Limits {
		if !(l > 0) || math.IsInf(l, 1) {
			return workload.OptionFault("limits", l, "finite numbers above 0")
		}
	}
	if q.RunTimes == nil {
		return workload.OptionFault("run-times", "none", "run times by size")
	}
	return nil
}

// unknown returns the candidates of a size of which nothing is known.
func unknown(size int64, limits []float64) []Candidate {
	nan := math.NaN()
	if len(limits) == 0 {
		limits = []float64{nan}
	}
	var list []Candidate
	for _, l := range slices.Compact(slices.Sorted(slices.Values(limits))) {
		list = append(list, Candidate{size, l, nan, nan, nan, nan})
	}
	return list
}

// candidates returns those of one size.
func (p *Plan) candidates(q *Question, size int64, d predict.RunTimeDistribution) ([]Candidate, error) {
	runs := newRuns(d)
	limits := slices.Clone(q.Limits)
	if limits == nil {
		for _, level := range []float64{0.5, 0.8, 0.9, 0.95, 0.99, 0.999} {
			limits = append(limits, wholeMinutes(d.Quantile(level)))
		}
	}
	slices.Sort(limits)
	limits = slices.Compact(limits)
	asked := len(limits)
	if longest := runs.longest(); limits[asked-1] < longest { // for whoever is killed at all others
		limits = append(limits, wholeMinutes(longest))
	}
	waits := make([]float64, len(limits))
	for i, l := range limits {
		r := q.Request
		r.Size, r.Time = size, l
		w, err := p.Wait(r)
		if err != nil {
			return nil, err
		}
		waits[i] = w.Mean
	}
	// rest[i] is the expected time that a job still takes which was killed at limit i.
	rest := make([]float64, len(limits))
	attempt := func(after, limit float64, i int) float64 {
		ran, killed := runs.upTo(after, limit)
		x := waits[i] + ran
		if killed > 0 {
			x += killed * rest[i]
		}
		return x
	}
	for i := len(limits) - 2; i >= 0; i-- {
		rest[i] = math.Inf(1)
		for k := i + 1; k < len(limits); k++ {
			rest[i] = min(rest[i], attempt(limits[i], limits[k], k))
		}
	}
	list := make([]Candidate, asked)
	for i, l := range limits[:asked] {
		ran, _ := runs.upTo(0, l)
		list[i] = Candidate{size, l, waits[i], ran, attempt(0, l, i), d.Survival(l)}
	}
	return list, nil
}

func wholeMinutes(seconds float64) float64 { return max(60, 60*math.Ceil(seconds/60)) }
