package predict

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// QBETS is BMBP with groups that it finds itself: the jobs are divided by
// their requested run time (or processors, or the product) into at most three
// ranges whose waits differ most, and each range has a BMBP of its own. Nurmi,
// Brevik and Wolski (2007), "QBETS: queue bounds estimation from time series";
// constants of the authors' program.
//
// After every 100 waits the ranges are made anew. One that comes out as it was
// goes on; of another the waits are replayed through a fresh BMBP. A range with fewer waits than a bound needs
// takes in the next higher ranges, then the lower ones. Jobs without the value
// are one more group.
//
// Two limits. The ranges are made of the last 5000 waits, and the bounds of a
// new range of these and of what has come since: the authors' program takes all,
// which costs the square of the log's length. And the method's fourth part is
// not here, the detector of downtimes, which takes the machine to be down when
// no job has started for longer than a BMBP bound, at 0.99, of the time between
// starts: a downtime's waits are learned as all others, and the runs of misses
// that it makes are left to the change points.
type QBETS struct {
	bmbp  *BMBP // its rank and rules; it has no groups of its own
	by    QBETSVariable
	kept  int // waits of which the ranges are made
	outer grouped[*qbetsGroup]
}

// QBETSVariable is what QBETS divides jobs by.
type QBETSVariable uint8

// The variables.
const (
	ByRequestedTime QBETSVariable = iota // the authors' default
	ByProcessors
	ByRequestedArea // processors times requested time
)

const (
	qbetsEvery  = 100  // new waits until the ranges are made anew
	qbetsKept   = 5000 // the last waits of which they are made
	qbetsRanges = 3    // at most
	qbetsStarts = 128  // ranges to start from, at most
)

// qbetsGroup is the jobs of one outer group.
type qbetsGroup struct {
	past   []qbetsWait // the last of them, by the time at which they became known
	seen   int         // waits, ever
	new    int         // since the ranges were made
	sorted []qbetsWait // those of which the ranges were made, by wait
	tops   []float64   // the largest value of each range but the last
	ranges []qbetsRange
	rest   *bmbpGroup // jobs without the value
}

// qbetsWait is the wait of the seq-th job of a group, and what the job is divided
// by.
type qbetsWait struct {
	value, wait float64
	seq         int
}

var _ BoundPredictor = (*QBETS)(nil)

// NewQBETS returns a QBETS without history. o.Groups divides the jobs before
// QBETS does, by queue as the authors do; nil is one group.
func NewQBETS(quantile, confidence float64, by QBETSVariable, o BoundOptions) (*QBETS, error) {
	b, err := NewBMBP(quantile, confidence, BoundOptions{Changes: o.Changes})
	if err != nil {
		return nil, fmt.Errorf("qbets: quantile %g and confidence %g, want numbers between 0 and 1", quantile, confidence)
	}
	if by > ByRequestedArea {
		return nil, fmt.Errorf("qbets: variable %d, want 0 to %d", by, ByRequestedArea)
	}
	classes := o.Groups
	if classes == nil {
		if classes, err = fit.NewClassifier(nil); err != nil {
			return nil, err
		}
	}
	q := &QBETS{bmbp: b, by: by, kept: qbetsKept}
	q.outer = newGrouped(classes, func() *qbetsGroup {
		all := qbetsRange{math.Inf(-1), math.Inf(1), true, b.groups.fresh()}
		return &qbetsGroup{ranges: []qbetsRange{all}, rest: b.groups.fresh()}
	})
	return q, nil
}

// Name returns "qbets".
func (*QBETS) Name() string { return "qbets" }

// value is what a request is divided by, NaN where it does not say.
func (q *QBETS) value(r *workload.Request) float64 {
	processors := math.NaN()
	switch {
	case r.Processors > 0:
		processors = float64(r.Processors)
	case r.Size > 0:
		processors = float64(r.Size)
	}
	v := r.Time
	switch q.by {
	case ByProcessors:
		v = processors
	case ByRequestedArea:
		v *= processors
	}
	if math.IsInf(v, 0) {
		return math.NaN()
	}
	return v
}

// at returns the range of a value.
func (g *qbetsGroup) at(v float64) (*bmbpGroup, int) {
	if math.IsNaN(v) {
		return g.rest, -1
	}
	i, _ := slices.BinarySearch(g.tops, v) // the first whose top is not below
	return g.ranges[i].waits, i
}

// Predict is as BoundPredictor says.
func (q *QBETS) Predict(r workload.Request) (Bound, bool) {
	g := q.outer.at(&r)
	of, i := g.of.at(q.value(&r))
	label := fmt.Sprintf("%s, range %d of %d", g.label, i+1, len(g.of.ranges))
	if i < 0 {
		label = g.label + ", no value"
	}
	return q.bmbp.bound(of, label)
}

// Observe is as BoundPredictor says.
func (q *QBETS) Observe(j workload.Job, given Bound) {
	if !knownWait(&j) {
		return
	}
	g := q.outer.at(&j.Request).of
	v := q.value(&j.Request)
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

// qbetsRange is the jobs with a value above one number and up to another.
type qbetsRange struct {
	above, top float64
	alone      bool // no neighbour's waits are among its own
	waits      *bmbpGroup
}

// same says whether two ranges learn from the same jobs.
func (r *qbetsRange) same(o qbetsRange) bool {
	return r.alone && o.alone && r.above == o.above && r.top == o.top
}

// divide makes the ranges anew, and replays what is kept through those that were
// not there before.
func (q *QBETS) divide(g *qbetsGroup) {
	kept := g.past[max(0, len(g.past)-q.kept):]
	g.sorted = mergeByWait(g.sorted, kept[max(0, len(kept)-qbetsEvery):], kept[0].seq)
	tops := divideByWait(g.sorted)
	counts := make([]int, len(tops)+1)
	places := make([]int8, len(kept))
	for k, w := range kept {
		i, _ := slices.BinarySearch(tops, w.value)
		places[k] = int8(i)
		counts[i]++
	}
	ranges := make([]qbetsRange, len(counts))
	for i := range counts {
		from, to, n := i, i, counts[i]
		for n < q.bmbp.minimum && to+1 < len(counts) {
			to++
			n += counts[to]
		}
		for n < q.bmbp.minimum && from > 0 {
			from--
			n += counts[from]
		}
		r := &ranges[i]
		r.above, r.top, r.alone = math.Inf(-1), math.Inf(1), from == to
		if i > 0 {
			r.above = tops[i-1]
		}
		if i < len(tops) {
			r.top = tops[i]
		}
		if at := slices.IndexFunc(g.ranges, r.same); at >= 0 {
			r.waits = g.ranges[at].waits
			continue
		}
		r.waits = q.bmbp.groups.fresh()
		for k, w := range kept {
			if at := int(places[k]); at >= from && at <= to {
				b, _ := q.bmbp.bound(r.waits, "")
				q.bmbp.learn(r.waits, w.wait, b.Seconds)
			}
		}
	}
	g.tops, g.ranges = tops, ranges
}

// bin is a range of values: its jobs, and the sum of the exponential scores of
// their waits.
type bin struct {
	top    float64
	n, sum float64
}

// likelihood is the largest log-likelihood of an exponential law in the bin.
func (b bin) likelihood() float64 {
	if b.sum <= 0 {
		return math.Inf(-1) // the longest wait alone: no range, merge it
	}
	return -b.n * (math.Log(b.sum/b.n) + 1)
}

// mergeByWait returns the old and the new waits by their length, without those
// before the first that is kept.
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

// divideByWait returns the tops of all ranges but the last, of waits by their
// length. Each wait counts by -ln(rank/N), rank 1 + the number of shorter
// waits. From one bin for each value (or for as many jobs as make 128), the two
// neighbours whose merger costs the least likelihood are merged until one is
// left; of the divisions into three or fewer met on the way the one with the
// largest ln L - (2m-1)/2 ln N is taken, m the number of bins.
func divideByWait(waits []qbetsWait) []float64 {
	n := float64(len(waits))
	at := map[float64]int{} // of a value in bins
	var bins []bin
	score := 0.0
	for i, w := range waits {
		if i == 0 || w.wait != waits[i-1].wait {
			score = -math.Log(float64(i+1) / n)
		}
		k, ok := at[w.value]
		if !ok {
			k = len(bins)
			at[w.value] = k
			bins = append(bins, bin{top: w.value})
		}
		bins[k].n++
		bins[k].sum += score
	}
	slices.SortFunc(bins, func(a, b bin) int { return cmp.Compare(a.top, b.top) })
	fill, last := n/qbetsStarts, 0
	for _, b := range bins[min(1, len(bins)):] {
		if bins[last].n >= fill {
			last++
			bins[last] = b
			continue
		}
		bins[last] = bin{b.top, bins[last].n + b.n, bins[last].sum + b.sum}
	}
	bins = bins[:min(len(bins), last+1)]
	loss := func(i int) float64 { // of merging bin i with the next
		a, b := bins[i], bins[i+1]
		return a.likelihood() + b.likelihood() - bin{0, a.n + b.n, a.sum + b.sum}.likelihood()
	}
	var losses []float64
	for i := range bins[min(1, len(bins)):] {
		losses = append(losses, loss(i))
	}
	var best []bin
	most := math.Inf(-1)
	for len(bins) > 0 {
		if m := len(bins); m <= qbetsRanges {
			total := 0.0
			for _, b := range bins {
				total += b.likelihood()
			}
			if bic := total - float64(2*m-1)/2*math.Log(n); bic >= most || best == nil {
				best, most = slices.Clone(bins), bic
			}
			if m == 1 {
				break
			}
		}
		at, least := 0, math.Inf(1)
		for i, x := range losses {
			if x < least {
				at, least = i, x
			}
		}
		bins[at] = bin{bins[at+1].top, bins[at].n + bins[at+1].n, bins[at].sum + bins[at+1].sum}
		bins, losses = slices.Delete(bins, at+1, at+2), slices.Delete(losses, at, at+1)
		if at > 0 {
			losses[at-1] = loss(at - 1)
		}
		if at < len(losses) {
			losses[at] = loss(at)
		}
	}
	var tops []float64
	for _, b := range best[:len(best)-1] {
		tops = append(tops, b.top)
	}
	return tops
}
