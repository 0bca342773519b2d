package dist

// The methods below are of a job that has run for age seconds, with the true
// age also below the support, where only F(age) is 0. A job as old as the
// longest stage's TMax has no conditional law: there all are 0, "ends at
// once", as for UniformLog, and the caller has a rule of its own.

// Outlived reports whether age has left the support of every stage.
func (m MultiStageUniformLog) Outlived(age float64) bool {
	_, high := m.ends()
	return age >= high
}

// given returns, for each of n stages, the probability that a job of that age
// belongs to it, by Bayes' theorem: Pr{stage i | L > age} = w_i S_i(age) /
// sum_j w_j S_j(age). All are 0 where Outlived(age). Downey (1997), section 5.4.
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

// SurvivalGiven returns Pr{L > age+t | L > age} for age, t >= 0, the sum over
// the stages of Pr{stage | L > age} Pr{L > age+t | L > age, stage}. It is 0
// where Outlived(age).
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

// MedianRemaining returns the median of L - age given L > age; where that is
// an interval (a gap between stages), its lower end. It is 0 where
// Outlived(age).
func (m MultiStageUniformLog) MedianRemaining(age float64) float64 {
	if m.Outlived(age) {
		return 0
	}
	return max(0, m.InverseSurvival(m.Survival(age)/2)-age)
}

// MeanRemaining returns the mean of L - age given L > age. It is 0 where
// Outlived(age).
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
