package model

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

// RoundedSizes are sizes by a law of their logarithm, rounded. Lublin and
// Feitelson (2003), section 3.1.
type RoundedSizes struct {
	SerialShare     float64 // share of all jobs with one processor, 0 to 1
	PowerOfTwoShare float64 // share of the parallel jobs rounded to a power of two, 0 to 1
	// Log2 is of log2 of the size of parallel jobs: a dist.TwoStageUniform, or
	// the dist.Gamma that the paper compares it with.
	Log2 dist.Law
	// Smallest and Largest, optional, are the smallest and the largest size of
	// parallel jobs, in processors: a size outside this range becomes the
	// nearest size, or power of two, within it. They are 0 if the law may
	// reach from one processor to the whole machine.
	Smallest, Largest int64
}

var _ Sizes = RoundedSizes{}

func (s RoundedSizes) visit(f *form, processors int64) Sizes {
	f.number("serial_share", &s.SerialShare, 0, 1)
	f.number("power_of_two_share", &s.PowerOfTwoShare, 0, 1)
	switch law := s.Log2.(type) {
	case dist.TwoStageUniform:
		lawOf(f, "log2", &law)
		f.check(func() error { return within(f.at("log2.parameters.low"), law.Low, -1, 40) })
		f.check(func() error { return within(f.at("log2.parameters.high"), law.High, -1, 40) })
		s.Log2 = law
	case dist.Gamma:
		lawOf(f, "log2", &law)
		s.Log2 = law
	default:
		f.reject("log2", fmt.Sprintf("%T", law), "a two-stage-uniform or a gamma distribution")
	}
	f.whole("smallest", optional, &s.Smallest)
	f.whole("largest", optional, &s.Largest)
	f.check(func() error { return s.checkRange(f, processors) })
	return s
}

// checkRange refuses ends of the sizes that are not on the machine, or leave
// the share of powers of two nothing to be rounded to.
func (s RoundedSizes) checkRange(f *form, processors int64) error {
	if s.Smallest < 0 || s.Smallest > processors {
		return &FieldError{Path: f.at("smallest"), Saw: strconv.FormatInt(s.Smallest, 10), Want: fmt.Sprintf("a whole number from 1 to the %d processors of the machine", processors)}
	}
	if s.Largest != 0 && (s.Largest < max(1, s.Smallest) || s.Largest > processors) {
		return &FieldError{Path: f.at("largest"), Saw: strconv.FormatInt(s.Largest, 10), Want: fmt.Sprintf("a whole number from %d, the smallest size, to the %d processors of the machine", max(1, s.Smallest), processors)}
	}
	smallest, largest := s.Range(processors)
	if least, most := PowersWithin(smallest, largest); s.PowerOfTwoShare > 0 && least > most {
		return &FieldError{Path: f.at("power_of_two_share"), Saw: number(s.PowerOfTwoShare), Want: fmt.Sprintf("0: no power of two is from %d to %d", smallest, largest)}
	}
	return nil
}

// Range returns the smallest and the largest size that the law can give a
// parallel job on a machine of that many processors.
func (s RoundedSizes) Range(processors int64) (smallest, largest int64) {
	if s.Largest > 0 {
		processors = min(processors, s.Largest)
	}
	return max(1, min(s.Smallest, processors)), processors
}

// scaled moves the upper end and the border of two stages with the machine. A
// Gamma has no such rule: it stays, and the machine may not be smaller.
func (s RoundedSizes) scaled(from, to int64) (Sizes, int64, string) {
	law, ok := s.Log2.(dist.TwoStageUniform)
	if !ok {
		return s, from, "has a Gamma distribution of log2 sizes, which no rule moves to a smaller machine"
	}
	least := leastProcessors(from, law.Mid-law.Low)
	shift := math.Log2(float64(to)) - math.Log2(float64(from))
	law.Mid += shift
	law.High += shift
	s.Log2, s.Smallest, s.Largest = law, min(s.Smallest, to), 0
	return s, least, ""
}

// Probability returns the sum of the serial share, the parallel jobs rounded to
// powers of two, and the others rounded to whole processors.
func (s RoundedSizes) Probability(n, processors int64) float64 {
	if n < 1 || n > processors {
		return 0
	}
	p := s.powerMass(n, processors) + s.otherMass(n, n, processors)
	if n == 1 {
		p += s.SerialShare
	}
	return p
}

// AtMost returns the sum of Probability from 1 to n.
func (s RoundedSizes) AtMost(n, processors int64) float64 {
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
func (s RoundedSizes) powerMass(n, processors int64) float64 {
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
func (s RoundedSizes) otherMass(first, last, processors int64) float64 {
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
func (s RoundedSizes) between(lo, hi float64) float64 {
	if _, staged := s.Log2.(dist.TwoStageUniform); staged { // straight pieces
		return max(0, s.Log2.CDF(hi)-s.Log2.CDF(lo))
	}
	return between(s.Log2, lo, hi)
}

// Beyond oneByOne sizes, Mean takes sizes together that differ by one part in
// together at the most, and f for a straight line between the first and the
// last: with a smooth f it is off by 1/(8 together²) of itself or so.
const (
	oneByOne = 1 << 16
	together = 1 << 12
)

// Mean returns the sum of f times Probability; large sizes are taken in groups.
func (s RoundedSizes) Mean(processors int64, f func(size int64) float64) float64 {
	var sum num.Sum
	// 2^ceil of the upper end of the law bounds what rounding can reach.
	smallest, whole := s.Range(processors)
	largest := whole
	if high := min(max(s.Log2.Quantile(1), 0), 40); high < 40 {
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
