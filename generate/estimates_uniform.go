package generate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/model"
)

// UniformEstimates are uniform between the run time and a factor f times it. Sonmez and others
// (2009), section 5.2, with f = 5.
type UniformEstimates struct {
	stream stream
	factor float64
	whole  bool
}

var _ Estimator = (*UniformEstimates)(nil)

// NewUniformEstimates returns the estimates for a factor f, from 1 to
// model.MaxEstimateFactor, a seed and the name of the jobs' class. With whole,
// the estimate of a run time R is uniform on the whole seconds in [R, f R], or
// R rounded up if there are none.
func NewUniformEstimates(factor float64, whole bool, seed uint64, class string) (*UniformEstimates, error) {
	if !(factor >= 1 && factor <= model.MaxEstimateFactor) {
		return nil, estimateError("factor", fmt.Sprintf("a number from 1 to %g", float64(model.MaxEstimateFactor)), "%g", factor)
	}
	return &UniformEstimates{newStream(seed, partEstimates, class), factor, whole}, nil
}

// Estimate implements Estimator. Each job has its own random number.
func (u *UniformEstimates) Estimate(jobs []int64, runs, requested []float64) error {
	if err := sameLength(jobs, runs, requested); err != nil {
		return err
	}
	var pcg rand.PCG
	rng := rand.New(&pcg)
	for i, r := range runs {
		if !knownRun(r) {
			requested[i] = math.NaN()
			continue
		}
		u.stream.seed(&pcg, jobs[i])
		requested[i] = u.draw(rng.Float64(), r)
	}
	return nil
}

// draw takes x, uniform on [0, 1).
func (u *UniformEstimates) draw(x, r float64) float64 {
	low, high := r, min(u.factor*r, math.MaxFloat64)
	if u.whole {
		low, high = math.Ceil(r), math.Floor(high)
		return low + math.Floor(x*max(0, high-low+1))
	}
	return low + x*(high-low)
}
