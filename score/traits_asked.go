package score

import (
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// gpuTally accumulates the GPUs of jobs and their work.
type gpuTally struct {
	jobs, some int64             // with a known number of GPUs; with one above 0
	work       float64           // GPU seconds
	byCount    map[int64]float64 // work by the number of GPUs; nil once there are too many
}

// addAsked adds a job's resources other than processors. The work of a shared GPU is
// multiplied by the share.
func (t *TraitsTally) addAsked(j *workload.Job, ran bool) {
	a, d, g := j.Asked, &t.out.distributions, &t.gpus
	eachAsked(a, func(attribute int, x float64) { d[nodesOfJob+attribute-nodes].Add(x) })
	if a.GPUType != workload.Unknown {
		d[gpuTypes].Add(float64(a.GPUType))
	}
	n := a.TakesGPUs
	if n < 0 {
		return
	}
	if g.jobs++; n == 0 {
		return
	}
	g.some++
	if !ran {
		return
	}
	done := float64(n) * j.Run
	if a.GPUShare >= 0 {
		done *= float64(a.GPUShare) / 1000
	}
	g.work += done
	d[gpuWork].Add(done)
	if g.byCount == nil {
		return
	}
	if g.byCount[n] += done; len(g.byCount) > traitDistinct {
		g.byCount = nil
	}
}

// workParts is the total of the counts that represent work by the number of GPUs.
const workParts = 1_000_000

func (t *TraitsTally) finishGPUs() {
	g := &t.gpus
	if g.jobs == 0 {
		return
	}
	t.out.values[gpuJobs] = float64(g.some) / float64(g.jobs)
	if span := t.last - t.first; span > 0 && g.work > 0 {
		t.out.values[gpusMean] = g.work / span
	}
	for n, done := range g.byCount {
		t.out.distributions[gpusOfWork].AddCount(float64(n), int(done/g.work*workParts+.5))
	}
}

// totalVariation returns half the sum of the absolute differences of shares, from 0 to 1, for
// values without order, such as names.
func totalVariation(a, b *stats.DistinctCounts) float64 {
	va, ca, vb, cb := stats.Aligned(a, b)
	shares := map[float64]float64{}
	for i, v := range va {
		shares[v] = ca[i] / float64(a.N())
	}
	d := 0.0
	for i, v := range vb {
		d += max(0, cb[i]/float64(b.N())-shares[v])
	}
	return d
}

// DropUnknown removes the rows of optional traits, such as GPUs, that neither workload has.
func (v *Verdict) DropUnknown() {
	kept := v.Rows[:0]
	for _, r := range v.Rows {
		if r.Why != UnknownOfBoth || !optional[r.Name] {
			kept = append(kept, r)
		}
	}
	v.Rows = kept
}

// optional has the names of the rows that only some workloads have.
var optional = func() map[string]bool {
	names := map[string]bool{}
	for _, name := range traitDistances[nodesOfJob:] {
		names[name] = true
	}
	for _, t := range traits[gpuJobs:] {
		names[t.name] = true
	}
	return names
}()
