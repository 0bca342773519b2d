package generate

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// sizer draws the sizes of one class. Lublin and Feitelson (2003), section
// 3.1; the program's order of draws.
type sizer struct {
	stream   stream
	serial   float64         // a number below it is a serial job,
	powers   float64         // one below this a power of two
	log2     dist.Law        // of the size
	rows     model.SizeTable // in place of all that, if not nil
	ends     []float64       // cumulative shares of rows
	smallest int64
	largest  int64
	least    int // log2 of the smallest power of two from smallest to largest
	most     int // log2 of the largest
	exact    bool
}

func newSizer(c model.Class, processors int64, o Options) sizer {
	z := sizer{stream: newStream(o.Seed, partSizes, c.Name), exact: o.Exact}
	switch s := c.Sizes.(type) {
	case model.SizeTable:
		sum := 0.0
		for _, row := range s {
			sum += row.Share
			z.ends = append(z.ends, sum)
		}
		z.rows = s
	case model.RoundedSizes:
		z.serial = s.SerialShare
		z.powers = s.SerialShare + (1-s.SerialShare)*s.PowerOfTwoShare
		z.log2 = s.Log2
		z.smallest, z.largest = s.Range(processors)
		least, most := model.PowersWithin(z.smallest, z.largest)
		z.least, z.most = bits.Len64(uint64(least))-1, bits.Len64(uint64(most))-1
	}
	return z
}

// draw returns a size; one number decides between serial, power of two and
// the rest.
func (s *sizer) draw(rng *rand.Rand) int64 {
	u := rng.Float64()
	if s.rows != nil {
		return s.rows[sort.Search(len(s.rows)-1, func(i int) bool { return s.ends[i] > u })].Size
	}
	if u < s.serial {
		return 1
	}
	for {
		x := s.log2.Rand(rng)
		if u < s.powers {
			n := int64(1) << max(s.least, min(int(math.Floor(x+0.5)), s.most))
			if n > 1 || !s.exact {
				return n
			}
			continue
		}
		n := max(s.smallest, min(int64(math.Exp(min(x, 62)*math.Ln2)+0.5), s.largest))
		if n&(n-1) != 0 || !s.exact {
			return n
		}
	}
}

// exactSizes refuses a size law that has none of the sizes that Exact insists
// on.
func exactSizes(c model.Class, processors int64, exact bool) error {
	s, ok := c.Sizes.(model.RoundedSizes)
	if !exact || !ok || s.SerialShare == 1 {
		return nil
	}
	fail := func(what string) error {
		return optionError("exact", fmt.Sprintf("class %s has hardly any sizes that are %s", c.Name, what), "a wider distribution of log2 sizes, or false")
	}
	const least = 0.001
	s.SerialShare = 0
	powers, others := s, s
	powers.PowerOfTwoShare, others.PowerOfTwoShare = 1, 0
	if s.PowerOfTwoShare > 0 && 1-powers.Probability(1, processors) < least {
		return fail("powers of two above 1")
	}
	chance := others.Mean(processors, func(n int64) float64 {
		if n&(n-1) == 0 {
			return 0
		}
		return 1
	})
	if s.PowerOfTwoShare < 1 && chance < least {
		return fail("not powers of two")
	}
	return nil
}
