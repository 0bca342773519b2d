package model

import (
	"math/bits"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Sizes is the law of the processors of rigid jobs: RoundedSizes or a SizeTable.
type Sizes interface {
	// Probability returns the probability that a generated job has size n on a
	// machine of that many processors.
	Probability(n, processors int64) float64
	// AtMost returns the probability that a generated job has at most n
	// processors on a machine of that many: the sum of Probability from 1 to n.
	AtMost(n, processors int64) float64
	// Mean returns the mean of f over the sizes of generated jobs on a machine
	// of that many processors. f must be finite and, if sizes above 65,536
	// occur, smooth: then the mean is accurate to 10^-8.
	Mean(processors int64, f func(size int64) float64) float64

	visit(f *form, processors int64) Sizes
	// scaled returns the sizes on a machine of other processors, and the least
	// that it may have, with the reason if that is not want of room.
	scaled(from, to int64) (s Sizes, least int64, why string)
}

// visitSizes goes over sizes, whose form a file tells by its fields.
func visitSizes(f *form, s Sizes, processors int64) Sizes {
	switch {
	case f.task == read && f.has("shares"):
		s = SizeTable{}
	case f.task == read && f.family("log2") == "gamma":
		s = RoundedSizes{Log2: dist.Gamma{}}
	case f.task == read:
		s = RoundedSizes{Log2: dist.TwoStageUniform{}}
	case s == nil:
		f.fail(&FieldError{Path: f.path, Saw: "missing", Want: "a distribution of sizes"})
		return nil
	}
	return s.visit(f, processors)
}

// PowersWithin returns the smallest and the largest power of two in the range
// from smallest, which must be at least 1, to largest; least is above most if
// there is none.
func PowersWithin(smallest, largest int64) (least, most int64) {
	return 1 << bits.Len64(uint64(smallest-1)), 1 << (bits.Len64(uint64(largest)) - 1)
}
