package dist

import (
	"math"
	"slices"
)

// MaxStages is the largest number of stages of a MultiStageUniformLog.
const MaxStages = MaxComponents

// WeightedUniformLog is a stage of a MultiStageUniformLog.
type WeightedUniformLog = Weighted[UniformLog]

// MultiStageUniformLog is a mixture of uniform-log laws, its stages. If each stage begins at the
// end of the previous one, its distribution function is piecewise linear in ln t; stages may also
// overlap or leave gaps. Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 5.4.
//
// A border belongs to the stage below it: the density there is the limit from the left. Quantiles
// are exact.
type MultiStageUniformLog struct{ Mixture[UniformLog] }

// NewMultiStageUniformLog returns the mixture of stages, with the errors of NewMixture.
func NewMultiStageUniformLog(stages ...WeightedUniformLog) (MultiStageUniformLog, error) {
	m, err := NewMixture(stages...)
	return MultiStageUniformLog{m}, err
}

func (UniformLog) mixed() mixed {
	return mixed{family: "multi-stage-uniform-log", weight: "weight", weightFirst: true}
}

// ends returns the ends of the support.
func (m *MultiStageUniformLog) ends() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range m.parts() {
		low, high = min(low, s.Law.TMin), max(high, s.Law.TMax)
	}
	return low, high
}

// LogPDF returns ln of the density at x, -Inf outside the support (see Law).
func (m MultiStageUniformLog) LogPDF(x float64) float64 { return m.logDensity()(x) }

func (m MultiStageUniformLog) logDensity() func(float64) float64 {
	stages := m.parts()
	var slopes [MaxStages]float64 // of the stages' weighted distribution functions in ln t
	for i, s := range stages {
		slopes[i] = s.Weight * s.Law.Slope()
	}
	return func(x float64) float64 {
		if math.IsNaN(x) {
			return x
		}
		left, right := 0.0, 0.0
		for i := range stages {
			switch u := &stages[i].Law; {
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
		return math.Log(left) - math.Log(x)
	}
}

// CDF returns Pr{X <= x}.
func (m MultiStageUniformLog) CDF(x float64) float64 {
	if _, high := m.ends(); x >= high {
		return 1
	}
	return m.parts().cdf(x)
}

// Survival returns Pr{X > x}, with relative accuracy in the tail.
func (m MultiStageUniformLog) Survival(x float64) float64 {
	if low, _ := m.ends(); x <= low {
		return 1
	}
	return m.parts().survival(x)
}

// borders returns the ends of all stages in ascending order, without repetition. Between two
// neighbours the distribution function is linear in ln t.
func (m *MultiStageUniformLog) borders() []float64 {
	t := make([]float64, 0, 2*MaxStages)
	for _, s := range m.parts() {
		t = append(t, s.Law.TMin, s.Law.TMax)
	}
	slices.Sort(t)
	return slices.Compact(t)
}

// slope returns the slope of the distribution function, as a function of ln t, between the
// neighbouring borders low and high.
func (m *MultiStageUniformLog) slope(low, high float64) float64 {
	sum := 0.0
	for _, s := range m.parts() {
		if s.Law.TMin <= low && high <= s.Law.TMax {
			sum += s.Weight * s.Law.Slope()
		}
	}
	return sum
}

// Quantile returns the smallest x with CDF(x) >= p; NaN if p is not in [0, 1].
func (m MultiStageUniformLog) Quantile(p float64) float64 {
	if !probability(p) {
		return math.NaN()
	}
	t := m.borders()
	before := 0.0
	for i := 1; i < len(t); i++ {
		f := m.CDF(t[i])
		if p <= f {
			return min(t[i-1]*math.Exp((p-before)/m.slope(t[i-1], t[i])), t[i])
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
		return max(t[i]*math.Exp(-(s-after)/m.slope(t[i-1], t[i])), t[i-1])
	}
	return m.last(t)
}

// last returns the last of borders, the upper end of the support; NaN for a law without stages.
func (m *MultiStageUniformLog) last(borders []float64) float64 {
	if len(borders) == 0 {
		return math.NaN()
	}
	return borders[len(borders)-1]
}

// The methods below are for a job that has run for age seconds. age may be below the support,
// where F(age) is 0; the true age still counts. For a job as old as the largest TMax of the
// stages there is no conditional law: all methods return 0, "ends at once", as for UniformLog,
// and the caller has a rule of its own.

// Outlived reports whether age is at or above the end of every stage.
func (m MultiStageUniformLog) Outlived(age float64) bool {
	_, high := m.ends()
	return age >= high
}

// given returns, for each of the n stages, the probability that a job of the given age belongs to
// it, by Bayes' theorem: Pr{stage i | L > age} = w_i S_i(age) / sum_j w_j S_j(age). All are 0 if
// Outlived(age). Downey (1997), section 5.4.
func (m *MultiStageUniformLog) given(age float64) (p [MaxStages]float64, n int) {
	n = len(m.parts())
	sum := 0.0
	for i, s := range m.parts() {
		p[i] = s.Weight * s.Law.Survival(age)
		sum += p[i]
	}
	if sum == 0 {
		return p, n
	}
	for i := range n {
		p[i] /= sum
	}
	return p, n
}

// SurvivalGiven returns Pr{L > age+t | L > age} for age, t >= 0, the sum over the stages of
// Pr{stage | L > age} Pr{L > age+t | L > age, stage}. It is 0 if Outlived(age).
func (m MultiStageUniformLog) SurvivalGiven(age, t float64) float64 {
	p, n := m.given(age)
	sum := 0.0
	for i := range n {
		if p[i] > 0 {
			sum += p[i] * m.Components[i].Law.SurvivalGiven(age, t)
		}
	}
	return clamp(sum)
}

// MedianRemaining returns the median of L - age given L > age. If a gap between stages makes that
// an interval, it returns the lower end. It is 0 if Outlived(age).
func (m MultiStageUniformLog) MedianRemaining(age float64) float64 {
	if m.Outlived(age) {
		return 0
	}
	return max(0, m.InverseSurvival(m.Survival(age)/2)-age)
}

// MeanRemaining returns the mean of L - age given L > age. It is 0 if Outlived(age).
func (m MultiStageUniformLog) MeanRemaining(age float64) float64 {
	p, n := m.given(age)
	sum := 0.0
	for i := range n {
		if p[i] > 0 {
			sum += p[i] * m.Components[i].Law.MeanRemaining(age)
		}
	}
	return sum
}
