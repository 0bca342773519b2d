package predict

import (
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CombinedBound is the name of the predictor that weighs the others by their past losses.
const CombinedBound = "combined"

// combined is an upper bound of waits at one quantile: the bounds of BMBP, of QBETS and of
// ConformalBound, and those of the latter's forest half an offset below and above its quantile
// (boundPath), which forget a bad day at once, mixed by their past losses (mixture).
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
	bound.Seconds = b.mix(&r, b.last.bounds, b.last.paths).seconds
	return bound, !math.IsNaN(bound.Seconds)
}

// mix returns the bounds of a job: those of the conformal are given, by quantile.
func (b *combined) mix(r *workload.Request, bounds []Bound, paths []boundPath) *givenMixture {
	g := new(givenMixture)
	for i, p := range b.past {
		g.past[i], _ = p.Predict(*r)
		g.experts[i] = g.past[i].Seconds
	}
	seconds := bounds[b.quantile].Seconds
	g.experts[2], g.experts[3], g.experts[4] = seconds, seconds, seconds
	if len(paths) > 0 {
		g.experts[3], g.experts[4] = paths[b.quantile].seconds(-0.5), paths[b.quantile].seconds(0.5)
	}
	for i, x := range g.experts {
		if math.IsNaN(x) {
			known := slices.IndexFunc(g.experts[:], func(x float64) bool { return !math.IsNaN(x) })
			g.experts[i] = g.experts[max(0, known)]
		}
	}
	g.seconds = b.mixture.bound(&g.experts)
	return g
}

// Submitted implements QueueWatcher.
func (b *combined) Submitted(r workload.Request) {
	b.conformalBound.Submitted(r)
	if g := b.waiting[r.Row]; g != nil && b.given[r.Row] == nil {
		b.given[r.Row] = b.mix(&r, g.bounds, g.paths)
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
		b.mixture.learn(b.level, &g.experts, g.seconds, j.Wait)
	}
}

// Ended implements QueueWatcher.
func (b *combined) Ended(r workload.Request, now float64) {
	delete(b.given, r.Row)
	b.conformalBound.Ended(r, now)
}

// expertBounds are the bounds of one job, s.
type expertBounds [5]float64

// remembered is how much of a loss counts after one more start: half after 3000.
var remembered = math.Pow(0.5, 1./3000)

// mixture weighs experts by exponential weights of their discounted losses, the pinball losses
// in seconds of the waits as they become known. With spread V, the discounted sum of the
// squared deviations of the experts' losses from their mean, the rate is 1/sqrt(1+V): it needs
// no scale. Cesa-Bianchi, Mansour and Stoltz (2007), "Improved second-order bounds for
// prediction with expert advice".
//
// The bound is the weighted mean of the logarithms of the experts' bounds. The loss is not
// convex in these, so the mixture keeps account of what it lost above the mean loss of the
// experts by their weights of that moment (excess, discounted), and takes the mean of the
// bounds themselves while that is above sqrt(1+V).
//
// What is guaranteed, of any waits, at any moment and against each of the N = 5 experts: the
// discounted loss is at most (ln N + 1.69) sqrt(1+V) + excess above the expert's. If waits become
// known before the next submission the excess is at most sqrt(3 (1+V)), which makes
// 5.04 sqrt(1+V). Late waits add to it as far as the weights moved meanwhile. (The gap of one
// step is at most min(r, r²/8 rate) for losses that differ by at most r <= sqrt(2 dV), and
// min(sqrt(2 x), x/4) <= 1.69 (sqrt(1+x) - 1).)
type mixture struct {
	losses         expertBounds
	spread, excess float64
}

// weights returns the weights of the experts, which sum to 1.
func (m *mixture) weights() (w expertBounds) {
	least, sum := slices.Min(m.losses[:]), 0.0
	for i, loss := range m.losses {
		w[i] = math.Exp((least - loss) / math.Sqrt(1+m.spread))
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// bound returns the bound, s, that the experts' make.
func (m *mixture) bound(experts *expertBounds) float64 {
	mean, ofLogs := 0.0, 0.0
	for i, w := range m.weights() {
		mean += w * experts[i]
		ofLogs += w * math.Log1p(experts[i])
	}
	if m.excess <= math.Sqrt(1+m.spread) {
		mean = math.Expm1(ofLogs)
	}
	return min(max(mean, slices.Min(experts[:])), slices.Max(experts[:])) // equal bounds stay what they are
}

// learn enters a wait, the bound given and those of the experts.
func (m *mixture) learn(quantile float64, experts *expertBounds, given, wait float64) {
	loss := func(bound float64) float64 { return stats.QuantileLoss(quantile, bound, wait) }
	var lost expertBounds
	mean, weighted := 0.0, 0.0
	for i, w := range m.weights() {
		lost[i] = loss(experts[i])
		mean += lost[i] / float64(len(lost))
		weighted += w * lost[i]
	}
	m.excess = remembered*m.excess + loss(given) - weighted
	m.spread *= remembered
	for i, x := range lost {
		m.losses[i] = remembered*m.losses[i] + x
		m.spread += (x - mean) * (x - mean)
	}
}
