package model

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/strict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TwoStageSizes implements Sizes by a two-stage uniform law of log2 of the size, which is then
// rounded. Lublin and Feitelson (2003), section 3.1.
type TwoStageSizes struct {
	SerialShare     float64              `opt:"serial_share" in:"[0,1]" required:"true"`       // share of all jobs with one processor
	PowerOfTwoShare float64              `opt:"power_of_two_share" in:"[0,1]" required:"true"` // share of the parallel jobs rounded to a power of two
	Log2            dist.TwoStageUniform `opt:"log2" required:"true"`                          // law of log2 of the size of parallel jobs
	// Smallest and Largest, optional, are the smallest and the largest size of parallel jobs, in
	// processors: a size outside this range becomes the nearest size, or power of two, within it.
	// 0 means the limits of the machine: one processor and the whole machine.
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

// scale shifts the upper end and the border by log2 of the ratio of the two machines, so that
// their distances from log2 of the machine's size do not change. (In the untyped preset the upper
// end is log2 of the machine's size and the border is 2.5 below it, as section 3.1 advises.) The
// largest size becomes the machine's; the lower end does not change, nor does the smallest size
// unless it is above the machine's.
func (s *TwoStageSizes) scale(from, to int64) Sizes {
	shift := math.Log2(float64(to)) - math.Log2(float64(from))
	scaled := *s
	scaled.Log2.Mid += shift
	scaled.Log2.High += shift
	scaled.Smallest, scaled.Largest = min(s.Smallest, to), 0
	return &scaled
}

// Range returns the smallest and the largest size that a parallel job can have on a machine with
// that many processors.
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

// Shares implements Sizes.
func (s *TwoStageSizes) Shares(processors int64) iter.Seq2[int64, float64] {
	return func(yield func(int64, float64) bool) {
		below := 0.0
		for size := int64(1); size <= processors && below < 1; size++ {
			upTo := s.AtMost(size, processors)
			if upTo > below && !yield(size, upTo-below) {
				return
			}
			below = upTo
		}
	}
}

// AtMost returns the probability that the size of a job is at most n on a machine with that many
// processors. A job is serial, or its size is rounded to a power of two or to a whole number.
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
		parallel += s.PowerOfTwoShare * s.Log2.CDF(float64(bits.Len64(uint64(n)))-0.5)
	}
	if n >= smallest {
		parallel += (1 - s.PowerOfTwoShare) * s.Log2.CDF(math.Log2(float64(n)+0.5))
	}
	return s.SerialShare + (1-s.SerialShare)*parallel
}

// Drawer implements Sizes. One random number decides between serial jobs, powers of two and other
// sizes, as in the authors' program.
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
