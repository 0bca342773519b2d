package predict

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict/internal/forest"
)

// control holds the share of waits above the bounds of one quantile where it
// is to be. It is bounded: its offset moves from -2 to 3 along six bounds: that at 0 is
// the forest's quantile, that at 2 at least the quantile of all jobs' waits, and that at
// 3 above the longest wait, so that waits that grow and grow are covered too.
//
// The offset has a part of all jobs, which rises with each wait above its bound and
// falls with each other, one of the user, and one that only lowers the bound. For
// misses that are a share a of all jobs, the steps are in units of their standard
// deviation sqrt(a (1-a)), so that one set of constants does for all quantiles. The
// parts aim at a little less than a, since a part that is at its end learns from one
// side only. What comes of the n-th job of a burst weighs n^-1/4: its jobs wait alike,
// and the offset would follow them far and slowly come back.
type control struct {
	all, down float64
	users     map[int64]float64
}

const (
	stepAll    = 0.00218 // of a standard deviation
	stepUser   = 0.00436
	marginUp   = 0.023 // standard deviations by which the share of misses is less
	marginDown = 0.037
	leastRise  = 0.3 // of the logarithm of the wait, between the bounds above the quantile

	oddsBelow = 1 / 2.1 // of the bound at offset -1, to the quantile's: 0.90 for 0.95; twice at -2
	oddsAbove = 5.2     // of that at 1: 0.99 for 0.95
)

// bound returns the bound of a logarithm for a user's job. all are the answers of
// all jobs.
func (c *control) bound(q float64, s *forest.Sample, all marginal, user int64) float64 {
	var at [6]float64
	at[2] = s.Quantile(q)
	at[1] = min(at[2], s.Quantile(byOdds(q, oddsBelow)))
	at[0] = min(at[1], s.Quantile(byOdds(q, oddsBelow*oddsBelow)))
	at[3] = max(at[2]+leastRise, s.Quantile(byOdds(q, oddsAbove)))
	at[4] = max(at[3]+leastRise, all.at(q))
	at[5] = max(at[4]+leastRise, all.at(1)+1)
	offset := c.offset(user) + 2
	i := min(4, int(offset))
	return max(0, at[i]+(offset-float64(i))*(at[i+1]-at[i]))
}

// byOdds returns the quantile whose odds are so many times those of q.
func byOdds(q, times float64) float64 {
	odds := times * q / (1 - q)
	return odds / (1 + odds)
}

func (c *control) offset(user int64) float64 {
	return between(-2, c.all+c.down+c.users[user], 3)
}

// learn enters whether a wait was above its bound.
func (c *control) learn(q float64, g *givenBounds, missed bool) {
	deviation := math.Sqrt(q * (1 - q))
	excess := -(1 - q) / deviation
	if missed {
		excess = q / deviation
	}
	c.all = between(0, c.all+stepAll*g.weight*(excess+marginUp), 3)
	c.down = between(-2, c.down+stepAll*g.weight*(excess+marginDown), 0)
	if user := between(0, c.users[g.user]+stepUser*g.weight*(excess+marginUp), 2); user > 0 {
		c.users[g.user] = user
	} else {
		delete(c.users, g.user)
	}
}

func between(low, x, high float64) float64 { return max(low, min(x, high)) }
