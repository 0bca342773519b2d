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
	rest := p.remaining(r, age)
	n := float64(len(to))
	for k, part := range rng.Perm(len(to)) {
		level := (float64(part) + rng.Float64()) / n
		to[k] = rest.at(max(level, 1e-12))
	}
}

// remaining is the distribution of how much longer a job runs.
type remaining struct {
	run      predict.RunTimeDistribution
	age      float64 // s
	survival float64 // probability of the age; 0 where the distribution is not known
	left     float64 // s, until the time limit; +Inf without one, or beyond it
}

func (p *Planner) remaining(r *workload.Request, age float64) remaining {
	x := remaining{age: age, left: math.Inf(1)}
	if most, ok := limit(r); ok && most > age {
		x.left = most - age
	}
	var known bool
	if x.run, known = p.RunTimes(*r); known {
		x.survival = x.run.Survival(age)
	}
	return x
}

// at returns the time by which the job has ended with a probability, in
// [predict.Shortest, predict.Longest]. A job ends at its time limit at the latest, and
// without a known distribution there. One that is older than all that is known lasts as
// long again with probability 1/2 (see predict.OneLaw).
func (x *remaining) at(level float64) float64 {
	var t float64
	switch {
	case x.survival > 0:
		t = x.run.Quantile(1-x.survival*(1-level)) - x.age
	case !math.IsInf(x.left, 1):
		t = x.left
	default:
		t = max(x.age, 1) * level / (1 - level)
	}
	return max(predict.Shortest, min(t, x.left, predict.Longest))
}
