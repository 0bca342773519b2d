// Package laws shows how to add a probability law: implement dist.Named, declare the
// parameters by tags, make a dist.Family to read the law from files, and write a fit.Family
// to fit it.
package laws

import (
	"errors"
	"math"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
)

// LogLogistic is the log-logistic law: Pr{X > x} = 1 / (1 + (x/Scale)^Shape).
type LogLogistic struct {
	Scale float64 `law:"scale,>0"` // the median, above 0, in the unit of x
	Shape float64 `law:"shape,>0"` // above 0, dimensionless; the mean is finite above 1
}

var _ dist.Named = LogLogistic{}

// odds returns CDF(x)/Survival(x).
func (l LogLogistic) odds(x float64) float64 { return math.Pow(max(0, x)/l.Scale, l.Shape) }

// LogPDF implements dist.Law.
func (l LogLogistic) LogPDF(x float64) float64 {
	if x < 0 {
		return math.Inf(-1)
	}
	return math.Log(l.Shape/l.Scale) + (l.Shape-1)*math.Log(x/l.Scale) - 2*math.Log1p(l.odds(x))
}

// CDF implements dist.Law.
func (l LogLogistic) CDF(x float64) float64 { return 1 / (1 + 1/l.odds(x)) }

// Survival implements dist.Law.
func (l LogLogistic) Survival(x float64) float64 { return 1 / (1 + l.odds(x)) }

// Quantile implements dist.Law.
func (l LogLogistic) Quantile(p float64) float64 { return l.Scale * math.Pow(p/(1-p), 1/l.Shape) }

// Rand implements dist.Law.
func (l LogLogistic) Rand(rng *rand.Rand) float64 { return l.Quantile(rng.Float64()) }

// Mean returns the mean, +Inf for a Shape of 1 or less. dist.Mean calls it.
func (l LogLogistic) Mean() float64 {
	if l.Shape <= 1 {
		return math.Inf(1)
	}
	return l.Scale * (math.Pi / l.Shape) / math.Sin(math.Pi/l.Shape)
}

// Family implements dist.Named.
func (LogLogistic) Family() string { return "log-logistic" }

// Family reads a LogLogistic from a file.
var Family = dist.NewFamily(LogLogistic{})

// Fitted fits a LogLogistic by the moments of the logarithm, which is logistic: its mean
// is ln Scale, and its standard deviation Pi / sqrt(3) / Shape.
var Fitted = fit.Family{Name: "log-logistic", Transform: fit.None, Free: 2, Fit: byMoments}

func byMoments(values, counts []float64) (dist.Law, error) {
	var n, sum, squares float64
	for i, x := range values {
		n += counts[i]
		sum += counts[i] * math.Log(x)
	}
	for i, x := range values {
		squares += counts[i] * math.Pow(math.Log(x)-sum/n, 2)
	}
	if squares == 0 {
		return nil, errors.New("want two distinct values")
	}
	return LogLogistic{math.Exp(sum / n), math.Pi / math.Sqrt(3*squares/n)}, nil
}
