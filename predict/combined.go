package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CombinedBound is the name of the predictor that weights the others by their past losses.
const CombinedBound = "combined"

// combined predicts an upper bound of waits at one quantile. It mixes the bounds of three
// experts according to their past losses (mixture): BMBP, QBETS and a conformal, which learns
// from the state of the queue. The logarithm of the learned bound is first moved towards that of
// BMBP's bound by 0.002/(1-q) of the difference, since the forest has fewer waits above a higher
// quantile to learn from.
//
// An expert without a bound takes that of the first expert that has one. Several combined,
// one for each quantile, may share a conformal; they must be used in the same replay.
type combined struct {
	conformalBound
	level   float64 // the quantile; conformalBound.quantile is its index in conformal.quantiles
	past    [2]BoundPredictor
	mixture mixture
	given   map[int64]*givenMixture // by row of a waiting job
}

// givenMixture holds the bounds that were predicted for a waiting job.
type givenMixture struct {
	past    [2]Bound
	experts expertBounds
	seconds float64
}

// newCombined returns a combined without history. The quantile must be one of c's.
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

// mix returns the bounds of a job. bounds are those of the conformal, by quantile.
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

// Observe implements BoundPredictor. It ignores jobs for which Submitted was not called.
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

// expertBounds holds the experts' bounds for one job, in seconds: BMBP's, QBETS's and the
// learned one.
type expertBounds [3]float64

// mixture is a weighted mean of experts. The weights are exponential in the experts' discounted
// losses, which are the pinball losses, in seconds, of the waits as they become known. The
// learning rate is 1/sqrt(1+V), where the spread V is the discounted sum of the squared
// deviations of the experts' losses from their mean; no scale has to be chosen. Cesa-Bianchi,
// Mansour and Stoltz (2007), "Improved second-order bounds for prediction with expert advice".
//
// The following holds for any sequence of waits, at any moment and against each of the N = 3
// experts: if each wait becomes known before the next submission, the discounted loss exceeds
// the expert's by at most (ln N + 1.69) sqrt(1+V) = 2.79 sqrt(1+V). A wait that becomes known
// later adds to this according to the change of the weights in the meantime. (The loss is convex,
// so the mixture loses at most the weighted mean of the losses. The gap of one step is at most
// min(r, r²/8 rate) for losses that differ by at most r <= sqrt(2 dV), and
// min(sqrt(2 x), x/4) <= 1.69 (sqrt(1+x) - 1).)
type mixture struct {
	losses expertBounds
	spread float64
}

// remembered is the discount factor of the losses for each start: a half after 30,000 starts.
var remembered = math.Pow(0.5, 1./30_000)

// shareOfBMBP is 1-q times the weight of BMBP's bound in the learned bound; the mean is of
// logarithms.
const shareOfBMBP = 0.002

// complete replaces missing and infinite bounds by the first finite one, and moves the learned
// bound towards BMBP's.
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
	// Rounding of the logarithms must not push the mean beyond its terms.
	low, high := min(experts[0], experts[2]), max(experts[0], experts[2])
	experts[2] = min(max(math.Expm1(learned), low), high)
}

// bound returns the weighted mean of the experts' bounds, in seconds.
func (m *mixture) bound(experts *expertBounds) float64 {
	least, sum, total := slices.Min(m.losses[:]), 0.0, 0.0
	for i, loss := range m.losses {
		w := math.Exp((least - loss) / math.Sqrt(1+m.spread))
		sum, total = sum+w*experts[i], total+w
	}
	// The limits make the mean of equal bounds exact.
	return min(max(sum/total, slices.Min(experts[:])), slices.Max(experts[:]))
}

// learn updates the losses with a wait and the experts' bounds for it.
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
