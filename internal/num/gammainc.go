package num

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// GammaP returns the regularised lower incomplete Gamma function P(a, x), the
// probability that a variable with a Gamma law of shape a and scale 1 is at most
// x. It is NaN unless a > 0 is finite and x >= 0.
//
// The relative error stays below 1e-12 in both tails, down to where the value
// underflows, for shapes up to 1e5 at least.
func GammaP(a, x float64) float64 {
	if v, ok := gammaEnds(a, x); ok {
		return v
	}
	switch {
	case gammaCentral(a, x):
		return mathext.GammaIncReg(a, x)
	case gammaLower(a, x):
		return gammaPSeries(a, x)
	}
	return 1 - gammaQFraction(a, x)
}

// GammaQ returns the regularised upper incomplete Gamma function
// Q(a, x) = 1 - P(a, x), with its own relative accuracy.
func GammaQ(a, x float64) float64 {
	if v, ok := gammaEnds(a, x); ok {
		return 1 - v
	}
	switch {
	case gammaCentral(a, x):
		return mathext.GammaIncRegComp(a, x)
	case !gammaLower(a, x):
		return gammaQFraction(a, x)
	case a < 1:
		return gammaQSmall(a, x)
	}
	return 1 - gammaPSeries(a, x)
}

// gammaCentral reports whether (a, x) is in the region where Temme's uniform
// expansion, as implemented by gonum, is both fastest and accurate to 1e-13:
// large shapes within three standard deviations of the mean. Further out gonum's
// error reaches 1.6e-12.
func gammaCentral(a, x float64) bool {
	d := x - a
	return a > 200 && d*d < 9*a
}

// gammaLower reports whether P(a, x) is summed as a series; elsewhere Q(a, x)
// is computed by a continued fraction. At the border Q is about 0.1, so that
// computing either from the other loses at most a digit. For shapes below one
// it would lose more, and gammaQSmall is used.
func gammaLower(a, x float64) bool {
	if a < 1 {
		return x < 1.5
	}
	return x < a || (x-a)*(x-a) < a
}

// gammaEnds handles the ends of the domain: it returns P(a, x) and true there.
func gammaEnds(a, x float64) (float64, bool) {
	switch {
	case !(a > 0) || !(x >= 0) || math.IsInf(a, 1):
		return math.NaN(), true
	case x == 0:
		return 0, true
	case math.IsInf(x, 1):
		return 1, true
	}
	return 0, false
}

// GammaKernel returns x^a exp(-x) / Γ(a+1) for a, x > 0: the Poisson
// probability of a events, in Loader's form, where no large logarithms
// cancel.
func GammaKernel(a, x float64) float64 {
	return math.Exp(LogGammaKernel(a, x))
}

// LogGammaKernel returns the logarithm of GammaKernel.
func LogGammaKernel(a, x float64) float64 {
	if a < 10 {
		lg, _ := math.Lgamma(a + 1)
		return a*math.Log(x) - x - lg
	}
	m := (x - a) / a
	var d float64
	if m > -0.9 {
		d = Log1pmx(m)
	} else {
		d = math.Log(x/a) - m
	}
	return a*d - 0.5*math.Log(a) - halfLn2Pi - StirlingError(a)
}

// gammaPSeries sums P = kernel (1 + x/(a+1) + x²/((a+1)(a+2)) + ...), all
// terms positive. Abramowitz and Stegun 6.5.29.
func gammaPSeries(a, x float64) float64 {
	sum, term := 1.0, 1.0
	for n := a + 1; ; n++ {
		term *= x / n
		sum += term
		if term < 1e-17*sum {
			return GammaKernel(a, x) * sum
		}
	}
}

// gammaQFraction evaluates Legendre's continued fraction by the modified
// Lentz method. Abramowitz and Stegun 6.5.31.
func gammaQFraction(a, x float64) float64 {
	const tiny = 1e-300
	kernel := GammaKernel(a, x)
	if kernel == 0 {
		return 0 // far out, where the fraction would need many terms
	}
	b := x + 1 - a
	c := 1 / tiny
	d := 1 / b
	h := d
	for i := 1.0; i < 1e6; i++ {
		an := -i * (i - a)
		b += 2
		d = an*d + b
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + an/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		step := d * c
		h *= step
		if math.Abs(step-1) < 0x1p-53 {
			break
		}
	}
	return a * kernel * h
}

// gammaQSmall returns Q(a, x) for a < 1 and x < 1.5, where the kernel's
// normalisation nearly cancels: Q = 1 - x^a/Γ(a+1) (1 + r), with both parts
// computed as differences from one.
func gammaQSmall(a, x float64) float64 {
	// r = -a sum_{n>=1} (-x)^n / (n! (a+n)), negated.
	sum, term := 0.0, 1.0
	for n := 1.0; n < 200; n++ {
		term *= -x / n
		t := term / (a + n)
		sum += t
		if math.Abs(t) < 1e-17*math.Abs(sum) {
			break
		}
	}
	u := a*math.Log(x) - lnGamma1p(a)
	return -math.Expm1(u) - a*math.Exp(u)*sum
}

// lnGamma1p returns ln Γ(1+a) for 0 <= a < 1, with full relative accuracy near
// a = 0.
func lnGamma1p(a float64) float64 {
	if a > 0.25 {
		lg, _ := math.Lgamma(1 + a)
		return lg
	}
	// ln Γ(1+a) = -ln(1+a) + a(1-γ) + sum_{n>=2} (-1)^n (ζ(n)-1) a^n / n.
	// Abramowitz and Stegun 6.1.33.
	const eulerGamma = 0.57721566490153286060651209008240243104215933593992
	sum, power := 0.0, a*a
	for i, z := range zetaMinus1 {
		n := float64(i + 2)
		sum += z * power / n
		power *= -a
	}
	return -math.Log1p(a) + a*(1-eulerGamma) + sum
}

// zetaMinus1 holds ζ(n) - 1 for n = 2, 3, ... (mpmath 1.2.1).
var zetaMinus1 = [...]float64{
	0.64493406684822641, 0.20205690315959424, 0.082323233711138144, 0.036927755143369989,
	0.017343061984449237, 0.008349277381922926, 0.0040773561979443596, 0.0020083928260822171,
	0.00099457512781797597, 0.00049418860411942767, 0.00024608655330804474, 0.00012271334757851804,
	0.000061248135058811215, 0.00003058823630697205, 0.000015282259408611054, 0.0000076371976378553086,
	0.0000038172932650404334, 0.0000019082127165059859, 0.00000095396203381170608, 0.00000047693298688145092,
}
