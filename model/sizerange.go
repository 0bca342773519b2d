package model

import (
	"fmt"
	"math/bits"
	"strconv"
)

// Range returns the smallest and the largest size that a parallel job of the
// law can have on a machine of that many processors.
func (s Sizes) Range(processors int64) (smallest, largest int64) {
	if s.Largest > 0 {
		processors = min(processors, s.Largest)
	}
	return max(1, min(s.Smallest, processors)), processors
}

// PowersWithin returns the smallest and the largest power of two from smallest,
// at least 1, to largest; least is above most where there is none.
func PowersWithin(smallest, largest int64) (least, most int64) {
	return 1 << bits.Len64(uint64(smallest-1)), 1 << (bits.Len64(uint64(largest)) - 1)
}

// checkRange refuses ends of the sizes that are not on the machine, or leave
// the share of powers of two nothing to be rounded to.
func (s *Sizes) checkRange(f *form, processors int64) error {
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
