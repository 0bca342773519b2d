package predict

import (
	"cmp"
	"math"
	"slices"
)

const (
	qbetsRanges = 3   // at most
	qbetsStarts = 128 // ranges to start from, at most
)

// divideByWait returns the tops of all ranges but the last, of at least one wait,
// by their length. It is agglomerative clustering: of the starting bins, the two
// neighbours whose merger costs the least likelihood are merged until one is
// left, and of the divisions into three or fewer met on the way the one with the
// largest BIC is taken, of equals the coarsest.
func divideByWait(waits []qbetsWait) []float64 {
	n := float64(len(waits))
	bins := coarsen(binsByValue(waits), n/qbetsStarts)
	for i := range bins[1:] {
		bins[i].loss = mergerLoss(bins[i], bins[i+1])
	}
	var best []bin
	most := math.Inf(-1)
	for {
		if len(bins) <= qbetsRanges {
			if x := bic(bins, n); x >= most {
				best, most = slices.Clone(bins), x
			}
		}
		if len(bins) == 1 {
			break
		}
		bins = mergeNearest(bins)
	}
	var tops []float64
	for _, b := range best[:len(best)-1] {
		tops = append(tops, b.top)
	}
	return tops
}

// bin is a range of values: its jobs, and the sum of the exponential scores of
// their waits.
type bin struct {
	top    float64
	n, sum float64
	loss   float64 // of likelihood, if it is merged with the next; of no meaning in the last
}

// and is a bin and the next as one.
func (b bin) and(next bin) bin { return bin{top: next.top, n: b.n + next.n, sum: b.sum + next.sum} }

// likelihood is the largest log-likelihood of an exponential law in the bin.
func (b bin) likelihood() float64 {
	if b.sum <= 0 {
		return math.Inf(-1) // the longest wait alone: no range, merge it
	}
	return -b.n * (math.Log(b.sum/b.n) + 1)
}

func mergerLoss(b, next bin) float64 {
	return b.likelihood() + next.likelihood() - b.and(next).likelihood()
}

// bic is ln L - (2m-1)/2 ln N, m the number of bins: the Bayesian information
// criterion times -1/2, so that the larger is the better.
func bic(bins []bin, n float64) float64 {
	total := 0.0
	for _, b := range bins {
		total += b.likelihood()
	}
	return total - float64(2*len(bins)-1)/2*math.Log(n)
}

// binsByValue returns a bin for each value, in their order. The exponential score
// of a wait is -ln(rank/N), its rank 1 + the number of shorter waits.
func binsByValue(waits []qbetsWait) []bin {
	at := map[uint64]int{} // of a value in bins, by its bits: floats are looked up slower
	var bins []bin
	score := 0.0
	for i, w := range waits {
		if i == 0 || w.wait != waits[i-1].wait {
			score = -math.Log(float64(i+1) / float64(len(waits)))
		}
		bits := math.Float64bits(w.value + 0) // 0 for -0
		k, ok := at[bits]
		if !ok {
			k = len(bins)
			at[bits] = k
			bins = append(bins, bin{top: w.value})
		}
		bins[k].n++
		bins[k].sum += score
	}
	slices.SortFunc(bins, func(a, b bin) int { return cmp.Compare(a.top, b.top) })
	return bins
}

// coarsen merges bins with the next, in place, until each but the last has so many
// jobs.
func coarsen(bins []bin, jobs float64) []bin {
	out := bins[:1]
	for _, b := range bins[1:] {
		if last := &out[len(out)-1]; last.n < jobs {
			*last = last.and(b)
		} else {
			out = append(out, b)
		}
	}
	return out
}

// mergeNearest merges the two neighbours that cost the least likelihood.
func mergeNearest(bins []bin) []bin {
	at := 0
	for i, b := range bins[:len(bins)-1] {
		if b.loss < bins[at].loss {
			at = i
		}
	}
	bins[at] = bins[at].and(bins[at+1])
	bins = slices.Delete(bins, at+1, at+2)
	for i := max(0, at-1); i <= at && i+1 < len(bins); i++ {
		bins[i].loss = mergerLoss(bins[i], bins[i+1])
	}
	return bins
}
