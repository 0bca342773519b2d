package dist

import (
	"fmt"
	"math"
)

// Check returns an error if a law breaks the contracts of Law and Named. It is meant for
// tests of custom laws. At 19 quantiles, from 0.05 to 0.95, it checks that the law is valid
// and has a name and parameters, that quantiles ascend, that CDF and Survival agree with
// them and with each other to 1e-6, and that the density is above 0.
func Check(l Law) error {
	if err := Validate(l); err != nil {
		return err
	}
	if FamilyOf(l) == "" || len(Parameters(l)) == 0 {
		return fmt.Errorf("dist: %T has no Family or no Parameters", l)
	}
	const close = 1e-6
	before := math.Inf(-1)
	for i := 1; i < 20; i++ {
		p := float64(i) / 20
		x := l.Quantile(p)
		cdf, survival, density := l.CDF(x), l.Survival(x), l.LogPDF(x)
		switch {
		case !(x >= before) || math.IsInf(x, 0):
			return fmt.Errorf("%s: Quantile(%g) is %.6g and that of a smaller share %.6g, want quantiles that ascend", FamilyOf(l), p, x, before)
		case !(math.Abs(cdf-p) <= close):
			return fmt.Errorf("%s: CDF(%.6g) is %.6g, want %g, of which it is the Quantile", FamilyOf(l), x, cdf, p)
		case !(math.Abs(cdf+survival-1) <= close):
			return fmt.Errorf("%s: CDF(%.6g) is %.6g and Survival %.6g, want a sum of 1", FamilyOf(l), x, cdf, survival)
		case math.IsNaN(density) || math.IsInf(density, -1):
			return fmt.Errorf("%s: LogPDF(%.6g) is %g, want the logarithm of a density", FamilyOf(l), x, density)
		}
		before = x
	}
	return nil
}
