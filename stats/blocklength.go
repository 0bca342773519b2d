package stats

import "math"

// BlockLength is the mean block length for the stationary bootstrap of a dependent series,
// and how it was chosen.
type BlockLength struct {
	N    int     // values in the series
	Mean float64 // mean length of a block, in values, at least 1
	// Lags is the lag beyond which the autocorrelations are negligible.
	Lags int
	// Persistent reports that there is no such lag up to sqrt(N); Lags is then the last lag
	// that was considered. The memory of the series is longer than a bootstrap can
	// reproduce, and results that use it are overconfident.
	Persistent bool
	// Capped reports that the rule gave more than min(3 sqrt(N), N/3), the largest length
	// allowed, which was used instead.
	Capped bool
}

// AutomaticBlockLength chooses the block length of a series without NaN by the rule of
// Politis and White (2004), "Automatic block-length selection for the dependent bootstrap",
// as corrected by Patton, Politis and White (2009):
//
//	b = (2 G²/D)^(1/3) n^(1/3),  D = 2 g²,
//	G = sum over |k| <= M of λ(k/M) |k| R(k),  g = that of λ(k/M) R(k),
//
// with R the autocovariances, λ the flat-top window (1 up to a half, then falling to 0 at
// 1), and M twice the smallest lag m after which max(5, sqrt(log10 n)) consecutive
// autocorrelations are below 2 sqrt(log10(n)/n).
//
// The autocovariances are computed from the ranks of the values, with tied values sharing
// their mean rank. The result is therefore the same for run times and their logarithms, and
// a few very long jobs do not hide the dependence between neighbours. A constant series,
// and one of fewer than 10 values, gets blocks of one value. Time grows with n M, at most
// n^1.5.
func AutomaticBlockLength(x []float64) BlockLength {
	out := BlockLength{N: len(x), Mean: 1}
	if len(x) < 10 {
		return out
	}
	n := float64(len(x))
	ranks := centredRanks(x)
	variance := autocovariance(ranks, 0)
	if !(variance > 0) {
		return out
	}
	run := max(5, int(math.Ceil(math.Sqrt(math.Log10(n)))))
	most := min(len(x)-1, int(math.Ceil(math.Sqrt(n)))+run)
	band := 2 * math.Sqrt(math.Log10(n)/n) * variance
	r := []float64{variance} // by lag
	small := 0
	for k := 1; k <= most && small < run; k++ {
		r = append(r, autocovariance(ranks, k))
		if math.Abs(r[k]) < band {
			small++
		} else {
			small = 0
			out.Lags = k // the last lag that counts
		}
	}
	out.Persistent = small < run
	window := min(2*max(1, out.Lags), most)
	var weighted float64
	spectral := variance
	for k := 1; k <= window; k++ {
		if k == len(r) {
			r = append(r, autocovariance(ranks, k))
		}
		lambda := min(1, 2*(1-float64(k)/float64(window)))
		weighted += 2 * lambda * float64(k) * r[k]
		spectral += 2 * lambda * r[k]
	}
	longest := math.Ceil(min(3*math.Sqrt(n), n/3))
	if spectral == 0 { // b has a pole there
		out.Mean, out.Capped = longest, true
		return out
	}
	out.Mean = max(1, math.Cbrt(weighted*weighted/(spectral*spectral)*n))
	if out.Mean > longest {
		out.Mean, out.Capped = longest, true
	}
	return out
}

// centredRanks returns the rank of each value, ties sharing their mean rank,
// less the mean rank, over n.
func centredRanks(x []float64) []float64 {
	ranks := midranks(x)
	n := float64(len(x))
	for i, r := range ranks {
		ranks[i] = (r - (n+1)/2) / n
	}
	return ranks
}

// autocovariance returns that of a centred series at a lag, over n.
func autocovariance(centred []float64, lag int) float64 {
	later := centred[lag:]
	sum := 0.0
	for i, v := range later {
		sum += v * centred[i]
	}
	return sum / float64(len(centred))
}
