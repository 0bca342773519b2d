package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CombinedBound is the name of the predictor that weighs the others by their past losses.
const CombinedBound = "combined"

// combined is an upper bound of waits at one quantile: the bounds of BMBP and of QBETS and one
// that is learned from the state of the queue (conformal), mixed by their past losses (mixture).
// The logarithm of the learned bound is moved towards BMBP's by 0.002/(1-q) of the difference: the
// fewer waits are above the quantile, the fewer the forest has learned from.
//
// An expert without a bound takes the first other's. Of one conformal there may be several, one
// a quantile; they are used in one replay.
type combined struct {
	conformalBound
	level   float64 // the quantile, whose place in conformal's is conformalBound.quantile
	past    [2]BoundPredictor
	mixture mixture
	given   map[int64]*givenMixture // by row, of the jobs that wait
}

// givenMixture is what a waiting job was given.
type givenMixture struct {
	past    [2]Bound
	experts expertBounds
	seconds float64
}

// newCombined returns a combined without history of a conformal that has its quantile.
func newCombined(c *conformal, quantile, confidence float64, o BoundOptions) (*combined, error) {
	b := &combined{
		conformalBound: conformalBound{c, slices.Index(c.quantiles, quantile), CombinedBound},
		level:          quantile, given: map[int64]*givenMixture{},
	}
	for i, name := range []string{"bmbp", "qbets"} {
		var err error
		if b.past[i], err = o.pastWaits(name, quantile, confidence); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// Predict implements BoundPredictor. The Confidence and Achieved of the bounds are NaN.
func (b *combined) Predict(r workload.Request) (Bound, bool) {
	b.ask(&r)
	bound := NoBound()
	bound.Quantile, bound.Observations, bound.Group = b.level, b.window.known, "all"
	bound.Seconds = b.mix(&r, b.last.bounds).seconds
	return bound, !math.IsNaN(bound.Seconds)
}

// mix returns the bounds of a job: those of the conformal are given, by quantile.
func (b *combined) mix(r *workload.Request, bounds []Bound) *givenMixture {
	g := new(givenMixture)
	for i, p := range b.past {
		g.past[i], _ = p.Predict(*r)
		g.experts[i] = g.past[i].Seconds
	}
	g.experts[2] = bounds[b.quantile].Seconds
	g.experts.complete(b.level)
	g.seconds = b.mixture.bound(&g.experts)
	return g
}

// Submitted implements QueueWatcher.
func (b *combined) Submitted(r workload.Request) {
	b.conformalBound.Submitted(r)
	if g := b.waiting[r.Row]; g != nil && b.given[r.Row] == nil {
		b.given[r.Row] = b.mix(&r, g.bounds)
	}
}

// Observe implements BoundPredictor: it learns the wait of a job that was submitted.
func (b *combined) Observe(j workload.Job, given Bound) {
	g := b.given[j.Row]
	if g == nil || !knownWait(&j) {
		return
	}
	delete(b.given, j.Row)
	b.conformalBound.Observe(j, given)
	for i, p := range b.past {
		p.Observe(j, g.past[i])
	}
	if !math.IsNaN(g.seconds) {
		b.mixture.learn(b.level, &g.experts, j.Wait)
	}
}

// Ended implements QueueWatcher.
func (b *combined) Ended(r workload.Request, now float64) {
	delete(b.given, r.Row)
	b.conformalBound.Ended(r, now)
	for _, p := range b.past {
		if w, ok := p.(QueueWatcher); ok {
			w.Ended(r, now)
		}
	}
}

// expertBounds are the bounds of one job, s.
type expertBounds [3]float64

// mixture is the mean of experts by exponential weights of their discounted losses, the pinball
// losses in seconds of the waits as they become known. With spread V, the discounted sum of the
// squared deviations of the experts' losses from their mean, the rate is 1/sqrt(1+V): it needs
// no scale. Cesa-Bianchi, Mansour and Stoltz (2007), "Improved second-order bounds for
// prediction with expert advice".
//
// What is guaranteed, of any waits, at any moment and against each of the N = 3 experts: if waits
// become known before the next submission, the discounted loss is at most
// (ln N + 1.69) sqrt(1+V) = 2.79 sqrt(1+V) above the expert's. Late waits add to it as far as
// the weights moved meanwhile. (The loss is convex, so that the mixture loses at most the
// weighted mean of the losses. The gap of one step is at most min(r, r²/8 rate) for losses that
// differ by at most r <= sqrt(2 dV), and min(sqrt(2 x), x/4) <= 1.69 (sqrt(1+x) - 1).)
type mixture struct {
	losses expertBounds
	spread float64
}

// remembered is how much of a loss counts after one more start: half after 30,000.
var remembered = math.Pow(0.5, 1./30_000)

// shareOfBMBP is BMBP's weight in the learned bound, of logarithms, times 1-q.
const shareOfBMBP = 0.002

// complete gives an expert without a bound the first other's, and the learned bound its share of
// BMBP's.
func (experts *expertBounds) complete(quantile float64) {
	isBound := func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
	for i, x := range experts {
		if !isBound(x) {
			known := slices.IndexFunc(experts[:], isBound)
			experts[i] = experts[max(0, known)]
		}
	}
	learned := math.Log1p(experts[2])
	learned += min(1, shareOfBMBP/(1-quantile)) * (math.Log1p(experts[0]) - learned)
	// A mean lies between its terms, however its logarithm is rounded.
	low, high := min(experts[0], experts[2]), max(experts[0], experts[2])
	experts[2] = min(max(math.Expm1(learned), low), high)
}

// bound returns the bound, s, that the experts' make.
func (m *mixture) bound(experts *expertBounds) float64 {
	least, sum, total := slices.Min(m.losses[:]), 0.0, 0.0
	for i, loss := range m.losses {
		w := math.Exp((least - loss) / math.Sqrt(1+m.spread))
		sum, total = sum+w*experts[i], total+w
	}
	return min(max(sum/total, slices.Min(experts[:])), slices.Max(experts[:])) // equal bounds stay what they are
}

// learn enters a wait and the experts' bounds of it.
func (m *mixture) learn(quantile float64, experts *expertBounds, wait float64) {
	var lost expertBounds
	mean := 0.0
	for i, bound := range experts {
		lost[i] = stats.QuantileLoss(quantile, bound, wait)
		mean += lost[i] / float64(len(lost))
	}
	m.spread *= remembered
	for i, x := range lost {
		m.losses[i] = remembered*m.losses[i] + x
		m.spread += (x - mean) * (x - mean)
	}
}
