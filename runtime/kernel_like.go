package runtime

import (
	"cmp"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
)

// How many of the last jobs a Kernel keeps of a kind and of a class of jobs, and of a
// user, of a group and of all.
const (
	kernelOfKind = 20
	kernelOfUser = 40
)

// kernelClass is what jobs of one class agree in: it has those of several kinds, for
// users who change the request or the queue from job to job.
type kernelClass struct{ user, application, partition, size int64 }

// class is that of the jobs of a kind.
func (k *jobKind) class() kernelClass {
	return kernelClass{k.user, k.application, k.partition, k.size}
}

// unlikeness is 0 for jobs of one kind. A factor of two in size counts 2, another
// request 2 and 1 more for a factor of two, another application 2, another
// queue or partition 1 each; askedColumns count as sizes and queues do. What only one of the two has counts as another.
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

// kernelHistory is the last jobs of a kind, a user, a group or of all.
type kernelHistory = ring[features]

// kernelMost is how many like jobs there can be.
const kernelMost = 2*kernelOfKind + kernelOfUser

// kernelLike are the like jobs of one request. It is scratch memory.
type kernelLike struct {
	n int

	// By recency, those of the kind first, then of the class.
	unlike [kernelMost]float64
	rank   [kernelMost]int
	of     [kernelMost]*features
	close  int // how many are of the kind or the class

	// By ascending run time.
	values  [kernelMost]float64
	inverse [kernelMost]float64
	order   [kernelMost]kernelPlace
	weights [kernelWays][kernelMost]float64
	mixture [kernelMost]float64
}

// kernelPlace is a like job in the order of run times; of equal ones those of the kind come
// first, then of the class, and of a list the older.
type kernelPlace struct {
	run       float64
	list, age int
	recent    int // its place by recency
}

func (p kernelPlace) compare(q kernelPlace) int {
	if p.run != q.run {
		return cmp.Compare(p.run, q.run)
	}
	return cmp.Or(p.list-q.list, q.age-p.age)
}

// gather enters the jobs of the kind, of the class, and the others. A job is entered once.
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
