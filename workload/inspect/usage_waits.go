package inspect

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// WaitSummary summarises the waits of a set of jobs, in seconds.
type WaitSummary struct {
	Jobs   int64        `json:"jobs" show:"jobs"` // with a known wait
	Mean   stats.Number `json:"mean_s" show:"mean wait,s"`
	Median stats.Number `json:"median_s" show:"median wait,s"`
	Q90    stats.Number `json:"q90_s" show:"90th percentile,s"`
	Method string       `json:"quantiles"` // how the quantiles were computed
}

// WaitClass summarises the waits of a class of jobs, and how they changed over time.
type WaitClass struct {
	Name string `json:"name" show:"class"` // a range of sizes such as 2-8, or the value
	WaitSummary
	// Q90ByPeriod has an element for each of Usage.Periods: NaN if fewer than
	// LeastPeriodWaits jobs of the class have a known wait in it.
	Q90ByPeriod []stats.Number `json:"q90_by_period_s"`
	// Trend is the trend of Q90ByPeriod over the complete periods, in seconds per period;
	// nil if fewer than six periods have a value.
	Trend *stats.Trend `json:"trend,omitempty"`
}

// LeastPeriodWaits is how many jobs of a class with a known wait a period needs to count in
// WaitClass.Trend.
const LeastPeriodWaits = 20

const (
	leastTrend = 6 // periods
	// mostWaitValues is how many values of a column have a class.
	mostWaitValues = 12
)

// sizeBands are the least sizes of the classes by size.
var sizeBands = []int64{1, 2, 9, 65, 513}

type waitClass struct {
	name    string
	whole   waitSum
	periods []waitSum
}

type waitSum struct {
	n         int64
	sum       float64
	quantiles stats.Quantiles
}

func (w *waitSum) add(wait float64) {
	w.n++
	w.sum += wait
	w.quantiles.Add(wait)
}

func (w *waitSum) summary() WaitSummary {
	return WaitSummary{
		Jobs: w.n, Mean: stats.Number(w.sum / float64(w.n)), Median: stats.Number(w.quantiles.Quantile(0.5)),
		Q90: stats.Number(w.quantiles.Quantile(0.9)), Method: w.quantiles.Method(),
	}
}

type waitClasses struct {
	whole   *waitClass
	bySize  []*waitClass
	byValue []*waitClass
	column  int // of byValue
	at      map[int64]*waitClass
}

func newWaitClasses(d *Description, periods int) *waitClasses {
	w := &waitClasses{whole: newWaitClass("all", periods), at: map[int64]*waitClass{}}
	for i, from := range sizeBands {
		to := int64(math.MaxInt64)
		if i+1 < len(sizeBands) {
			to = sizeBands[i+1] - 1
		}
		w.bySize = append(w.bySize, newWaitClass(bandName(from, to, int64(d.Log.Processors)), periods))
	}
	if d.By == nil {
		return w
	}
	w.column = slices.IndexFunc(workload.Columns(), func(c workload.Column) bool { return c.Name == d.By.Column && c.Use == workload.Identifier })
	if w.column < 0 {
		return w
	}
	values := slices.Clone(d.By.Values)
	slices.SortStableFunc(values, func(a, b ByValue) int { return cmp.Compare(b.Jobs, a.Jobs) })
	for _, v := range values[:min(len(values), mostWaitValues)] {
		n, err := strconv.ParseInt(string(v.Value), 10, 64)
		if err != nil {
			continue // the jobs without a value
		}
		w.at[n] = newWaitClass(v.Label(), periods)
		w.byValue = append(w.byValue, w.at[n])
	}
	return w
}

// bandName names a class of sizes, which ends at the size of the machine at the latest.
func bandName(from, to, processors int64) string {
	if processors >= from {
		to = min(to, processors)
	}
	switch to {
	case from:
		return strconv.FormatInt(from, 10)
	case math.MaxInt64:
		return fmt.Sprintf("%d or more", from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

func newWaitClass(name string, periods int) *waitClass {
	c := &waitClass{name: name, periods: make([]waitSum, periods)}
	for i := range c.periods {
		c.periods[i].quantiles.Exact = periodExact
	}
	return c
}

func (c *waitClass) add(period int, wait float64) {
	c.whole.add(wait)
	if period >= 0 {
		c.periods[period].add(wait)
	}
}

func (w *waitClasses) add(s *slab, i, period int, wait float64) {
	if math.IsNaN(wait) {
		return
	}
	w.whole.add(period, wait)
	if n := s.size[i]; n >= sizeBands[0] {
		k := len(sizeBands) - 1
		for sizeBands[k] > n {
			k--
		}
		w.bySize[k].add(period, wait)
	}
	if len(w.byValue) > 0 {
		if c := w.at[s.Int(w.column, i)]; c != nil {
			c.add(period, wait)
		}
	}
}

// foundClasses leaves out classes without jobs.
func foundClasses(classes []*waitClass, periods []UsagePeriod) []WaitClass {
	out := []WaitClass{}
	for _, c := range classes {
		if c.whole.n > 0 {
			out = append(out, c.found(periods))
		}
	}
	return out
}

func (c *waitClass) found(periods []UsagePeriod) WaitClass {
	x := WaitClass{Name: c.name, WaitSummary: c.whole.summary(), Q90ByPeriod: []stats.Number{}}
	for i := range c.periods {
		q90 := stats.Number(math.NaN())
		if c.periods[i].n >= LeastPeriodWaits {
			q90 = c.periods[i].summary().Q90
		}
		x.Q90ByPeriod = append(x.Q90ByPeriod, q90)
	}
	x.Trend = trendOver(periods, func(k int) stats.Number { return x.Q90ByPeriod[k] })
	return x
}

// trendOver is the trend of a value of the complete periods, nil where too few have one.
func trendOver(periods []UsagePeriod, value func(k int) stats.Number) *stats.Trend {
	series := make([]float64, len(periods))
	for k, p := range periods {
		if series[k] = float64(value(k)); !p.Complete {
			series[k] = math.NaN()
		}
	}
	if t := stats.MannKendall(series); t.N >= leastTrend {
		return &t
	}
	return nil
}
