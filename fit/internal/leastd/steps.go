package leastd

// steps is the distribution function of a sample of distinct ascending values,
// as Kolmogorov-Smirnov's distance looks at it: at the i-th value it goes up
// from upTo[i] to upTo[i+1].
type steps struct{ upTo []float64 }

func newSteps(counts []float64) steps {
	s := steps{make([]float64, len(counts)+1)}
	total, sum := 0.0, 0.0
	for _, c := range counts {
		total += c
	}
	for i, c := range counts {
		sum += c
		s.upTo[i+1] = sum / total
	}
	return s
}

// stepBlocks is in how many blocks the values are looked at first.
const stepBlocks = 64

// widest is where a law is farthest from a sample.
type widest struct {
	d     float64 // D: how far
	at    int     // at which value
	above bool    // whether the law's distribution function is above the sample's there
}

// distance returns how far the sample's distribution function and a law's,
// whose value at the i-th value of the sample is cdf(i), are from each other;
// likely is a guess of where.
//
// It is exact, and asks for few of the values: distribution functions rise, so
// that those at the ends of a block bound D inside it, and a block that cannot
// have more than what was seen is passed over.
func (s steps) distance(cdf func(i int) float64, likely int) widest {
	n := len(s.upTo) - 1
	var most widest
	at := func(i int) float64 {
		f := cdf(i)
		if d := s.upTo[i+1] - f; d > most.d {
			most = widest{d, i, false}
		}
		if d := f - s.upTo[i]; d > most.d {
			most = widest{d, i, true}
		}
		return f
	}
	var inside func(i, j int, fi, fj float64)
	inside = func(i, j int, fi, fj float64) {
		if j-i < 2 || max(s.upTo[j]-fi, fj-s.upTo[i+1]) <= most.d {
			return
		}
		middle := i + (j-i)/2
		f := at(middle)
		inside(i, middle, fi, f)
		inside(middle, j, f, fj)
	}
	at(likely)
	blocks := min(stepBlocks, n-1)
	var ends [stepBlocks + 1]float64
	end := func(b int) int { return b * (n - 1) / max(blocks, 1) }
	for b := 0; b <= blocks; b++ {
		ends[b] = at(end(b))
	}
	for b := range blocks {
		inside(end(b), end(b+1), ends[b], ends[b+1])
	}
	return most
}
