package predict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
)

// regretSequence produces the experts' bounds for each job and, given the mixture's bound, the
// job's wait.
type regretSequence struct {
	experts func(i int, r *rand.Rand) expertBounds
	wait    func(i int, experts *expertBounds, given float64, r *rand.Rand) float64
}

func regretSequences() map[string]regretSequence {
	logNormal := func(i int, r *rand.Rand) (b expertBounds) {
		for k := range b {
			b[k] = math.Exp(8 + 2*r.NormFloat64())
		}
		return b
	}
	apart := func(int, *rand.Rand) expertBounds { return expertBounds{1, 3600, 1e6} }
	exponential := func(_ int, _ *expertBounds, _ float64, r *rand.Rand) float64 { return 3000 * r.ExpFloat64() }
	return map[string]regretSequence{
		"chance": {logNormal, exponential},
		"apart":  {apart, exponential},
		// Waits alternate between short and beyond all bounds, in ever longer phases.
		"turns": {apart, func(i int, _ *expertBounds, _ float64, _ *rand.Rand) float64 {
			return map[bool]float64{true: 3e6}[int(math.Log2(float64(1+i)))%2 == 1]
		}},
		// The wait at which the mixture loses most relative to the mean of the experts.
		"an adversary": {apart, func(i int, b *expertBounds, given float64, r *rand.Rand) float64 {
			worst, most := 0.0, math.Inf(-1)
			for _, wait := range append(b[:], 0, given+1, 2*given, 1e7) {
				cost := pinball(0.95, given, wait)
				for _, x := range b {
					cost -= pinball(0.95, x, wait) / float64(len(b))
				}
				if cost > most {
					worst, most = wait, cost
				}
			}
			return worst
		}},
		// The wait is always just above the mixture's bound: each such miss is costly for the
		// mixture, and cheap for the larger bounds.
		"just above": {logNormal, func(_ int, _ *expertBounds, given float64, _ *rand.Rand) float64 { return given + 1 }},
	}
}

func pinball(quantile, bound, wait float64) float64 {
	if wait > bound {
		return quantile * (wait - bound)
	}
	return (1 - quantile) * (bound - wait)
}

// At every moment the discounted loss exceeds that of each expert by at most 2.79 sqrt(1+V), if
// waits are known at once. If waits are known 300 starts late, the largest excess measured is
// 51.2.
func TestMixtureRegret(t *testing.T) {
	const half = 30_000
	discount := math.Exp2(-1. / half)
	for name, sequence := range regretSequences() {
		for _, q := range []float64{0.5, 0.8, 0.95, 0.99} {
			for _, late := range []int{0, 300} {
				r := rand.New(rand.NewPCG(7, 7))
				m := mixture{}
				type job struct {
					experts     expertBounds
					given, wait float64
				}
				var underWay []job
				var regret expertBounds
				spread, worst := 0.0, 0.0
				for i := range 20_000 {
					j := job{experts: sequence.experts(i, r)}
					j.given = m.bound(&j.experts)
					j.wait = sequence.wait(i, &j.experts, j.given, r)
					underWay = append(underWay, j)
					if len(underWay) <= late {
						continue
					}
					j, underWay = underWay[0], underWay[1:]
					m.learn(q, &j.experts, j.wait)
					mean := 0.0
					for _, b := range j.experts {
						mean += pinball(q, b, j.wait) / float64(len(j.experts))
					}
					spread *= discount
					for k, b := range j.experts {
						loss := pinball(q, b, j.wait)
						spread += (loss - mean) * (loss - mean)
						regret[k] = discount*regret[k] + pinball(q, j.given, j.wait) - loss
					}
					for k := range regret {
						worst = max(worst, regret[k]/math.Sqrt(1+spread))
					}
				}
				if worst > map[int]float64{0: 2.79, 300: 55}[late] {
					t.Errorf("%s, quantile %g, %d late: the regret is %.2f sqrt(1+V)", name, q, late, worst)
				}
			}
		}
	}
}

// On a machine with a queue, combined has a smaller loss than BMBP and QBETS at each quantile.
func TestCombined(t *testing.T) {
	for i, w := range boundsWorth(t, queueOf(8000, 2), CombinedBound) {
		if !(w.ratio() < 0.9) {
			t.Errorf("quantile index %d: the loss is %.3f of the better rival's", i, w.ratio())
		}
	}
}

// The experts of a job are bmbp, qbets and conformal mixed with bmbp; an expert without a bound
// takes another's, and equal bounds stay equal. A job that ends without a start is forgotten.
func TestCombinedExperts(t *testing.T) {
	b := jobtest.Must(NewBound(CombinedBound, 0.95, 0.95, BoundOptions{})).(*combined)
	jobs := queueOf(3000, 2)
	for range boundsOf(t, jobs, b) {
	}
	if len(b.given) != 0 {
		t.Errorf("%d jobs that have started are still kept", len(b.given))
	}
	apart := false
	for i, j := range jobs[2900:] {
		r := j.Request
		r.Row += int64(1e6 + i)
		b.Submitted(r)
		x, learned := b.given[r.Row].experts, b.waiting[r.Row].bounds[b.quantile].Seconds
		if want := math.Expm1(0.96*math.Log1p(learned) + 0.04*math.Log1p(x[0])); math.Abs(x[2]-want) > 1e-6*(1+want) {
			t.Errorf("the learned bound is %g, want %g", x[2], want)
		}
		apart = apart || x[2] != x[0] && x[2] != x[1]
		b.Ended(r, r.Submit+1)
	}
	if !apart || len(b.given) != 0 {
		t.Errorf("the bounds differ: %t; %d withdrawn jobs are still kept", apart, len(b.given))
	}
	for seconds := range 1000 {
		wait := float64(seconds)
		x := expertBounds{wait, wait, wait}
		if x.complete(0.95); x != (expertBounds{wait, wait, wait}) || b.mixture.bound(&x) != wait {
			t.Errorf("three bounds of %g s become %v, %v", wait, x, b.mixture.bound(&x))
		}
	}
}
