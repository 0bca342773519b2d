package fit

import (
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
)

// Point is a point of a Q-Q plot: on the diagonal where the law fits.
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
// Where jobs are censored, the shares are those of the
// Kaplan-Meier curve: jobs killed at their limit have no point of their own,
// and those that would have run past the last value with a point have none.
//
// It is an error if n is below 1 or there are no such jobs.
func (r Report) QQ(s Sample, n int) ([]Point, error) {
	if n < 1 {
		return nil, fmt.Errorf("Q-Q of %s: %d points, want at least 1", r.Attribute, n)
	}
	law := r.Law
	t := r.task(s)
	total := 0.0
	for _, c := range t.sample.Counts {
		total += c
	}
	if !(total > 0) {
		return nil, fmt.Errorf("Q-Q of %s: no jobs", r.Attribute)
	}
	var out []Point
	next := 0
	add := func(i int, below, above, upTo float64) {
		take := len(t.x) <= n
		// The middles of the parts that fall on this value.
		for ; next < n && (float64(next)+0.5)/float64(n)*total <= upTo; next++ {
			take = true
		}
		if !take {
			return
		}
		var q float64
		if below <= above {
			q = law.Quantile(below)
		} else {
			q = dist.InverseSurvival(law, above)
		}
		if p := (Point{r.Transform.Invert(q), t.sample.Values[i]}); !math.IsInf(p.Theoretical, 0) && !math.IsNaN(p.Theoretical) {
			out = append(out, p)
		}
	}
	if t.censors() {
		t.kaplanMeier(func(i int, before, upTo float64) {
			below := (before + upTo) / 2
			add(i, below, 1-below, upTo*total)
		})
		return out, nil
	}
	before := 0.0
	for i, c := range t.sample.Counts {
		middle := before + c/2
		add(i, middle/total, (total-middle)/total, before+c)
		before += c
	}
	return out, nil
}
