package predict

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/loadstone-hpc/loadstone/internal/heap"
)

// history holds the past waits of one group that are still in use, in the order in
// which they became known.
type history struct {
	waits  []float64 // s
	rule   *changeRule
	misses int // length of the current run of waits above their bounds
}

// add adds a wait, with the bound that was predicted for it (NaN for none). It
// returns true if older waits were dropped, so that any summary of the waits
// must be computed again.
func (h *history) add(wait, bound float64) (dropped bool) {
	h.waits = append(h.waits, wait)
	if !(wait > bound) {
		h.misses = 0
		return false
	}
	h.misses++
	over := len(h.waits) - h.rule.minimum
	if over <= 0 || !h.rule.isChange(h.misses, h.waits) {
		return false
	}
	h.misses = 0
	// Slicing frees the memory of the front as well: append copies only the
	// rest when it next grows the slice.
	h.waits = h.waits[over:]
	return true
}

// changeRule is the rule by which BMBP detects change points, after which only the last
// minimum waits are used: a change point is the end of a run of waits above their bounds that is
// so long as to be a rare event. The groups of one predictor share a rule. Brevik, Nurmi and
// Wolski (2006), "Predicting bounds on queuing delay for batch-scheduled parallel machines".
//
// The authors' program also trims after runs of waits that are not above their bounds, and then
// holds the history at its minimum until it has the same number of new waits. That covers less
// than requested on two of four logs, so it is left out.
type changeRule struct {
	minimum  int // the shortest history that gives a bound
	quantile float64
	runs     [11]int // lengths of rare runs, by autocorrelation in steps of 0.1; 0 if not computed
	lag      autocorrelation
}

// isChange reports whether the last misses waits, all above their bounds, are a rare event. The
// run must be longer if the waits are autocorrelated.
func (c *changeRule) isChange(misses int, waits []float64) bool {
	if misses < c.run(0) {
		return false
	}
	row := 0
	if rho := c.lag.of(waits); rho >= 0 {
		row = min(int(rho*10), len(c.runs)-1)
	}
	return misses >= c.run(row)
}

// run returns the length of a rare run for the autocorrelation row/10, or 0.95 in the last row.
// The published table was computed by Monte Carlo for the quantile 0.95, and differs from
// these lengths in some rows.
func (c *changeRule) run(row int) int {
	if c.runs[row] == 0 {
		c.runs[row] = runLength(c.quantile, min(float64(row)/10, 0.95))
	}
	return c.runs[row]
}

// rareEvent is the probability at which a run indicates a change, as in the published
// table: that of three misses in a row of independent waits at the quantile 0.95.
const rareEvent = 0.05 * 0.05 * 0.05

// longestRun is the largest result of runLength.
const longestRun = 5000

// runLength returns the least k with Pr{X_1 > z, ..., X_k > z} <= rareEvent, at most
// longestRun, for an AR(1) series of normal scores with the autocorrelation rho, from 0
// to below 1, and z the quantile of the normal law.
func runLength(quantile, rho float64) int {
	z, above := distuv.UnitNormal.Quantile(quantile), 1-quantile
	if rho == 0 {
		return max(1, int(math.Ceil(math.Log(rareEvent)/math.Log(above)-1e-9)))
	}
	// A run is at least as probable as a run of independent values (Slepian).
	if math.Pow(above, longestRun) > rareEvent {
		return longestRun
	}
	// density[i] is the joint density of X_k at x[i] and of all earlier values above
	// z. The nodes are dense enough for the narrow kernel of a rho close to 1.
	width := math.Sqrt((1 - rho) * (1 + rho))
	const reach = 9.0
	n := min(600, 60+int(6*(reach-z)/width))
	x, weight := make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(x, weight, z, reach)
	density, next := make([]float64, n), make([]float64, n)
	for i := range x {
		density[i] = distuv.UnitNormal.Prob(x[i])
	}
	kernel := make([]float64, n*n)
	for i := range x {
		for j := range x {
			kernel[i*n+j] = weight[j] * distuv.UnitNormal.Prob((x[i]-rho*x[j])/width) / width
		}
	}
	for k := 1; k < longestRun; k++ {
		if floats.Dot(weight, density) <= rareEvent*(1+1e-9) {
			return k
		}
		for i := range next {
			next[i] = floats.Dot(kernel[i*n:(i+1)*n], density)
		}
		density, next = next, density
	}
	return longestRun
}

// lagWindow is the largest number of waits that an autocorrelation uses.
const lagWindow = 100

// autocorrelation computes the lag-1 autocorrelation of the last waits of a
// history, and reuses its memory.
type autocorrelation struct {
	scores [lagWindow + 1][]float64 // normal scores of the ranks, by number of waits
	order  []ranked
	series []float64
}

// ranked is a wait and its index in order of time.
type ranked struct {
	wait float64
	at   int32
}

// of returns the lag-1 autocorrelation of the normal scores of the last
// lagWindow waits, or of all if there are fewer; 0 for fewer than 3. The score
// of the wait with rank r of m is the normal quantile of r/(m+1); equal waits
// rank by time. The covariance at each lag uses the means of its own two
// sub-series, and their length as divisor.
func (a *autocorrelation) of(waits []float64) float64 {
	m := min(len(waits), lagWindow)
	if m < 3 {
		return 0
	}
	a.order = a.order[:0]
	for i, w := range waits[len(waits)-m:] {
		a.order = append(a.order, ranked{w, int32(i)})
	}
	slices.SortFunc(a.order, func(x, y ranked) int {
		switch {
		case x.wait < y.wait:
			return -1
		case x.wait > y.wait:
			return 1
		}
		return int(x.at - y.at)
	})
	if a.scores[m] == nil {
		a.scores[m] = make([]float64, m)
		for r := range a.scores[m] {
			a.scores[m][r] = mathext.NormalQuantile(float64(r+1) / float64(m+1))
		}
	}
	a.series = slices.Grow(a.series[:0], m)[:m]
	for r, o := range a.order {
		a.series[o.at] = a.scores[m][r]
	}
	return covariance(a.series[:m-1], a.series[1:]) / covariance(a.series, a.series)
}

// covariance returns the covariance of two series of equal length, with that length as
// divisor.
func covariance(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, sxy float64
	for i := range x {
		sx += x[i]
		sy += y[i]
		sxy += x[i] * y[i]
	}
	return sxy/n - sx/n*(sy/n)
}

// orderStat maintains the k-th smallest of a growing set of values. low holds the k
// smallest, negated, and high the others. Both are heaps with the smallest element
// on top, so the k-th smallest value, negated, is on top of low. Adding a value
// takes O(log n) time as long as k grows no faster than the set.
type orderStat struct {
	low, high values
}

type values = heap.Times[struct{}]

func timed(x float64) heap.Time[struct{}] { return heap.Time[struct{}]{At: x} }

// value returns the k-th smallest value. k must be at least 1.
func (o *orderStat) value() float64 { return -o.low[0].At }

// add adds a value and sets k, the rank in the larger set; 0 means none.
func (o *orderStat) add(x float64, k int) {
	if len(o.low) > 0 && x < o.value() {
		o.low.Push(timed(-x))
	} else {
		o.high.Push(timed(x))
	}
	for len(o.low) < k {
		o.low.Push(timed(-o.high.Pop().At))
	}
	for len(o.low) > k {
		o.high.Push(timed(-o.low.Pop().At))
	}
}

// reset replaces the set by the given values and sets the rank k.
func (o *orderStat) reset(all []float64, k int) {
	sorted := slices.Sorted(slices.Values(all))
	o.low, o.high = o.low[:0], o.high[:0]
	for _, x := range slices.Backward(sorted[:k]) { // so that the negated values ascend
		o.low = append(o.low, timed(-x))
	}
	for _, x := range sorted[k:] { // a sorted slice is a heap
		o.high = append(o.high, timed(x))
	}
}
