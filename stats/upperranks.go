package stats

import "math"

// UpperRanks tabulates the ranks of UpperOrderStatistic for one quantile and confidence.
// When a history grows by one value, its rank stays the same or rises by one, so each new
// length costs a few multiplications. It is not safe for concurrent use.
type UpperRanks struct {
	quantile, confidence float64
	minimum              int
	ranks                []int     // for n = minimum, minimum+1, ...
	achieved             []float64 // likewise
	upper                float64   // Pr{Bin(n, q) >= k} for the last n and its rank k
	below                float64   // Pr{Bin(n, q) = k-1}
}

// NewUpperRanks returns the table for quantile q with confidence c. It is an error if either is
// not in (0, 1).
func NewUpperRanks(q, c float64) (*UpperRanks, error) {
	if err := checkLevels(q, c); err != nil {
		return nil, err
	}
	r := &UpperRanks{quantile: q, confidence: c, minimum: MinimumHistory(q, c)}
	r.resync(r.minimum, r.minimum) // at the minimum the bound is the maximum
	r.append(r.minimum)
	return r, nil
}

// Minimum returns the shortest history that has a bound.
func (r *UpperRanks) Minimum() int { return r.minimum }

// At returns the order statistic for a history of n values, and false if n is below Minimum.
func (r *UpperRanks) At(n int) (OrderStatistic, bool) {
	if n < r.minimum {
		return OrderStatistic{}, false
	}
	for len(r.ranks) <= n-r.minimum {
		r.grow()
	}
	i := n - r.minimum
	return OrderStatistic{n, r.quantile, r.confidence, r.ranks[i], r.achieved[i]}, true
}

// The recurrences of grow are restarted every 1024 steps, so that their rounding errors stay
// below tie. Probabilities within tie of 1 - confidence are computed without them.
const (
	every = 1024
	tie   = 1e-11
)

// grow appends the rank for the next length.
func (r *UpperRanks) grow() {
	q := r.quantile
	n := r.minimum + len(r.ranks) // the new length
	k := r.ranks[len(r.ranks)-1]
	if n%every == 0 {
		r.resync(n, k)
	} else {
		// Pr{Bin(n) >= k} = Pr{Bin(n-1) >= k} + q Pr{Bin(n-1) = k-1}.
		r.upper += q * r.below
		r.below *= float64(n) * (1 - q) / float64(n+1-k)
	}
	if math.Abs(r.upper-(1-r.confidence)) < tie {
		r.resync(n, k)
	}
	if r.upper > 1-r.confidence {
		r.below *= float64(n-k+1) / float64(k) * q / (1 - q)
		r.upper -= r.below
		k++
	}
	r.append(k)
}

// resync sets the probabilities for n and k without the recurrences.
func (r *UpperRanks) resync(n, k int) {
	r.upper = binomialUpper(n, k, r.quantile)
	r.below = binomialPMF(n, k-1, r.quantile)
}

func (r *UpperRanks) append(k int) {
	r.ranks = append(r.ranks, k)
	r.achieved = append(r.achieved, 1-r.upper)
}
