package model

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TwoStageSizes is Sizes by a two-stage uniform law of the logarithm of the size, rounded. Lublin
// and Feitelson (2003), section 3.1.
type TwoStageSizes struct {
	SerialShare     float64              `opt:"serial_share" in:"[0,1]" required:"true"`       // share of all jobs with one processor
	PowerOfTwoShare float64              `opt:"power_of_two_share" in:"[0,1]" required:"true"` // share of the parallel jobs rounded to a power of two
	Log2            dist.TwoStageUniform `opt:"log2" required:"true"`                          // of log2 of the size of parallel jobs
	// Smallest and Largest, optional, are the smallest and the largest size of
	// parallel jobs, in processors: a size outside this range becomes the
	// nearest size, or power of two, within it. They are 0 if the law may
	// reach from one processor to the whole machine.
	Smallest int64 `opt:"smallest" in:"[1,)"`
	Largest  int64 `opt:"largest" in:"[1,)"`
}

func (s *TwoStageSizes) check(processors int64) error {
	if err := checkLaw(s.Log2); err != nil {
		return strict.Within("log2", err)
	}
	smallest, largest := s.Range(processors)
	least, most := PowersWithin(smallest, largest)
	switch {
	case s.Log2.Low < -1 || s.Log2.High > 40:
		return workload.OptionFault("log2", fmt.Sprintf("sizes from 2^%g to 2^%g", s.Log2.Low, s.Log2.High), "low and high from -1 to 40")
	case s.Smallest > processors:
		return workload.OptionFault("smallest", s.Smallest, "at most the %d processors of the machine", processors)
	case s.Largest != 0 && (s.Largest < s.Smallest || s.Largest > processors):
		return workload.OptionFault("largest", s.Largest, "a whole number from %d, the smallest size, to the %d processors of the machine", max(1, s.Smallest), processors)
	case s.PowerOfTwoShare > 0 && least > most:
		return workload.OptionFault("power_of_two_share", s.PowerOfTwoShare, "0: no power of two is from %d to %d", smallest, largest)
	}
	return nil
}

// scale moves the upper end and the border by log2 of the ratio of the two machines, so that
// their distances from log2 of the machine's size do not change (in the untyped preset the upper
// end is the machine's size and the border 2.5 below it, as section 3.1 advises). The largest size
// then is the machine's; the lower end and the smallest size do not change.
func (s *TwoStageSizes) scale(from, to int64) (Sizes, int64) {
	before := math.Log2(float64(from))
	shift := math.Log2(float64(to)) - before
	scaled := *s
	scaled.Log2.Mid += shift
	scaled.Log2.High += shift
	scaled.Smallest, scaled.Largest = min(s.Smallest, to), 0
	// The border stays above the lower end.
	least := math.Ceil(math.Exp2(before - (s.Log2.Mid - s.Log2.Low) + minStage))
	return &scaled, int64(min(max(least, 1), MaxProcessors+1))
}

// minStage is how far above the lower end of log2 sizes a re-scaled border stays.
const minStage = 0.01

// Range returns the smallest and the largest size that the law can give a
// parallel job on a machine of that many processors.
func (s *TwoStageSizes) Range(processors int64) (smallest, largest int64) {
	if s.Largest > 0 {
		processors = min(processors, s.Largest)
	}
	return max(1, min(s.Smallest, processors)), processors
}

// PowersWithin returns the smallest and the largest power of two in the range
// from smallest, which must be at least 1, to largest; least is above most if
// there is none.
func PowersWithin(smallest, largest int64) (least, most int64) {
	return 1 << bits.Len64(uint64(smallest-1)), 1 << (bits.Len64(uint64(largest)) - 1)
}

// Probability implements Sizes: the sum of the serial share, the parallel jobs rounded to powers
// of two, and the others rounded to whole processors.
func (s *TwoStageSizes) Probability(n, processors int64) float64 {
	if n < 1 || n > processors {
		return 0
	}
	p := s.powerMass(n, processors) + s.otherMass(n, n, processors)
	if n == 1 {
		p += s.SerialShare
	}
	return p
}

// AtMost returns the probability that a generated job has at most n processors on a machine of
// that many: the sum of Probability from 1 to n.
func (s *TwoStageSizes) AtMost(n, processors int64) float64 {
	smallest, largest := s.Range(processors)
	switch {
	case n < 1:
		return 0
	case n >= largest:
		return 1
	}
	parallel := 0.0
	if least, most := PowersWithin(smallest, largest); n >= most {
		parallel += s.PowerOfTwoShare
	} else if n >= least {
		parallel += s.PowerOfTwoShare * s.between(math.Inf(-1), float64(bits.Len64(uint64(n)))-0.5)
	}
	if n >= smallest {
		parallel += (1 - s.PowerOfTwoShare) * s.between(math.Inf(-1), math.Log2(float64(n)+0.5))
	}
	return s.SerialShare + (1-s.SerialShare)*parallel
}

// powerMass is the probability of a parallel job rounded to the power of two n;
// 0 for another n.
func (s *TwoStageSizes) powerMass(n, processors int64) float64 {
	least, most := PowersWithin(s.Range(processors))
	if n&(n-1) != 0 || n < least || n > most {
		return 0
	}
	k := math.Round(math.Log2(float64(n)))
	lo, hi := k-0.5, k+0.5
	if n == least {
		lo = math.Inf(-1)
	}
	if n == most {
		hi = math.Inf(1)
	}
	return (1 - s.SerialShare) * (s.PowerOfTwoShare * s.between(lo, hi))
}

// otherMass is the probability of a parallel job rounded to whole processors
// from first to last, none or both of which are outside Range.
func (s *TwoStageSizes) otherMass(first, last, processors int64) float64 {
	smallest, largest := s.Range(processors)
	if last < smallest || first > largest {
		return 0
	}
	lo, hi := math.Log2(float64(first)-0.5), math.Log2(float64(last)+0.5)
	if first <= smallest {
		lo = math.Inf(-1)
	}
	if last >= largest {
		hi = math.Inf(1)
	}
	return (1 - s.SerialShare) * ((1 - s.PowerOfTwoShare) * s.between(lo, hi))
}

// between is the probability of log2 of a size from lo to hi, before rounding.
func (s *TwoStageSizes) between(lo, hi float64) float64 { return max(0, s.Log2.CDF(hi)-s.Log2.CDF(lo)) }

// Beyond oneByOne sizes, Mean takes sizes together that differ by one part in
// together at the most, and f for a straight line between the first and the
// last: with a smooth f it is off by 1/(8 together²) of itself or so.
const (
	oneByOne = 1 << 16
	together = 1 << 12
)

// Mean implements Sizes. f need not be smooth if no size is above 65,536; else the mean is accurate
// to 10^-8.
func (s *TwoStageSizes) Mean(processors int64, f func(size int64) float64) float64 {
	var sum num.Sum
	// 2^ceil of the upper end of the law bounds what rounding can reach.
	smallest, whole := s.Range(processors)
	largest := whole
	if high := max(s.Log2.High, 0); high < 40 {
		largest = min(largest, max(smallest, int64(math.Exp2(math.Ceil(high)))))
	}
	for n := int64(1); n <= min(largest, oneByOne); n++ {
		if p := s.Probability(n, processors); p > 0 {
			sum.Add(p * f(n))
		}
	}
	for n := int64(2 * oneByOne); n <= largest; n *= 2 {
		if p := s.powerMass(n, processors); p > 0 {
			sum.Add(p * f(n))
		}
	}
	for first := int64(oneByOne + 1); first <= largest; {
		last := min(first+first/together, largest)
		switch {
		case first < smallest && last >= smallest:
			last = max(first, smallest-1)
		case first == smallest:
			last = first // takes all that would be smaller
		case last == whole && first < last:
			last-- // the largest takes all that would be larger
		}
		if p := s.otherMass(first, last, processors); p > 0 {
			a, b := float64(first)-0.5, float64(last)+0.5
			at := (b - a) / math.Log1p((b-a)/a) // the mean between a and b, log2 being uniform
			low, high := f(first), f(last)
			mean := low
			if last > first {
				mean += (high - low) * (at - float64(first)) / float64(last-first)
			}
			sum.Add(p * mean)
		}
		first = last + 1
	}
	return sum.Value()
}

// Drawer implements Sizes. One number decides between serial, power of two and the rest: the order
// of draws of the authors' program.
func (s *TwoStageSizes) Drawer(processors int64) func(rng *rand.Rand) int64 {
	notOther := s.SerialShare + (1-s.SerialShare)*s.PowerOfTwoShare
	smallest, largest := s.Range(processors)
	least, most := PowersWithin(smallest, largest)
	return func(rng *rand.Rand) int64 {
		u := rng.Float64()
		if u < s.SerialShare {
			return 1
		}
		x := s.Log2.Rand(rng)
		if u < notOther {
			return max(least, min(1<<max(0, int(math.Floor(x+0.5))), most))
		}
		return max(smallest, min(int64(math.Exp(x*math.Ln2)+0.5), largest))
	}
}
