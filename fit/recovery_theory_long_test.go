//go:build long

package fit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// secondOrder is what maximum likelihood's estimate of one number does in a
// sample of n values, to the second order in 1/sqrt(n).
type secondOrder struct {
	bias float64 // of the estimate: Cox and Snell (1968), "A general definition of residuals", eq. 20; of order 1/n
	sd   float64 // by the information; of order 1/sqrt(n)
	// z0 and acceleration are those of Efron (1987), "Better bootstrap
	// confidence intervals", of order 1/sqrt(n): the median bias, and a sixth
	// of the score's skewness along the least favourable direction. They are
	// what makes a percentile interval miss its level.
	z0, acceleration float64
}

// maximumLikelihood returns the second-order behaviour of the maximum
// likelihood estimates of numbers that are linear in law's arguments, from n
// values of law(at): those of of or, where it is nil, the parameters that law
// publishes.
//
// With U the derivatives of the log-density l, I the information, K the means
// of its third derivatives, J[ij,k] those of l_ij l_k, S[ijk] those of l_i l_j
// l_k, and v = I⁻¹g for the number g'θ:
//
//	bias = Σ v_i (I⁻¹)_jk (K_ijk/2 + J_ij,k) / n
//	third cumulant = Σ v_i v_j v_k (S_ijk + 6 J_ij,k + 3 K_ijk) / n²
//	z0 = skewness/6 - bias/sd
//	acceleration = Σ v_i v_j v_k S_ijk / (6 sqrt(n) (v'Iv)^(3/2))
//
// Derivatives are central differences in coordinates in which I is the unit
// matrix, in steps of 0.004 and 0.002, from which their quadratic error is taken
// off (Richardson's extrapolation: for a shape of 900 it is half of what is
// sought). Means are sums over ln x.
func maximumLikelihood(t testing.TB, law func([]float64) dist.Law, of func([]float64) []float64, at []float64, n int) []secondOrder {
	t.Helper()
	out, fine := secondOrderBy(t, 0.004, law, of, at, n), secondOrderBy(t, 0.002, law, of, at, n)
	better := func(coarse, fine float64) float64 { return fine + (fine-coarse)/3 }
	for i, f := range fine {
		o := out[i]
		out[i] = secondOrder{better(o.bias, f.bias), better(o.sd, f.sd), better(o.z0, f.z0), better(o.acceleration, f.acceleration)}
	}
	return out
}

// secondOrderBy is maximumLikelihood by differences of one step.
func secondOrderBy(t testing.TB, by float64, law func([]float64) dist.Law, of func([]float64) []float64, at []float64, n int) []secondOrder {
	t.Helper()
	if of == nil {
		of = func(p []float64) (values []float64) {
			for _, p := range dist.Parameters(law(p)) {
				values = append(values, p.Value)
			}
			return values
		}
	}
	k := len(at)
	x, weight := nodes(law(at))
	// Coordinates: at + basis·y, a step in each.
	basis, step := mat.NewDense(k, k, nil), 1e-4
	point := func(by []float64) []float64 {
		p := append([]float64(nil), at...)
		for i := range p {
			for j, b := range by {
				p[i] += basis.At(i, j) * b * step
			}
		}
		return p
	}
	shifted := func(by []float64) []float64 {
		d := dist.LogDensity(law(point(by)))
		l := make([]float64, len(x))
		for m, v := range x {
			l[m] = d(v)
		}
		return l
	}
	// derivative is the central difference in the given directions.
	derivative := func(directions ...int) []float64 {
		sum := make([]float64, len(x))
		scale := math.Pow(2*step, float64(len(directions)))
		for signs := range 1 << len(directions) {
			by, sign := make([]float64, k), 1.0
			for b, i := range directions {
				if signs>>b&1 == 0 {
					by[i]++
				} else {
					by[i]--
					sign = -sign
				}
			}
			for m, l := range shifted(by) {
				sum[m] += sign * l / scale
			}
		}
		return sum
	}
	mean := func(factors ...[]float64) float64 {
		var s num.Sum
		for m, w := range weight {
			for _, f := range factors {
				w *= f[m]
			}
			s.Add(w)
		}
		return s.Value()
	}
	// The information is made the unit matrix: a shape and its scale are all
	// but one number, of which differences of their own would see nothing.
	for i := range at {
		basis.Set(i, i, max(math.Abs(at[i]), 1e-3))
	}
	for range 3 {
		information := mat.NewSymDense(k, nil)
		for i := range at {
			for j := 0; j <= i; j++ {
				information.SetSym(i, j, mean(derivative(i), derivative(j)))
			}
		}
		var root mat.Cholesky
		if !root.Factorize(information) {
			t.Fatal("the information is not positive definite")
		}
		var upper, turned mat.Dense
		u := root.RawU()
		if err := upper.Inverse(u); err != nil {
			t.Fatal(err)
		}
		turned.Mul(basis, &upper)
		basis.Copy(&turned)
		step = by
	}
	first, second := make([][]float64, k), make([][][]float64, k)
	information := mat.NewDense(k, k, nil)
	for i := range at {
		first[i] = derivative(i)
		second[i] = make([][]float64, k)
		for j := 0; j <= i; j++ {
			second[i][j] = derivative(i, j)
			second[j][i] = second[i][j]
			information.Set(i, j, mean(first[i], first[j]))
			information.Set(j, i, information.At(i, j))
		}
	}
	var inverse mat.Dense
	if err := inverse.Inverse(information); err != nil {
		t.Fatal(err)
	}
	third := map[[3]int]float64{}
	for a := range k {
		for b := 0; b <= a; b++ {
			for c := 0; c <= b; c++ {
				m := mean(derivative(a, b, c))
				for _, key := range [][3]int{{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}} {
					third[key] = m
				}
			}
		}
	}
	score := make([]float64, k) // of the bias: Σ (I⁻¹)_jk (K_ijk/2 + J_ij,k)
	type cube struct{ third, mixed, cubed float64 }
	tensor := make([]cube, 0, k*k*k)
	for i := range k {
		for j := range k {
			for l := range k {
				c := cube{third[[3]int{i, j, l}], mean(second[i][j], first[l]), mean(first[i], first[j], first[l])}
				tensor = append(tensor, c)
				score[i] += inverse.At(j, l) * (c.third/2 + c.mixed)
			}
		}
	}
	size := float64(n)
	var out []secondOrder
	for _, g := range gradients(func(y []float64) []float64 { return of(point(y)) }, k, step) {
		v := make([]float64, k)
		var o secondOrder
		variance := 0.0
		for i := range k {
			for j := range k {
				v[i] += inverse.At(i, j) * g[j]
			}
			variance += v[i] * g[i]
			o.bias += v[i] * score[i] / size
		}
		o.sd = math.Sqrt(variance / size)
		var cumulant, skew float64
		for m, c := range tensor {
			vvv := v[m/k/k] * v[m/k%k] * v[m%k]
			cumulant += vvv * (c.cubed + 6*c.mixed + 3*c.third) / (size * size)
			skew += vvv * c.cubed
		}
		o.z0 = cumulant/(6*o.sd*o.sd*o.sd) - o.bias/o.sd
		o.acceleration = skew / (6 * math.Sqrt(size) * math.Pow(variance, 1.5))
		out = append(out, o)
	}
	return out
}

// gradients are those of numbers that are linear in their k arguments, which
// are counted in steps.
func gradients(of func([]float64) []float64, k int, step float64) [][]float64 {
	out := make([][]float64, len(of(make([]float64, k))))
	for i := range k {
		y := make([]float64, k)
		y[i] = 1
		up := append([]float64(nil), of(y)...)
		y[i] = -1
		for r, down := range of(y) {
			out[r] = append(out[r], (up[r]-down)/(2*step))
		}
	}
	return out
}

// nodes are values of a law above 0 and weights for means over it: the
// midpoint rule in ln x. It sees the gaps between the components of a mixture,
// over which its quantiles leap, and narrow components beside wide ones.
func nodes(law dist.Law) (x, weight []float64) {
	const count, beyond = 8192, 1e-16
	low, high := math.Log(law.Quantile(beyond)), math.Log(dist.InverseSurvival(law, beyond))
	step := (high - low) / count
	for i := range count {
		v := math.Exp(low + (float64(i)+0.5)*step)
		x, weight = append(x, v), append(weight, math.Exp(law.LogPDF(v))*v*step)
	}
	return x, weight
}

// coverage is the probability that a percentile interval from so many
// replicates holds the truth, in Efron's (1987) model, where z0 and the
// acceleration say all: with an end at the order statistic r of B replicates,
// whose level U is a Beta variable of r and B+1-r, it is the mean of
// Φ(w/(1+aw) - z0), w = Φ⁻¹(U) - z0. With z0 = a = 0 it is the interval's
// level, whatever B.
func (o secondOrder) coverage(level float64, replicates int) float64 {
	upTo := func(share float64) float64 {
		r := math.Round(share * float64(replicates+1))
		return betaMean(r, float64(replicates)+1-r, func(z float64) float64 {
			w := z - o.z0
			return normal.CDF(w/(1+o.acceleration*w) - o.z0)
		})
	}
	return upTo((1+level)/2) - upTo((1-level)/2)
}

var normal = dist.Normal{Mu: 0, Sigma: 1}

// betaMean is the mean of f(Φ⁻¹(U)) for a Beta variable U of a and b.
func betaMean(a, b float64, f func(z float64) float64) float64 {
	lgA, _ := math.Lgamma(a)
	lgB, _ := math.Lgamma(b)
	lgAB, _ := math.Lgamma(a + b)
	sum, total := 0.0, 0.0
	for z := -8.0; z <= 8; z += 0.01 {
		p := math.Exp(lgAB - lgA - lgB + (a-1)*math.Log(normal.CDF(z)) + (b-1)*math.Log(normal.Survival(z)) + normal.LogPDF(z))
		total += p
		sum += p * f(z)
	}
	return sum / total
}

// TestSecondOrderByHand holds the numbers to closed forms. Exponential: no
// bias, and z0 = a = 1/(3 sqrt(n)) (Efron 1987, section 3, of a Gamma scale).
// Log-normal: sigma's bias is -3 sigma/(4n), mu's 0, and n sigma² over
// the true one is a chi-square of n-1 degrees, whose median n-1-2/3 is 5/3 below
// n, so that sigma's z0 is 5/3/sqrt(2n). Gamma: the shape's bias of Cordeiro and McCullagh (1991), "Bias correction
// in generalized linear models", from Cox and Snell's formula,
// (a(ψ' - aψ”) - 2)/(2n(aψ'-1)²). Weibull: 1.3795 shape/n.
func TestSecondOrderByHand(t *testing.T) {
	const n = 100
	root := math.Sqrt(n)
	e := maximumLikelihood(t, func(p []float64) dist.Law { return dist.Exponential{Mean: p[0]} }, nil, []float64{5000}, n)[0]
	near(t, "exponential bias", e.bias, 0, 1e-3*e.sd/root)
	near(t, "exponential sd", e.sd, 500, 0.01)
	near(t, "exponential z0", e.z0, 1/(3*root), 1e-5)
	near(t, "exponential acceleration", e.acceleration, 1/(3*root), 1e-5)
	l := maximumLikelihood(t, logNormalAt, nil, []float64{6, 2}, n)
	near(t, "mu's bias", l[0].bias, 0, 1e-5)
	near(t, "mu's z0", l[0].z0, 0, 1e-5)
	near(t, "sigma's bias", l[1].bias, -1.5/n, 1e-5)
	near(t, "sigma's sd", l[1].sd, 2/math.Sqrt(2*n), 1e-4)
	near(t, "sigma's z0", l[1].z0, (5.0/3)/math.Sqrt(2*n), 1e-3)
	for _, a := range []float64{6.57, 900} {
		g := maximumLikelihood(t, gammaAt, nil, []float64{a, 0.823}, n)
		tetragamma := (num.Trigamma(a*1.0001) - num.Trigamma(a*0.9999)) / (a * 0.0002)
		d := a * num.TrigammaMinusInverse(a)
		relative(t, "the shape's bias", g[0].bias, (a*(num.Trigamma(a)-a*tetragamma)-2)/(2*n*d*d), 1e-3)
	}
	// A component apart from the other is a sample of its own, of a binomial
	// number of values, and has its own bias.
	apart := maximumLikelihood(t, hyperGamma, nil, []float64{20, 0.1, 900, 0.012, 0.6}, n)
	alone := maximumLikelihood(t, gammaAt, nil, []float64{900, 0.012}, 0.4*n)
	for i := range alone {
		relative(t, "bias of a component apart", apart[2+i].bias, alone[i].bias, 1e-3)
		relative(t, "sd of a component apart", apart[2+i].sd, alone[i].sd, 1e-3)
		relative(t, "z0 of a component apart", apart[2+i].z0, alone[i].z0, 1e-3)
	}
	w := maximumLikelihood(t, weibullAt, nil, []float64{0.45, 3000}, n)
	relative(t, "the Weibull shape's bias", w[0].bias, 1.3795*0.45/n, 1e-3)
	near(t, "coverage without skewness", secondOrder{}.coverage(0.9, 39), 0.9, 1e-6)
}

func logNormalAt(p []float64) dist.Law { return dist.LogNormal{Mu: p[0], Sigma: p[1]} }
func weibullAt(p []float64) dist.Law   { return dist.Weibull{Shape: p[0], Scale: p[1]} }
