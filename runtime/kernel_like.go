package runtime

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// The number of last jobs that a Kernel keeps.
const (
	kernelOfKind = 20 // for each kind and each class of jobs
	kernelOfUser = 40 // for each user, for each group and for all
)

// kernelClass identifies a class of jobs. A class comprises several kinds, for users who
// change the request or the queue from job to job.
type kernelClass struct{ user, application, partition, size int64 }

// class returns the class of the jobs of a kind.
func (k *jobKind) class() kernelClass {
	return kernelClass{k.user, k.application, k.partition, k.size}
}

// unlikeness returns the distance of two jobs: 0 for jobs of one kind. A factor of two in size
// counts 2; a different requested time counts 2, and 1 more for each factor of two; a different
// application counts 2, a different queue or partition 1 each. Of askedColumns, amounts count
// like sizes and identifiers like queues. A value known for only one of the two counts as
// different.
func (x *features) unlikeness(y *features) float64 {
	d := 0.0
	if x.kind.size != y.kind.size {
		d += 2 * gap(x.logSize, y.logSize)
	}
	if x.kind.time != y.kind.time {
		d += 2 + gap(x.logTime, y.logTime)
	}
	d = d + 2*differ(x.kind.application, y.kind.application) + differ(x.kind.queue, y.kind.queue) + differ(x.kind.partition, y.kind.partition)
	return d + apart(x.kind.asked, y.kind.asked, 2)
}

// kernelHistory holds the last jobs of a kind, a class, a user, a group or of all.
type kernelHistory = ring[features]

// kernelMost is the largest number of similar jobs.
const kernelMost = 2*kernelOfKind + kernelOfUser

// kernelLike contains the similar jobs of one request. It is scratch memory.
type kernelLike struct {
	n int // number of similar jobs

	// Jobs of the kind first, then of the class, then the others; each list from the newest.
	unlike [kernelMost]float64
	rank   [kernelMost]int // position in its list
	of     [kernelMost]*features
	close  int // number of jobs of the kind or the class

	// In order of ascending run time, except weights, which are in the order above.
	values  [kernelMost]float64
	inverse [kernelMost]float64
	order   [kernelMost]kernelPlace
	weights [kernelWays][kernelMost]float64
	mixture [kernelMost]float64
}

// kernelPlace is a similar job in the order of run times. Jobs with equal run times are in the
// order of their lists (the kind, the class, the others), and within a list the older come first.
type kernelPlace struct {
	run       float64
	list, age int
	recent    int // index in kernelLike.of
}

func (p kernelPlace) compare(q kernelPlace) int {
	if p.run != q.run {
		return cmp.Compare(p.run, q.run)
	}
	return cmp.Or(p.list-q.list, q.age-p.age)
}

// gather fills l with the jobs of three lists: those of the kind, those of the class, and the
// others. A job in several lists is added once.
func (l *kernelLike) gather(wanted *features, r *workload.Request, lists [3]*kernelHistory) {
	l.n = 0
	mine := wanted.kind.class()
	for i, h := range lists {
		if i == 2 {
			l.close = l.n
		}
		for rank := range h.all {
			x := &h.all[h.newest(rank)]
			if i == 1 && x.kind == wanted.kind || i == 2 && x.kind.class() == mine {
				continue
			}
			l.of[l.n], l.unlike[l.n], l.rank[l.n] = x, wanted.unlikeness(x), rank
			l.order[l.n] = kernelPlace{x.run, i, rank, l.n}
			l.n++
		}
	}
	slices.SortFunc(l.order[:l.n], kernelPlace.compare)
	most, ok := requestedTime(r)
	if !ok {
		most = math.Inf(1)
	}
	for i, p := range l.order[:l.n] {
		if p.run < most {
			l.values[i], l.inverse[i] = p.run, l.of[p.recent].inverse
		} else {
			l.values[i], l.inverse[i] = most, 1/most
		}
	}
}

// kernelWeighting computes the weight of a job from its similarity and its recency.
type kernelWeighting struct {
	// sharp is the factor of the unlikeness d in exp(-sharp*d).
	sharp float64
	// ofKind and ofUser are the ranks at which the weight of a job of the same kind or
	// class, or of another job, has decayed to 1/e.
	ofKind, ofUser float64
	// hides is the share of the weight of older jobs that the newest job takes away if
	// it is of the same kind; other jobs take less, in proportion to their weight.
	hides float64
	// longer multiplies the weight by (1 + run time)^0.75, since of jobs submitted
	// together the shorter ones end first.
	longer bool
}

// kernelWays is the number of weightings.
const kernelWays = 4

// kernelWeightings are the standard weighting, which also favours longer jobs, one that favours
// newer jobs, one with a longer memory, and one that gives dissimilar jobs more weight.
var kernelWeightings = [kernelWays]kernelWeighting{
	{1, 10, 20, 1 - math.Exp(-1/5.), true},
	{1, 2, 5, 1 - math.Exp(-1), false},
	{1, 40, 60, 1 - math.Exp(-1/30.), false},
	{0.25, 10, 20, 1 - math.Exp(-1/5.), false},
}

// kernelFades contains exp(-rank/ofKind) and exp(-rank/ofUser) for each weighting.
var kernelFades = func() (f [kernelWays][2][kernelOfUser]float64) {
	for e, w := range kernelWeightings {
		for rank := range kernelOfUser {
			f[e][0][rank], f[e][1][rank] = math.Exp(-float64(rank)/w.ofKind), math.Exp(-float64(rank)/w.ofUser)
		}
	}
	return f
}()

// kernelExpSteps is the number of steps per unit in the table kernelExp.
const kernelExpSteps = 16

// kernelExp contains exp(-i/kernelExpSteps) for each i.
var kernelExp = func() (t [32 * kernelExpSteps]float64) {
	for i := range t {
		t[i] = math.Exp(-float64(i) / kernelExpSteps)
	}
	return t
}()

// expOf returns exp(-d), with d rounded to a step of kernelExp.
func expOf(d float64) float64 {
	return kernelExp[min(int(d*kernelExpSteps+0.5), len(kernelExp)-1)]
}

// points weighs the similar jobs, fills in the mixture of the weightings with the given
// shares, and returns the point of the highest expected accuracy under each weighting.
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
			w := weights[l.order[i].recent]
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

// weigh returns the weights of the jobs under weighting e, in the order of l.of.
func (l *kernelLike) weigh(e int) []float64 {
	w := &kernelWeightings[e]
	weights := l.weights[e][:l.n]
	seen := 1.0 // share of the weight that newer jobs leave
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

// kernelGains contains the past accuracies of the weightings: exponentially weighted means,
// starting at 0.
type kernelGains [kernelWays]float64

// The number of jobs in which the gains of a class, of a user and of all decay to 1/e.
const (
	kernelMemoryClass = 100
	kernelMemoryUser  = 1000
	kernelMemoryAll   = 10_000
)

// kernelRate is the rate of the exponential weights: a gain that is higher by one percentage
// point of accuracy makes a share e times as large.
const kernelRate = 100

func (g *kernelGains) add(gains *[kernelWays]float64, memory float64) {
	for i := range g {
		g[i] += (gains[i] - g[i]) / memory
	}
}

// kernelShares returns the shares of the weightings in a mixture: exponential weights of the sum
// of the gains of all, of the user and of the class. The shares add up to 1.
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
