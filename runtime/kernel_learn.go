package runtime

import (
	"math"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Observe implements Predictor.
func (k *Kernel) Observe(j workload.Job) {
	x := k.job(&j.Request)
	root := math.Sqrt(1 + j.Run)
	x.run, x.inverse, x.length = j.Run, 1/max(j.Run, kernelLeast), root*math.Sqrt(root)
	k.longest = max(k.longest, j.Run)
	p, ok := k.pending.take(&j.Request)
	if !ok {
		p.user = entryOf(k.users, j.User)
		p.user.asked++
	}
	if p.kind == nil {
		p.kind = entryOf(k.kinds, x.kind)
	}
	if p.class == nil {
		p.class = entryOf(k.classes, x.kind.class())
	}
	if ok {
		k.learn(&p, &j)
	}
	p.user.burst = 0
	p.kind.add(&x, kernelOfKind)
	p.class.add(&x, kernelOfKind)
	p.user.add(&x, kernelOfUser)
	if j.Group != workload.Unknown {
		entryOf(k.groups, j.Group).add(&x, kernelOfUser)
	}
	k.all.add(&x, kernelOfUser)
}

// entryOf returns what a map has for a key, which is new where it had nothing.
func entryOf[K comparable, V any](m map[K]*V, key K) *V {
	v := m[key]
	if v == nil {
		v = new(V)
		m[key] = v
	}
	return v
}

// learn enters what became of a job that was predicted.
func (k *Kernel) learn(p *kernelAsked, j *workload.Job) {
	var gains [kernelWays]float64
	for i, point := range p.points {
		gains[i] = stats.Accuracy(point, j.Run)
	}
	k.gains.add(&gains, kernelMemoryAll)
	p.user.gains.add(&gains, kernelMemoryUser)
	p.class.gains.add(&gains, kernelMemoryClass)

	k.aim.learn(&p.said, j.Run)
	k.counts.learn(p, j.Run, kernelCountsAll)
	k.bins[p.bin].learn(p, j.Run, kernelCountsBin)
	p.user.counts.learn(p, j.Run, kernelCountsUser)
}
