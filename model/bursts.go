package model

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// Bursts makes the arrivals of a class come in bursts of a given strength:
// its law of interarrival times is replaced by a stationary process with the
// law's mean, which the weights of the day and the week shape as they shape
// the law. So the mean rate and the cycles stay. It is the project's own
// extension, and zero where there is none.
type Bursts struct {
	Kind BurstKind
	// Index is the index of dispersion of counts of the process before the
	// cycles shape it, over long times: the variance of the number of
	// arrivals in a long time over its mean. 1 is a Poisson process's.
	Index float64
	// Switching is the mean time that a Markov-modulated process stays in
	// each of its two states, in units of the mean interarrival time, so that
	// a change of the rate leaves the index as it is.
	Switching float64
}

// BurstKind is a process with a given index of dispersion.
type BurstKind string

const (
	// GammaRenewal has independent interarrival times of a Gamma law whose
	// squared coefficient of variation is the index.
	GammaRenewal BurstKind = "gamma-renewal"
	// MMPP is a Poisson process with two rates, as far above the mean as
	// below it, between which it switches with equal rates. Fischer and
	// Meier-Hellstern (1993), "The Markov-modulated Poisson process (MMPP)
	// cookbook": with the rates m(1+d) and m(1-d) and the mean stay s in each
	// the index is 1 + d^2 m s.
	MMPP BurstKind = "mmpp"
)

// Known says whether there are bursts.
func (b Bursts) Known() bool { return b != Bursts{} }

// Swing is d of an MMPP: how far its rates are from the mean, as a share of it.
func (b Bursts) Swing() float64 { return math.Sqrt((b.Index - 1) / b.Switching) }

func (b Bursts) validate(path string) error {
	switch b.Kind {
	case GammaRenewal:
		if b.Switching != 0 {
			return &FieldError{Path: path + ".switching", Saw: number(b.Switching), Want: fmt.Sprintf("none with kind %q", GammaRenewal)}
		}
		return within(path+".index", b.Index, 0.01, MaxIndex)
	case MMPP:
		if err := within(path+".index", b.Index, 1, MaxIndex); err != nil {
			return err
		}
		if !(b.Switching >= b.Index-1 && b.Switching > 0 && b.Switching <= 1e9) {
			return &FieldError{Path: path + ".switching", Saw: number(b.Switching),
				Want: fmt.Sprintf("a number above 0 and at least %g, the index less 1, or no rate above 0 is left for the quiet state", b.Index-1)}
		}
		return nil
	}
	return &FieldError{Path: path + ".kind", Saw: shorten(string(b.Kind)), Want: fmt.Sprintf("%q or %q", GammaRenewal, MMPP)}
}

// MaxIndex is the largest index of dispersion of a model.
const MaxIndex = 1e4

// Bags makes every arrival of a class a bag of tasks: one or more jobs
// submitted at one moment. Interarrival times are longer by the mean number
// of tasks, so that the mean rate of jobs stays. It is the project's own
// extension, for grids, and zero where there is none.
type Bags struct {
	// Size is rounded up to a whole number of tasks, of 1 to Max; what is
	// larger counts as Max.
	Size dist.Law
	Max  int64 // at least 1, at most MaxBag
}

// MaxBag is the largest bag of a model.
const MaxBag = 1_000_000

// Known says whether there are bags.
func (b Bags) Known() bool { return b.Size != nil }

// Tasks is the number of tasks that a draw of Size stands for.
func (b Bags) Tasks(x float64) int64 { return int64(max(1, min(math.Ceil(x), float64(b.Max)))) }

// Mean is the mean number of tasks, 1 where there are no bags.
func (b Bags) Mean() float64 {
	if !b.Known() {
		return 1
	}
	var sum num.Sum
	sum.Add(1)
	for k := int64(1); k < b.Max; k++ {
		s := b.Size.Survival(float64(k))
		if s == 0 {
			break
		}
		sum.Add(s)
	}
	return sum.Value()
}

func (b Bags) validate(path string) error {
	if !b.Known() {
		if b.Max != 0 {
			return &FieldError{Path: path + ".size", Saw: "missing", Want: "a law"}
		}
		return nil
	}
	if b.Max < 1 || b.Max > MaxBag {
		return &FieldError{Path: path + ".max", Saw: fmt.Sprint(b.Max), Want: fmt.Sprintf("a whole number from 1 to %d", MaxBag)}
	}
	return positiveLaw(path, "size", "", b.Size, 0)
}
