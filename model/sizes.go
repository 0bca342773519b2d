package model

import (
	"math"
	"math/bits"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/num"
)

func (s Sizes) given() bool {
	return s.Shares != nil || s.SerialShare != 0 || s.PowerOfTwoShare != 0 || s.Log2 != (dist.TwoStageUniform{}) || s.Log2Gamma != (dist.Gamma{})
}

func (s *Sizes) visit(f *form, processors int64) {
	if f.has("shares") || s.Shares != nil {
		objects(f, "shares", required, MaxShares, &s.Shares, func(_ int, row *SizeShare, f *form) { row.visit(f) })
		f.check(func() error { return s.checkShares(f.at("shares"), processors) })
		return
	}
	f.number("serial_share", &s.SerialShare, 0, 1)
	f.number("power_of_two_share", &s.PowerOfTwoShare, 0, 1)
	if f.family("log2") == "gamma" || s.Log2Gamma != (dist.Gamma{}) {
		lawOf(f, "log2", &s.Log2Gamma)
	} else {
		lawOf(f, "log2", &s.Log2)
		f.check(func() error { return within(f.at("log2.parameters.low"), s.Log2.Low, -1, 40) })
		f.check(func() error { return within(f.at("log2.parameters.high"), s.Log2.High, -1, 40) })
	}
	f.whole("smallest", optional, &s.Smallest)
	f.whole("largest", optional, &s.Largest)
	f.check(func() error { return s.checkRange(f, processors) })
}

// Probability returns the probability that a generated job has size n on a
// machine of that many processors: the serial share, the parallel jobs
// rounded to powers of two, and the others rounded to whole processors.
func (s Sizes) Probability(n, processors int64) float64 {
	if n < 1 || n > processors {
		return 0
	}
	if s.Shares != nil {
		return s.share(n)
	}
	p := s.powerMass(n, processors) + s.otherMass(n, n, processors)
	if n == 1 {
		p += s.SerialShare
	}
	return p
}

// AtMost returns the probability that a generated job has at most n processors
// on a machine of that many: the sum of Probability from 1 to n.
func (s Sizes) AtMost(n, processors int64) float64 {
	smallest, largest := s.Range(processors)
	switch {
	case n < 1:
		return 0
	case s.Shares != nil:
		var sum num.Sum
		for _, row := range s.Shares {
			if row.Size <= min(n, processors) {
				sum.Add(row.Share)
			}
		}
		return sum.Value()
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
func (s Sizes) powerMass(n, processors int64) float64 {
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
func (s Sizes) otherMass(first, last, processors int64) float64 {
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
func (s Sizes) between(lo, hi float64) float64 {
	if s.Log2Gamma != (dist.Gamma{}) {
		return between(s.Log2Gamma, lo, hi)
	}
	return max(0, s.Log2.CDF(hi)-s.Log2.CDF(lo))
}

// Beyond oneByOne sizes, Mean takes sizes together that differ by one part in
// together at the most, and f for a straight line between the first and the
// last: with a smooth f it is off by 1/(8 together²) of itself or so.
const (
	oneByOne = 1 << 16
	together = 1 << 12
)

// Mean returns the mean of f over the sizes of generated jobs on a machine of
// that many processors. f must be finite, and where sizes above 65,536 occur
// smooth: the mean is then good to 10^-8.
func (s Sizes) Mean(processors int64, f func(size int64) float64) float64 {
	var sum num.Sum
	if s.Shares != nil {
		for _, share := range s.Shares {
			if share.Size <= processors && share.Share > 0 {
				sum.Add(share.Share * f(share.Size))
			}
		}
		return sum.Value()
	}
	// 2^ceil(High) bounds what rounding can reach.
	smallest, whole := s.Range(processors)
	largest := whole
	if s.Log2Gamma == (dist.Gamma{}) {
		largest = min(largest, max(smallest, int64(math.Exp2(math.Ceil(min(max(s.Log2.High, 0), 40))))))
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
