package model

import (
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// PForm is how the share p of the first Gamma depends on the size s. A share
// that does not depend on it is Linear with slope 0.
type PForm string

const (
	// Linear is p = a s + b, cut to [0, 1]: the form that the paper chose.
	Linear PForm = ""
	// LogOdds is ln(p/(1-p)) = a s + b: the form that the paper tried and left.
	LogOdds PForm = "log-odds"
)

// P returns the share of the first Gamma at a size: PSlope size + PIntercept,
// cut to [0, 1], or with these log-odds. Lublin and Feitelson (2003), section
// 3.2.3.
func (r RunTimes) P(size int64) float64 {
	// The conversion keeps a processor with fused multiply-add from giving
	// other jobs than one without.
	p := float64(r.PSlope*float64(size)) + r.PIntercept
	if r.PForm == LogOdds {
		return 1 / (1 + math.Exp(-p))
	}
	return min(1, max(0, p))
}

// At returns the law of the run time in seconds at a size, truncated at MaxLn.
// Generated run times are this law's, rounded down to whole seconds.
func (r RunTimes) At(size int64) dist.Ln { return r.at(r.P(size)) }

func (r RunTimes) at(p float64) dist.Ln {
	law := r.Law
	law.P = p
	return dist.Ln{Inner: law, MaxLn: r.MaxLn}
}

// truncated are the mass and the moment E[t; ln t <= MaxLn] of the two Gammas,
// from which the mean at any p follows without another integral.
type truncated struct {
	mass, moment [2]float64
}

func (r RunTimes) truncated() (t truncated) {
	for i, g := range []dist.Gamma{r.Law.First, r.Law.Second} {
		t.mass[i] = g.CDF(r.MaxLn)
		if t.mass[i] > 0 {
			t.moment[i] = t.mass[i] * dist.Ln{Inner: g, MaxLn: r.MaxLn}.Mean()
		}
	}
	return t
}

func (t truncated) mean(p float64) float64 {
	return (p*t.moment[0] + (1-p)*t.moment[1]) / (p*t.mass[0] + (1-p)*t.mass[1])
}
