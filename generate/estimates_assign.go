package generate

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// MaxAssignedJobs is the largest number of jobs of an Assignment.
const MaxAssignedJobs int64 = math.MaxUint32

// Assignment gives every job an estimate so that the bins are used up exactly.
// Tsafrir, Etsion and Feitelson (2005): from the longest job down, each takes
// one of the unused estimates that are not below its run time, all alike.
//
// Only how many jobs of each range between estimates take which estimate
// matters, and which of the range's jobs those are is a shuffle. So the
// assignment is drawn from the counts alone, as a table of ranges by
// estimates, and is read by a second pass over the jobs: its memory is the
// square of the number of bins (640 kB for 565), not the number of jobs, and
// its time is in proportion to the number of jobs times the logarithm of that
// of the bins.
type Assignment struct {
	bins   Bins
	ladder ladder
	table  []tree // jobs of range i that take estimate i, i+1, ...
	stream stream
}

// NewAssignment draws the table. runs counts all jobs to be assigned, which
// have to be as many as the bins' jobs.
//
// Errors are those of Bins.Validate, *workload.OptionError for other numbers of jobs or
// runs counted by other bins, and *LongRunsError where the k-th longest run
// time exceeds the k-th longest estimate.
func NewAssignment(bins Bins, runs *RunTimeCounts, seed uint64, class string) (*Assignment, error) {
	if err := assignable(bins, runs); err != nil {
		return nil, err
	}
	if bins.Jobs() != runs.Jobs() {
		return nil, estimateError("bins", "one for each job, or NewConditional", "%d estimates for %d run times", bins.Jobs(), runs.Jobs())
	}
	if bins.Jobs() > MaxAssignedJobs {
		return nil, estimateError("jobs", fmt.Sprintf("at most %d, or NewConditional", MaxAssignedJobs), "%d to be assigned", bins.Jobs())
	}
	a := &Assignment{
		bins:   bins,
		ladder: runs.ladder,
		table:  make([]tree, len(bins)),
		stream: newStream(seed, partEstimateDraws, class),
	}
	pcg := newStream(seed, partEstimateTable, class).whole()
	rng := rand.New(&pcg)
	unused, left := make(tree, len(bins)), int64(0)
	for i := len(bins) - 1; i >= 0; i-- {
		unused.add(i, uint32(bins[i].Jobs))
		left += bins[i].Jobs
		row := make(tree, len(bins)-i)
		for range runs.counts[i] {
			row[unused.take(rng.Int64N(left))-i]++
			left--
		}
		row.build()
		a.table[i] = row
	}
	return a, nil
}

// Start returns an estimator for one pass over the jobs.
func (a *Assignment) Start() *Assigner {
	r := &Assigner{bins: a.bins, ladder: a.ladder, table: make([]tree, len(a.table)), left: make([]int64, len(a.table)), pcg: a.stream.whole()}
	r.rng = rand.New(&r.pcg)
	for i, row := range a.table {
		r.table[i] = append(tree(nil), row...)
		r.left[i] = row.sum()
	}
	return r
}

// Assigner is one pass over an Assignment. It has to be asked for the jobs in
// one order and from one goroutine: the estimates depend on the order of the
// jobs, and not on their numbers, nor on how they are cut into batches.
type Assigner struct {
	bins   Bins
	ladder ladder
	table  []tree
	left   []int64 // jobs of each range that have not come yet
	pcg    rand.PCG
	rng    *rand.Rand
}

var _ Estimator = (*Assigner)(nil)

// Estimate implements Estimator. It fails for a run time that was not counted.
func (a *Assigner) Estimate(jobs []int64, runs, requested []float64) error {
	if err := sameLength(jobs, runs, requested); err != nil {
		return err
	}
	for i, r := range runs {
		at, ok := a.ladder.findCut(r)
		if !ok {
			requested[i] = math.NaN()
			continue
		}
		if a.left[at] == 0 {
			return estimateError("run times", "the run times that were counted, once each", "another one of %g s", r)
		}
		requested[i] = a.bins[at+a.table[at].take(a.rng.Int64N(a.left[at]))].Time
		a.left[at]--
	}
	return nil
}

// Assign gives all jobs their estimates at once. See NewAssignment.
func Assign(bins Bins, runs []float64, seed uint64, class string) (requested []float64, err error) {
	counts, err := bins.Count()
	if err != nil {
		return nil, err
	}
	counts.Add(runs)
	a, err := NewAssignment(bins, counts, seed, class)
	if err != nil {
		return nil, err
	}
	requested = make([]float64, len(runs))
	return requested, a.Start().Estimate(make([]int64, len(runs)), runs, requested)
}

// tree holds counts as sums over ranges (Fenwick 1994), to find and take the
// k-th of what is counted in logarithmic time.
type tree []uint32

// build makes a tree of plain counts.
func (t tree) build() {
	for i := range t {
		if up := i | (i + 1); up < len(t) {
			t[up] += t[i]
		}
	}
}

func (t tree) add(i int, n uint32) {
	for ; i < len(t); i |= i + 1 {
		t[i] += n
	}
}

func (t tree) sum() (n int64) {
	for i := len(t); i > 0; i &= i - 1 {
		n += int64(t[i-1])
	}
	return n
}

// take removes the k-th, from 0, of what is counted, and returns where it was.
func (t tree) take(k int64) (at int) {
	for step := 1 << (bits.Len(uint(len(t))) - 1); step > 0; step >>= 1 {
		if end := at + step; end <= len(t) {
			// Without a branch, which would be wrong half of the time:
			// where the range has k or fewer, pass it, else it loses one.
			n := int64(t[end-1])
			pass := (n - 1 - k) >> 63
			k -= n & pass
			at += step & int(pass)
			t[end-1] = uint32(n - 1 - pass)
		}
	}
	return at
}
