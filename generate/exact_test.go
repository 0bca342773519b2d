package generate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// Exact draws the laws alone.
func TestExact(t *testing.T) {
	const n = 100_000
	s := site(t, model.Lublin1999Batch)
	c := &s.Classes[0]
	lublin(func(l *model.Lublin) { l.RunTimes.PSlope, l.RunTimes.PIntercept = 0, 0.4 })(c)
	c.Arrivals = c.Arrivals.WithoutCycle()
	jobs := collect(t, build(t, s, Options{Jobs: n, Seed: 12, Exact: true}))

	// The largest distance between a law and n draws of it exceeds
	// sqrt(ln(2/q)/(2n)) with probability q at the most (Massart 1990).
	limit := math.Sqrt(math.Log(2/falseAlarm) / (2 * n))
	distance := func(x []float64, cdf func(float64) float64) float64 {
		stat.SortWeighted(x, nil)
		d := 0.0
		for i, v := range x {
			f := cdf(v)
			d = max(d, f-float64(i)/n, float64(i+1)/n-f)
		}
		return d
	}
	law := c.Lublin().RunTimes.Law
	law.P = 0.4
	lnRuns, gaps := make([]float64, n), make([]float64, n)
	long, serial, powers, last := 0, 0, 0, 0.0
	for i := range n {
		lnRuns[i] = math.Log(jobs.runs[i])
		if lnRuns[i] > 12 {
			long++
		}
		gaps[i] = math.Log(jobs.submits[i] - last)
		last = jobs.submits[i]
		if size := jobs.sizes[i]; size == 1 {
			serial++
		} else if size&(size-1) == 0 {
			powers++
		}
	}
	if d := distance(lnRuns, law.CDF); d > limit {
		t.Errorf("run times: D = %g, want at most %g", d, limit)
	}
	checkShare(t, "run times above the model's limit", long, n, law.Survival(12))
	if d := distance(gaps, c.Arrivals.Law().CDF); d > limit {
		t.Errorf("interarrival times: D = %g, want at most %g", d, limit)
	}
	checkShare(t, "serial jobs", serial, n, c.Lublin().Sizes.SerialShare)
	checkShare(t, "powers of two among the parallel jobs", powers, n-serial, c.Lublin().Sizes.PowerOfTwoShare)
}

// Exact's shares hold also where the law of log2 sizes reaches down to one
// processor.
func TestExactShares(t *testing.T) {
	const n = 50_000
	s := site(t, model.Lublin1999Untyped)
	sizes := model.RoundedSizes{SerialShare: 0.2, PowerOfTwoShare: 0.3, Log2: dist.TwoStageUniform{Low: -0.5, Mid: 1, High: 4, P: 0.5}}
	s.Classes[0].Sizes = sizes
	serial, powers := 0, 0
	for _, size := range collect(t, build(t, s, Options{Jobs: n, Seed: 2, Exact: true})).sizes {
		if size == 1 {
			serial++
		} else if size&(size-1) == 0 {
			powers++
		}
	}
	checkShare(t, "serial jobs", serial, n, sizes.SerialShare)
	checkShare(t, "powers of two among the parallel jobs", powers, n-serial, sizes.PowerOfTwoShare)
}
