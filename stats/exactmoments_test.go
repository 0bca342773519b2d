package stats

import "testing"

// TestExactMoments compares with NumPy.
func TestExactMoments(t *testing.T) {
	for _, r := range readReference(t).Quantiles {
		var m ExactMoments
		for _, x := range r.Values {
			m.Add(x)
		}
		if !near(m.Mean(), r.Mean, 1e-15) || r.Variance != nil && !near(m.Variance(), *r.Variance, 1e-12) {
			t.Errorf("mean %.17g, variance %.17g, want %.17g", m.Mean(), m.Variance(), r.Mean)
		}
	}
}
