package runtime

import "math"

// kernelWeighting turns the likeness and recency of a job into a weight.
type kernelWeighting struct {
	// sharp is the factor of the unlikeness d in exp(-sharp d).
	sharp float64
	// ofKind and ofUser are the ranks by which a job of the same kind, or
	// another of the user's, fades to 1/e.
	ofKind, ofUser float64
	// hides is the share of the weight of older jobs that a job of the same
	// kind takes away; a less like one takes less, in proportion.
	hides float64
	// longer says to multiply the weight by (1 + the run time)^0.75: of jobs
	// submitted together those that have ended are the shorter.
	longer bool
}

// kernelWays is the number of weightings.
const kernelWays = 4

// kernelWeightings: the middle one, which favours longer jobs, one of newer jobs, one with a longer memory,
// and one that counts unlike jobs for more.
var kernelWeightings = [kernelWays]kernelWeighting{
	{1, 10, 20, 1 - math.Exp(-1/5.), true},
	{1, 2, 5, 1 - math.Exp(-1), false},
	{1, 40, 60, 1 - math.Exp(-1/30.), false},
	{0.25, 10, 20, 1 - math.Exp(-1/5.), false},
}

// kernelFades are exp(-rank/tau) of the weightings: of jobs of the kind, then of
// others.
var kernelFades = func() (f [kernelWays][2][kernelOfUser]float64) {
	for e, w := range kernelWeightings {
		for rank := range kernelOfUser {
			f[e][0][rank], f[e][1][rank] = math.Exp(-float64(rank)/w.ofKind), math.Exp(-float64(rank)/w.ofUser)
		}
	}
	return f
}()

// kernelExp has exp(-i/kernelExpSteps): an unlikeness is rounded to that step.
const kernelExpSteps = 16

var kernelExp = func() (t [32 * kernelExpSteps]float64) {
	for i := range t {
		t[i] = math.Exp(-float64(i) / kernelExpSteps)
	}
	return t
}()

func expOf(d float64) float64 {
	return kernelExp[min(int(d*kernelExpSteps+0.5), len(kernelExp)-1)]
}

// points weighs the like jobs, fills the mixture of the weightings with those
// shares, and returns the point of the highest expected accuracy of each.
func (l *kernelLike) points(shares [kernelWays]float64) (points [kernelWays]float64) {
	n := l.n
	mixture := l.mixture[:n]
	clear(mixture)
	for e := range kernelWeightings {
		weights := l.weigh(e)
		sum := 0.0
		for _, w := range weights {
			sum += w
		}
		scale := shares[e] / sum
		above := 0.0
		var sorted [kernelMost]float64
		for i := range n {
			w := weights[l.at[i]]
			sorted[i] = w
			mixture[i] += w * scale
			above += w * l.inverse[i]
		}
		below, best, most := 0.0, 0, -1.0
		for i := range n {
			v, w := max(l.values[i], kernelLeast), sorted[i]
			below += w * v
			above -= w * l.inverse[i]
			if score := below*l.inverse[i] + above*v; score > most {
				best, most = i, score
			}
		}
		points[e] = l.values[best]
	}
	return points
}

// weigh returns the weights of one weighting, by recency.
func (l *kernelLike) weigh(e int) []float64 {
	w := &kernelWeightings[e]
	weights := l.weights[e][:l.n]
	seen := 1.0 // the share that newer jobs leave
	fade := &kernelFades[e][0]
	for i := range weights {
		if i == l.close {
			fade = &kernelFades[e][1]
		}
		s := expOf(w.sharp*l.unlike[i]) * fade[l.rank[i]]
		weights[i] = s * seen
		seen *= 1 - w.hides*s
	}
	if w.longer {
		for i := range weights {
			weights[i] *= l.of[i].length
		}
	}
	return weights
}

// kernelGains are the past accuracies of the weightings: means over the last jobs, of
// which older ones fade, and that begin at 0.
type kernelGains [kernelWays]float64

// The gains of a class, of a user and of all fade to 1/e in so many jobs.
const (
	kernelMemoryClass = 100
	kernelMemoryUser  = 1000
	kernelMemoryAll   = 10_000
)

// kernelRate is the rate of the exponential weights, of gains that are means: a point
// more of accuracy that lasts makes a share e times as large.
const kernelRate = 100

func (g *kernelGains) add(gains *[kernelWays]float64, memory float64) {
	for i := range g {
		g[i] += (gains[i] - g[i]) / memory
	}
}

// kernelShares are the shares of the weightings in a mixture: exponential weights of
// the gains of all, of the user and of the class.
func kernelShares(all, user, class *kernelGains) (shares [kernelWays]float64) {
	most := math.Inf(-1)
	for i := range shares {
		shares[i] = kernelRate * (all[i] + user[i] + class[i])
		most = max(most, shares[i])
	}
	sum := 0.0
	for i := range shares {
		shares[i] = math.Exp(shares[i] - most)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}
