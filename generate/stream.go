package generate

import (
	"hash/fnv"
	"math/rand/v2"
)

// part identifies the purpose of a stream of random numbers.
type part uint64

const (
	partArrivals part = iota + 1
	partSizes
	partRunTimes
	partMalleable    part = 6  // one for each job, by its number
	partUsers        part = 7  // one for each job, by its number
	partPreferences  part = 8  // one for the population
	partAlike        part = 9  // one for each job, by its number
	partEstimates    part = 16 // one number for each job
	partEstimateBins part = 17 // ranks and pairs of Tsafrir's bins
)

// stream identifies the random numbers of one part of one class. Of the classes, it depends only
// on the name of this one, so that the jobs of a class do not depend on the others.
type stream struct{ hi, lo uint64 }

func newStream(seed uint64, p part, class string) stream {
	h := fnv.New64a()
	h.Write([]byte(class)) // never fails
	key := scramble(scramble(seed) ^ uint64(p))
	key = scramble(key ^ h.Sum64())
	return stream{scramble(key + 1), scramble(key + 2)}
}

// whole returns one generator for the whole stream.
func (s stream) whole() rand.PCG { return *rand.NewPCG(s.hi, s.lo) }

// seed sets pcg to the beginning of the random numbers of one job, given its number in the class.
// Both halves of the state are scrambled, so that neighbouring jobs have unrelated numbers.
func (s stream) seed(pcg *rand.PCG, job int64) {
	n := uint64(job) * golden
	pcg.Seed(scramble(s.hi+n), scramble(s.lo+n))
}

// golden is 2^64 divided by the golden ratio, odd.
const golden = 0x9e3779b97f4a7c15

// scramble maps 64 bits to 64 bits, one to one, so that each input bit changes
// half the output bits. Steele, Lea and Flood (2014), "Fast splittable
// pseudorandom number generators", with Stafford's thirteenth constants.
func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
