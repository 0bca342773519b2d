package model

import (
	"fmt"
	"math"
)

// Bursts makes the arrivals of a class come in bursts of a given strength:
// its law of interarrival times is replaced by a stationary process with the
// law's mean, which the weights of the day and the week shape as they shape
// the law. So the mean rate and the cycles stay. It is the project's own
// extension.
//
// The strength is the index of dispersion of counts, before the cycles shape
// the process: the variance of the number of arrivals in a long time divided by
// its mean. It is 1 for a Poisson process.
type Bursts interface{ variant[Bursts] }

// bursts are the known forms, zero.
func bursts() []Bursts { return []Bursts{GammaRenewal{}, MMPP{}} }

// MaxIndex is the largest index of dispersion of a model.
const MaxIndex = 1e4

// GammaRenewal has independent interarrival times of a Gamma law whose
// squared coefficient of variation is the index.
type GammaRenewal struct {
	Index float64 // of dispersion, 0.01 to MaxIndex
}

func (GammaRenewal) kind() string { return "gamma-renewal" }

func (b GammaRenewal) visit(f *form) Bursts {
	f.number("index", &b.Index, 0.01, MaxIndex)
	return b
}

// MMPP is a Poisson process that switches at random between two rates, equally
// far above and below the mean, and stays equally long in both on average.
// Fischer and Meier-Hellstern (1993), "The Markov-modulated Poisson process
// (MMPP) cookbook": with the rates m(1+d) and m(1-d) and the mean stay s in
// each the index is 1 + d^2 m s.
type MMPP struct {
	Index float64 // of dispersion, 1 to MaxIndex
	// Switching is the mean time that the process stays in each of its two
	// states, in units of the mean interarrival time, so that a change of the
	// rate leaves the index as it is. It is at least the index less 1.
	Switching float64
}

// Swing returns d: the distance of the rates from the mean, as a share of the
// mean.
func (b MMPP) Swing() float64 { return math.Sqrt((b.Index - 1) / b.Switching) }

func (MMPP) kind() string { return "mmpp" }

func (b MMPP) visit(f *form) Bursts {
	f.number("index", &b.Index, 1, MaxIndex)
	f.above("switching", &b.Switching)
	f.check(func() error {
		if b.Switching >= b.Index-1 && b.Switching > 0 && b.Switching <= 1e9 {
			return nil
		}
		return &FieldError{Path: f.at("switching"), Saw: number(b.Switching),
			Want: fmt.Sprintf("a number above 0 and at least %g, the index less 1, or no rate above 0 is left for the quiet state", b.Index-1)}
	})
	return b
}
