package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Point is a point of a Q-Q or P-P plot: on the diagonal where the law fits.
type Point struct {
	Theoretical float64 // of the law
	Empirical   float64 // of the sample
}

// QQ returns quantiles of the fitted law and of a sample at the same shares,
// both in the attribute's unit: at most n points, ascending, from the jobs at
// the middles of n equal parts of the ranks (of all distinct values, where
// there are no more than n). The share of a value is the middle of its jobs'
// ranks, so that ties lie on one point. s is the sample that r was fitted to,
// or another one of the attribute; of it, r's jobs count: those that the
// transform can take. A quantile too large for a number is left out.
//
// It is an error if n is below 1 or there are no such jobs.
func (r Report) QQ(s Sample, n int) ([]Point, error) {
	law := r.following()
	return r.points(s, n, "Q-Q", func(v, below, above float64) Point {
		var x float64
		if below <= above {
			x = law.Quantile(below)
		} else {
			x = dist.InverseSurvival(law, above)
		}
		return Point{r.Transform.Invert(x), v}
	})
}

// PP returns the share of jobs up to a value, by the fitted law and in the
// sample, where a value's own jobs count by half; values, ties and errors are
// those of QQ.
func (r Report) PP(s Sample, n int) ([]Point, error) {
	law := r.following()
	return r.points(s, n, "P-P", func(v, below, _ float64) Point {
		return Point{law.CDF(r.Transform.Apply(v)), below}
	})
}

// points calls at with at most n values of the sample and with the shares
// below and above the middle of the value's jobs, which sum to 1.
func (r Report) points(s Sample, n int, plot string, at func(v, below, above float64) Point) ([]Point, error) {
	if n < 1 {
		return nil, fmt.Errorf("fit: %s of %s: %d points, want at least 1", plot, r.Attribute, n)
	}
	if r.Transform != None {
		s, _ = s.above(r.Transform.least())
	}
	total := 0.0
	for _, c := range s.Counts {
		total += c
	}
	if !(total > 0) {
		return nil, fmt.Errorf("fit: %s of %s: no jobs", plot, r.Attribute)
	}
	var out []Point
	before, next := 0.0, 0
	for i, v := range s.Values {
		upTo := before + s.Counts[i]
		take := len(s.Values) <= n
		// The middles of the parts that fall on this value.
		for ; next < n && (float64(next)+0.5)/float64(n)*total <= upTo; next++ {
			take = true
		}
		if take {
			middle := before + s.Counts[i]/2
			if p := at(v, middle/total, (total-middle)/total); !math.IsInf(p.Theoretical, 0) && !math.IsNaN(p.Theoretical) {
				out = append(out, p)
			}
		}
		before = upTo
	}
	return out, nil
}
