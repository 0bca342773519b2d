package em

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Components are the two laws of a mixture with their weights.
type Components [2]dist.WeightedGamma

// Mixture is one problem of EM: a sample and the laws that its components may have.
type Mixture struct {
	Laws    Gammas
	Points  Points
	Workers int // number of goroutines of an E step; results do not depend on it
	// Observe, unless nil, is called with the log-likelihood of every point that Run
	// keeps.
	Observe func(logLikelihood float64)

	Jobs  float64 // the sample's total weight
	parts []part
}

// part is the result of an E step for one chunk: the log-likelihood of the old parameters and
// each component's share of the sums.
type part struct {
	logLikelihood float64
	sums          [2]GammaSums
}

// chunk is the number of points that one worker sums at a time. The sums of the chunks are merged
// in order, so that the result does not depend on the number of workers. Its last digits depend
// on chunk.
const chunk = 8192

// block is the number of points for which the components' densities are held at a time.
const block = 256

// New returns the problem of a sample.
func New(laws Gammas, p Points) *Mixture {
	return &Mixture{Laws: laws, Points: p, Workers: 1, Jobs: p.Total(), parts: make([]part, max(1, (p.Len()+chunk-1)/chunk))}
}

// AtBound reports whether a component is as narrow as it may be.
func (m *Mixture) AtBound(c Components) bool {
	return m.Laws.Narrowest(c[0].Law) || m.Laws.Narrowest(c[1].Law)
}

// fewestJobs is the smallest weight of a component, in jobs. With less it has died, and the other
// component is a fit of a single law.
const fewestJobs = 1.5

// lost reports whether a component has died.
func (m *Mixture) lost(c Components) bool {
	return !(min(c[0].Weight, c[1].Weight)*m.Jobs >= fewestJobs)
}

// step is one step of EM: it returns improved components, whose log-likelihood is not lower, and
// the log-likelihood of the old ones.
func (m *Mixture) step(old Components) (next Components, logLikelihood float64) {
	sums, logLikelihood := m.expect(old)
	w := sums[0].W + sums[1].W
	for k, s := range sums {
		next[k] = dist.WeightedGamma{Weight: s.W / w, Law: m.Laws.maximise(s, old[k].Law)}
	}
	return next, logLikelihood
}

// expect is the E step. It returns each component's share of the sums, and the log-likelihood.
func (m *Mixture) expect(c Components) (sums [2]GammaSums, logLikelihood float64) {
	var lnWeights [2]float64
	var densities [2]dist.GammaDensity
	for k, x := range c {
		lnWeights[k], densities[k] = math.Log(x.Weight), dist.NewGammaDensity(x.Law)
	}
	par.Each(m.Workers, len(m.parts), func(i int) {
		var rows [2][block]float64 // log-densities, then shares, of a block, by component
		part := part{}
		for from, end := i*chunk, min((i+1)*chunk, m.Points.Len()); from < end; from += block {
			to := min(from+block, end)
			x, lnX, w := m.Points.X[from:to], m.Points.LnX[from:to], m.Points.W[from:to]
			for k := range rows {
				row, density := rows[k][:len(x)], densities[k]
				for i := range row {
					row[i] = lnWeights[k] + density.At(x[i], lnX[i])
				}
			}
			part.logLikelihood = share(rows[0][:len(x)], rows[1][:len(x)], w, part.logLikelihood)
			for k := range rows {
				sum := part.sums[k]
				for i, w := range rows[k][:len(x)] {
					sum.add(x[i], lnX[i], w)
				}
				part.sums[k] = sum
			}
		}
		m.parts[i] = part
	})
	// A chunk is short enough for plain sums; the sum of the chunks is not.
	var all num.Sum
	for i, p := range m.parts {
		all.Add(p.logLikelihood)
		if i == 0 {
			sums = p.sums
			continue
		}
		for k := range sums {
			sums[k].merge(p.sums[k])
		}
	}
	return sums, all.Value()
}

// share replaces the log-densities of the two components, which include their weights, by their
// shares of the jobs w, and returns the log-likelihood with that of these points added.
func share(l0, l1, w []float64, logLikelihood float64) float64 {
	l0, l1 = l0[:len(w)], l1[:len(w)]
	for i, w := range w {
		// The share of the likelier component is 1/(1+e), e <= 1.
		e := math.Exp(-math.Abs(l0[i] - l1[i]))
		r := 1 / (1 + e)
		logLikelihood += w * (max(l0[i], l1[i]) - math.Log(r))
		r0 := r
		if l0[i] < l1[i] {
			r0 = e * r
		}
		l0[i], l1[i] = w*r0, w*(1-r0)
	}
	return logLikelihood
}

// Ending describes how a run of EM ended.
type Ending int

// The endings.
const (
	Converged      Ending = iota // the components no longer change
	IterationLimit               // they were still changing after the last step
	ComponentLost                // a component died
)

// End is where a run of EM ended.
type End struct {
	Components    Components // by ascending place
	LogLikelihood float64    // of the points
	Iterations    int        // E steps
	Ending        Ending
}

// Limits determine when EM stops.
type Limits struct {
	Iterations int // largest number of E steps
	// EM has converged when one plain step changes no coordinate by more than Tolerance, or
	// raises the log-likelihood by no more than the share Gain of it: where the likelihood is
	// flat, the parameters drift long after it has stopped rising.
	Tolerance, Gain float64
}

// Rough returns the limits for comparing starts, on the pressed sample.
func Rough() Limits { return Limits{Iterations: 300, Tolerance: 1e-4, Gain: 1e-9} }

// Fine returns the limits for the whole sample, from the best of the starts.
func Fine() Limits { return Limits{Iterations: 1000, Tolerance: 1e-8, Gain: 1e-12} }

// Replicate returns the limits for a replicate of the bootstrap, whose sampling error is far
// above the tolerance.
func Replicate() Limits { return Limits{Iterations: 1000, Tolerance: 1e-4, Gain: 1e-9} }

// Run improves the components of start until they no longer change or a limit is reached.
//
// It accelerates EM by SQUAREM (Varadhan and Roland 2008, "Simple and globally
// convergent methods for accelerating the convergence of any EM algorithm",
// scheme S3): two steps of EM give a direction and a curvature, a longer step
// along them is tried, and kept only if the likelihood is not below that of
// the first of the two. So the log-likelihood never falls.
func (m *Mixture) Run(start Components, limits Limits) End {
	at := start
	r := End{Ending: IterationLimit, LogLikelihood: math.Inf(-1)}
	keep := func(l float64) {
		r.LogLikelihood = l
		if m.Observe != nil {
			m.Observe(l)
		}
	}
	for r.Iterations+3 <= limits.Iterations {
		first, l0 := m.step(at)
		keep(l0)
		r.Iterations++
		if m.lost(first) {
			r.Ending = ComponentLost
			break
		}
		if distance(at, first) <= limits.Tolerance {
			r.Ending = Converged
			break
		}
		second, l1 := m.step(first)
		keep(l1)
		r.Iterations++
		if l1-l0 <= limits.Gain*math.Abs(l0) {
			at, r.Ending = first, Converged
			break
		}
		next := second
		if try, ok := m.extrapolate(at, first, second); ok {
			end, l2 := m.step(try)
			r.Iterations++
			if l2 >= l1 {
				keep(l2)
				next = end
			}
		}
		at = next
	}
	slices.SortStableFunc(at[:], func(a, b dist.WeightedGamma) int {
		return cmp.Compare(math.Log(a.Law.Mean()), math.Log(b.Law.Mean()))
	})
	r.Components = at
	return r
}

// coordinates returns the unbounded coordinates in which EM is extrapolated: the components'
// spreads (-ln of the shape), their places (ln of the mean), and ln of their weights divided by
// the second one's.
func (c Components) coordinates() [6]float64 {
	of := func(k int) (spread, place, weight float64) {
		return -math.Log(c[k].Law.Shape), math.Log(c[k].Law.Mean()), math.Log(c[k].Weight)
	}
	spread0, place0, weight0 := of(0)
	spread1, place1, weight1 := of(1)
	return [6]float64{spread0, spread1, place0, place1, weight0 - weight1, 0}
}

// distance returns the largest change of a coordinate.
func distance(a, b Components) float64 {
	d := 0.0
	to := b.coordinates()
	for i, from := range a.coordinates() {
		d = max(d, math.Abs(to[i]-from))
	}
	return d
}

// extrapolate returns the SQUAREM step through three successive points of EM. ok is false if
// there is none, or if it would be no longer than EM's own step.
func (m *Mixture) extrapolate(first, second, third Components) (out Components, ok bool) {
	a, b, c := first.coordinates(), second.coordinates(), third.coordinates()
	var step, curve [6]float64
	var rr, vv float64
	for i := range a {
		step[i] = b[i] - a[i]
		curve[i] = c[i] - b[i] - step[i]
		rr += step[i] * step[i]
		vv += curve[i] * curve[i]
	}
	alpha := -math.Sqrt(rr / vv)
	if !(alpha < -1) || math.IsInf(alpha, -1) {
		return out, false
	}
	for i := range a {
		a[i] = a[i] - 2*alpha*step[i] + alpha*alpha*curve[i]
	}
	sum := 0.0
	for k := range out {
		law, ok := m.Laws.at(a[2+k], a[k], third[k].Law)
		if !ok {
			return out, false
		}
		out[k] = dist.WeightedGamma{Weight: math.Exp(a[4+k]), Law: law}
		sum += out[k].Weight
	}
	if math.IsInf(sum, 1) || !(sum > 0) {
		return out, false
	}
	for k := range out {
		if out[k].Weight /= sum; !(out[k].Weight > 0) {
			return out, false
		}
	}
	return out, true
}
