package plan

import (
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// lengths draws how much longer a job of some age runs, in seconds, one for each
// schedule. The levels are a Latin hypercube: of n draws one lies in each n-th part of the
// distribution. They depend on the job's Row and the seed, so that a job has the
// same levels in each plan.
func (p *Planner) lengths(r *workload.Request, age float64, to []float64) {
	rng := rand.New(rand.NewPCG(p.options.Seed, uint64(r.Row)))
	d, known := p.RunTimes(*r)
	n := float64(len(to))
	for k, part := range rng.Perm(len(to)) {
		level := (float64(part) + rng.Float64()) / n
		to[k] = remaining(d, known, r, age, max(level, 1e-12))
	}
}

// remaining returns the time by which a job of some age has ended with a probability, in
// [predict.Shortest, predict.Longest]. A job ends at its time limit at the latest, and
// without a known distribution there. One that is older than all that is known lasts as
// long again with probability 1/2 (see predict.OneLaw).
func remaining(d predict.RunTimeDistribution, known bool, r *workload.Request, age, level float64) float64 {
	left := math.Inf(1) // until the limit
	if r.Time > age {
		left = r.Time - age
	}
	x := math.NaN()
	if known {
		if s := d.Survival(age); s > 0 {
			x = d.Quantile(1-s*(1-level)) - age
		}
	}
	if math.IsNaN(x) {
		x = left
		if math.IsInf(left, 1) {
			x = max(age, 1) * level / (1 - level)
		}
	}
	return max(predict.Shortest, min(x, left, predict.Longest))
}
