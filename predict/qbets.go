package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// QBETS is BMBP with groups that it finds itself. It divides the jobs by requested
// run time, the value of a job, into at most three ranges whose waits differ most,
// and each range has its own BMBP. Nurmi, Brevik and Wolski (2007), "QBETS: queue
// bounds estimation from time series"; the constants are those of the authors'
// program.
//
// The ranges are computed again after every 100 waits. An unchanged range keeps
// its BMBP; the waits of a changed one are replayed through a new BMBP. A range
// with fewer waits than a bound needs also uses the waits of the next higher
// ranges, then those of the lower ones. Jobs without a value form one more group.
//
// There are two differences from the paper. The ranges are computed from the
// last 5000 waits, and the bounds of a new range from these and later ones; the
// authors' program uses all waits, which takes time quadratic in the length of the
// log. The authors' detector of downtimes is left out; it considers the machine
// down when no job has started for longer than a BMBP bound, at 0.99, of the time
// between starts. Here the waits of a downtime are learned like all others, and the
// change points handle the runs of misses.
type QBETS struct {
	bmbp  *BMBP // provides ranks and rules; its own groups are not used
	kept  int   // number of past waits from which the ranges are computed
	outer grouped[*qbetsGroup]
}

const (
	qbetsEvery = 100  // number of new waits after which the ranges are computed again
	qbetsKept  = 5000 // default of QBETS.kept
)

// qbetsGroup holds the state of one outer group.
type qbetsGroup struct {
	past   []qbetsWait // the latest waits, in the order in which they became known
	seen   int         // number of waits so far
	new    int         // number of waits since the ranges were computed
	sorted []qbetsWait // the waits from which the ranges were computed, by wait
	tops   []float64   // the largest value of each range but the last
	ranges []qbetsRange
	rest   *bmbpGroup // jobs without a value
}

// qbetsWait is the wait of the seq-th job of a group, with the job's value.
type qbetsWait struct {
	value, wait float64
	seq         int
}

// NewQBETS returns a QBETS without history. o.Groups divides the jobs before
// QBETS does, for example by queue, as the authors do; nil means one group.
// Errors are those of NewBMBP.
func NewQBETS(quantile, confidence float64, o BoundOptions) (*QBETS, error) {
	b, err := NewBMBP(quantile, confidence, BoundOptions{})
	if err != nil {
		return nil, err
	}
	classes := o.Groups
	if classes == nil {
		if classes, err = workload.NewClassifier(nil); err != nil {
			return nil, err
		}
	}
	q := &QBETS{bmbp: b, kept: qbetsKept}
	q.outer = newGrouped(classes, func() *qbetsGroup {
		all := qbetsRange{math.Inf(-1), math.Inf(1), true, b.groups.fresh()}
		return &qbetsGroup{ranges: []qbetsRange{all}, rest: b.groups.fresh()}
	})
	return q, nil
}

// Name returns "qbets".
func (*QBETS) Name() string { return "qbets" }

// value returns the requested run time in seconds, NaN if it is unknown.
func value(r *workload.Request) float64 {
	if math.IsInf(r.Time, 0) {
		return math.NaN()
	}
	return r.Time
}

// at returns the waits of the range that contains a value, and its index, or
// those of the jobs without a value and -1.
func (g *qbetsGroup) at(v float64) (*bmbpGroup, int) {
	if math.IsNaN(v) {
		return g.rest, -1
	}
	i, _ := slices.BinarySearch(g.tops, v) // the first range with top >= v
	return g.ranges[i].waits, i
}

// Predict implements BoundPredictor.
func (q *QBETS) Predict(r workload.Request) (Bound, bool) {
	g := q.outer.at(&r)
	of, i := g.of.at(value(&r))
	label := fmt.Sprintf("%s, range %d of %d", g.label, i+1, len(g.of.ranges))
	if i < 0 {
		label = g.label + ", no value"
	}
	return q.bmbp.bound(of, label)
}

// Observe implements BoundPredictor.
func (q *QBETS) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := q.outer.at(&j.Request).of
	v := value(&j.Request)
	of, _ := g.at(v)
	q.bmbp.learn(of, j.Wait, given.Seconds)
	if math.IsNaN(v) {
		return
	}
	g.past = append(g.past, qbetsWait{v, j.Wait, g.seen})
	g.seen++
	if len(g.past) >= 2*q.kept {
		g.past = append([]qbetsWait(nil), g.past[len(g.past)-q.kept:]...)
	}
	if g.new++; g.new >= qbetsEvery {
		g.new = 0
		q.divide(g)
	}
}

// qbetsRange is the range of values in (above, top].
type qbetsRange struct {
	above, top float64
	alone      bool // waits are those of this range only, not also of its neighbours
	waits      *bmbpGroup
}

// same reports whether two ranges learn from the same jobs.
func (r *qbetsRange) same(o qbetsRange) bool {
	return r.alone && o.alone && r.above == o.above && r.top == o.top
}

// divide computes the ranges again, and replays the kept waits through the new ones.
func (q *QBETS) divide(g *qbetsGroup) {
	kept := g.past[max(0, len(g.past)-q.kept):]
	g.sorted = mergeByWait(g.sorted, kept[max(0, len(kept)-qbetsEvery):], kept[0].seq)
	tops := divideByWait(g.sorted)
	counts := make([]int, len(tops)+1)
	for _, w := range kept {
		i, _ := slices.BinarySearch(tops, w.value)
		counts[i]++
	}
	edges := slices.Concat([]float64{math.Inf(-1)}, tops, []float64{math.Inf(1)})
	ranges := make([]qbetsRange, len(counts))
	for i := range ranges {
		first, last := withEnough(counts, i, q.bmbp.ranks.Minimum())
		r := qbetsRange{above: edges[i], top: edges[i+1], alone: first == last}
		if at := slices.IndexFunc(g.ranges, r.same); at >= 0 {
			r.waits = g.ranges[at].waits
		} else {
			r.waits = q.replay(kept, edges[first], edges[last+1])
		}
		ranges[i] = r
	}
	g.tops, g.ranges = tops, ranges
}

// withEnough returns the first and the last of the ranges that range i learns
// from, so that these have at least minimum waits together, if all ranges have.
func withEnough(counts []int, i, minimum int) (first, last int) {
	first, last = i, i
	n := counts[i]
	for n < minimum && last+1 < len(counts) {
		last++
		n += counts[last]
	}
	for n < minimum && first > 0 {
		first--
		n += counts[first]
	}
	return first, last
}

// replay returns a new BMBP group that has learned the waits of the jobs with a
// value in (above, top].
func (q *QBETS) replay(waits []qbetsWait, above, top float64) *bmbpGroup {
	g := q.bmbp.groups.fresh()
	for _, w := range waits {
		if w.value > above && w.value <= top {
			b, _ := q.bmbp.bound(g, "")
			q.bmbp.learn(g, w.wait, b.Seconds)
		}
	}
	return g
}

// mergeByWait merges old, which is sorted by wait, and more, and returns the result
// sorted by wait, without the old waits whose seq is below first.
func mergeByWait(old, more []qbetsWait, first int) []qbetsWait {
	more = slices.Clone(more)
	slices.SortFunc(more, func(a, b qbetsWait) int { return cmp.Compare(a.wait, b.wait) })
	out := make([]qbetsWait, 0, len(old)+len(more))
	for _, w := range old {
		if w.seq < first {
			continue
		}
		for len(more) > 0 && more[0].wait < w.wait {
			out, more = append(out, more[0]), more[1:]
		}
		out = append(out, w)
	}
	return append(out, more...)
}

const (
	qbetsRanges = 3   // largest number of ranges
	qbetsStarts = 128 // largest number of bins that divideByWait starts from
)

// divideByWait divides waits, at least one and sorted by wait, into ranges of values
// and returns the top of each range but the last. It is agglomerative clustering:
// starting from many bins, it merges the two neighbours whose merger costs the least
// likelihood until one bin is left, and selects the division into three or fewer bins
// with the largest BIC, the coarsest of equals.
func divideByWait(waits []qbetsWait) []float64 {
	n := float64(len(waits))
	bins := coarsen(binsByValue(waits), n/qbetsStarts)
	for i := range bins[1:] {
		bins[i].loss = mergerLoss(bins[i], bins[i+1])
	}
	var best []bin
	most := math.Inf(-1)
	for {
		if len(bins) <= qbetsRanges {
			if x := bic(bins, n); x >= most {
				best, most = slices.Clone(bins), x
			}
		}
		if len(bins) == 1 {
			break
		}
		bins = mergeNearest(bins)
	}
	var tops []float64
	for _, b := range best[:len(best)-1] {
		tops = append(tops, b.top)
	}
	return tops
}

// bin is a range of values, with the number n of its jobs and the sum of the
// exponential scores of their waits.
type bin struct {
	top    float64
	n, sum float64
	loss   float64 // mergerLoss with the next bin; undefined in the last bin
}

// and returns the union of a bin and the next one.
func (b bin) and(next bin) bin { return bin{top: next.top, n: b.n + next.n, sum: b.sum + next.sum} }

// likelihood returns the maximum log-likelihood of an exponential law in the bin.
func (b bin) likelihood() float64 {
	if b.sum <= 0 {
		return math.Inf(-1) // only the longest wait, with score 0: force a merger
	}
	return -b.n * (math.Log(b.sum/b.n) + 1)
}

// mergerLoss returns the decrease of the log-likelihood if two bins are merged.
func mergerLoss(b, next bin) float64 {
	return b.likelihood() + next.likelihood() - b.and(next).likelihood()
}

// bic returns ln L - (2m-1)/2 ln N, where m is the number of bins: the Bayesian
// information criterion times -1/2, so that larger is better.
func bic(bins []bin, n float64) float64 {
	total := 0.0
	for _, b := range bins {
		total += b.likelihood()
	}
	return total - float64(2*len(bins)-1)/2*math.Log(n)
}

// binsByValue returns a bin for each distinct value, in ascending order. The exponential
// score of a wait is -ln(rank/N), where its rank is 1 + the number of shorter waits.
func binsByValue(waits []qbetsWait) []bin {
	at := map[uint64]int{} // index in bins by the bits of the value, faster than a float64 key
	var bins []bin
	score := 0.0
	for i, w := range waits {
		if i == 0 || w.wait != waits[i-1].wait {
			score = -math.Log(float64(i+1) / float64(len(waits)))
		}
		bits := math.Float64bits(w.value + 0) // turns -0 into 0
		k, ok := at[bits]
		if !ok {
			k = len(bins)
			at[bits] = k
			bins = append(bins, bin{top: w.value})
		}
		bins[k].n++
		bins[k].sum += score
	}
	slices.SortFunc(bins, func(a, b bin) int { return cmp.Compare(a.top, b.top) })
	return bins
}

// coarsen merges bins with their successors, in place, until each bin but the last has
// at least the given number of jobs.
func coarsen(bins []bin, jobs float64) []bin {
	out := bins[:1]
	for _, b := range bins[1:] {
		if last := &out[len(out)-1]; last.n < jobs {
			*last = last.and(b)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// mergeNearest merges the two neighbours with the smallest loss.
func mergeNearest(bins []bin) []bin {
	at := 0
	for i, b := range bins[:len(bins)-1] {
		if b.loss < bins[at].loss {
			at = i
		}
	}
	bins[at] = bins[at].and(bins[at+1])
	bins = slices.Delete(bins, at+1, at+2)
	for i := max(0, at-1); i <= at && i+1 < len(bins); i++ {
		bins[i].loss = mergerLoss(bins[i], bins[i+1])
	}
	return bins
}
