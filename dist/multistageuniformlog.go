package dist

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/num"
)

// MaxStages is the largest number of stages of a MultiStageUniformLog.
const MaxStages = 8

// WeightedUniformLog is a stage of a MultiStageUniformLog.
type WeightedUniformLog struct {
	Weight     float64 // its share, in [0, 1]
	UniformLog UniformLog
}

// MultiStageUniformLog is a mixture of one to MaxStages uniform-log laws.
// Where each stage begins at the end of the one before, its distribution
// function is piecewise linear in ln t; stages may also overlap, or leave
// gaps. Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 5.4.
//
// The used stages come first and have weights above 0 that sum to 1; the rest
// of the array is zero, which keeps the law comparable. A border belongs to
// the stage below it, so that the density is that of the left side.
type MultiStageUniformLog struct {
	Stages [MaxStages]WeightedUniformLog
}

var _ Law = MultiStageUniformLog{}

// NewMultiStageUniformLog returns the mixture of stages. It is an error if
// there are none or more than MaxStages, or if Validate rejects the mixture.
func NewMultiStageUniformLog(stages ...WeightedUniformLog) (MultiStageUniformLog, error) {
	var m MultiStageUniformLog
	if len(stages) < 1 || len(stages) > MaxStages {
		return m, fmt.Errorf("multi-stage-uniform-log: %d stages, want 1 to %d", len(stages), MaxStages)
	}
	copy(m.Stages[:], stages)
	if used := m.used(); used < len(stages) {
		return m, m.weightError(used)
	}
	return m, m.Validate()
}

// Parts returns the stages in use.
func (m MultiStageUniformLog) Parts() []WeightedUniformLog { return m.Stages[:m.used()] }

func (m *MultiStageUniformLog) used() int {
	for i, s := range m.Stages {
		if s.Weight == 0 {
			return i
		}
	}
	return MaxStages
}

// ends returns the ends of the support.
func (m *MultiStageUniformLog) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range m.Stages[:m.used()] {
		low, high = min(low, s.UniformLog.TMin), max(high, s.UniformLog.TMax)
	}
	return low, high
}

func (m MultiStageUniformLog) LogPDF(x float64) float64 { return m.logDensity()(x) }

func (m MultiStageUniformLog) logDensity() func(float64) float64 {
	n := m.used()
	var slopes [MaxStages]float64 // of the distribution function in ln t
	for i, s := range m.Stages[:n] {
		slopes[i] = s.Weight * s.UniformLog.Slope()
	}
	stages := m.Stages
	return func(x float64) float64 {
		if math.IsNaN(x) {
			return x
		}
		left, right := 0.0, 0.0
		for i := range n {
			switch u := &stages[i].UniformLog; {
			case x > u.TMin && x <= u.TMax:
				left += slopes[i]
			case x == u.TMin:
				right += slopes[i]
			}
		}
		if left == 0 { // at the lower end of the support, or outside it
			left = right
		}
		if left == 0 {
			return math.Inf(-1)
		}
		return num.Log(left) - num.Log(x)
	}
}

func (m MultiStageUniformLog) CDF(x float64) float64 {
	if _, high := m.ends(); x >= high {
		return 1
	}
	sum := 0.0
	for _, s := range m.Parts() {
		sum += s.Weight * s.UniformLog.CDF(x)
	}
	return clamp(sum)
}

func (m MultiStageUniformLog) Survival(x float64) float64 {
	if low, _ := m.ends(); x <= low {
		return 1
	}
	sum := 0.0
	for _, s := range m.Parts() {
		sum += s.Weight * s.UniformLog.Survival(x)
	}
	return clamp(sum)
}

// borders returns the ends of all stages in ascending order, without
// repetition. Between two of them the distribution function is straight.
func (m *MultiStageUniformLog) borders() []float64 {
	t := make([]float64, 0, 2*MaxStages)
	for _, s := range m.Stages[:m.used()] {
		t = append(t, s.UniformLog.TMin, s.UniformLog.TMax)
	}
	slices.Sort(t)
	return slices.Compact(t)
}

// slope returns what the distribution function rises by between the
// neighbouring borders low and high, for each unit of ln t.
func (m *MultiStageUniformLog) slope(low, high float64) float64 {
	sum := 0.0
	for _, s := range m.Stages[:m.used()] {
		if s.UniformLog.TMin <= low && high <= s.UniformLog.TMax {
			sum += s.Weight * s.UniformLog.Slope()
		}
	}
	return sum
}

func (m MultiStageUniformLog) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	t := m.borders()
	before := 0.0
	for i := 1; i < len(t); i++ {
		f := m.CDF(t[i])
		if p <= f {
			return min(t[i-1]*num.Exp((p-before)/m.slope(t[i-1], t[i])), t[i])
		}
		before = f
	}
	return m.last(t)
}

// InverseSurvival returns the smallest t with Survival(t) <= s.
func (m MultiStageUniformLog) InverseSurvival(s float64) float64 {
	if !probability(s) {
		return math.NaN()
	}
	t := m.borders()
	for i := range t {
		after := m.Survival(t[i])
		if after > s {
			continue
		}
		if i == 0 {
			return t[0]
		}
		return max(t[i]*num.Exp(-(s-after)/m.slope(t[i-1], t[i])), t[i-1])
	}
	return m.last(t)
}

// last returns the upper end; NaN for a law without stages.
func (m *MultiStageUniformLog) last(borders []float64) float64 {
	if len(borders) == 0 {
		return math.NaN()
	}
	return borders[len(borders)-1]
}

// Rand draws the stage with one number from rng, then from it.
func (m MultiStageUniformLog) Rand(rng *rand.Rand) float64 {
	u := rng.Float64()
	last := m.used() - 1
	for i := range last {
		if u -= m.Stages[i].Weight; u < 0 {
			return m.Stages[i].UniformLog.Rand(rng)
		}
	}
	return m.Stages[max(last, 0)].UniformLog.Rand(rng)
}

func (m MultiStageUniformLog) Mean() float64 {
	sum := 0.0
	for _, s := range m.Parts() {
		sum += s.Weight * s.UniformLog.Mean()
	}
	return sum
}

func (m MultiStageUniformLog) Variance() float64 {
	mean, sum := m.Mean(), 0.0
	for _, s := range m.Parts() {
		d := s.UniformLog.Mean() - mean
		sum += s.Weight * (s.UniformLog.Variance() + d*d)
	}
	return sum
}

// Validate returns nil or a *ParameterError.
func (m MultiStageUniformLog) Validate() error {
	n, sum := m.used(), 0.0
	for i, s := range m.Stages {
		if i >= n {
			if s != (WeightedUniformLog{}) {
				return m.weightError(n)
			}
			continue
		}
		if !probability(s.Weight) {
			return m.weightError(i)
		}
		if err := m.stageError(i); err != nil {
			return err
		}
		sum += s.Weight
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return &ParameterError{"multi-stage-uniform-log", "the sum of weight_1, weight_2, ...", sum, "1"}
	}
	return nil
}

// stageError names a stage's bounds by its number from 1.
func (m *MultiStageUniformLog) stageError(i int) error {
	u := m.Stages[i].UniformLog
	switch {
	case !positive(u.TMin):
		return &ParameterError{"multi-stage-uniform-log", fmt.Sprintf("t_min_%d_s", i+1), u.TMin, wantPositive}
	case !finite(u.TMax) || u.TMax <= u.TMin:
		return &ParameterError{"multi-stage-uniform-log", fmt.Sprintf("t_max_%d_s", i+1), u.TMax, fmt.Sprintf("a finite number above t_min_%d_s", i+1)}
	}
	return nil
}

func (m *MultiStageUniformLog) weightError(i int) error {
	return &ParameterError{"multi-stage-uniform-log", fmt.Sprintf("weight_%d", i+1), m.Stages[i].Weight, "a number above 0 and at most 1"}
}

// stageNames are the names of the parameters of n stages in JSON.
func stageNames(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("weight_%d", i+1), fmt.Sprintf("t_min_%d_s", i+1), fmt.Sprintf("t_max_%d_s", i+1))
	}
	return names
}

// newMultiStageLaw makes the law of its parameters, in the order of stageNames.
func newMultiStageLaw(p []float64) (Law, error) {
	var stages []WeightedUniformLog
	for ; len(p) >= 3; p = p[3:] {
		stages = append(stages, WeightedUniformLog{Weight: p[0], UniformLog: UniformLog{p[1], p[2]}})
	}
	return NewMultiStageUniformLog(stages...)
}
