package population

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/stats"
)

// load measures how the work varies between whole weeks: its coefficient of variation and lag-1
// autocorrelation. The coefficient is at most that of the log-normal distribution with the same
// 10 and 90 % quantiles, because the standard deviation is inflated where one week is mostly one
// user's.
func (f *fitter) load() {
	l := &f.m.Load
	l.About = "work submitted by week: log-normal, first-order autocorrelation"
	n := int(f.span / week)
	if n < 3 {
		return
	}
	w := make([]float64, n)
	for _, j := range f.jobs {
		if k := int((j.submit - f.first) / week); k < n {
			w[k] += j.work()
		}
	}
	mean, lag := stat.Mean(w, nil), 0.0
	v := stat.MomentAbout(2, w, mean, nil) * float64(n)
	for i := range w[1:] {
		lag += (w[i+1] - mean) * (w[i] - mean)
	}
	l.Weeks = int64(n)
	if mean > 0 && v > 0 {
		l.CV, l.Lag1 = min(10, math.Sqrt(v/float64(n))/mean), population.Short(max(0, min(.95, lag/v)))
		slices.Sort(w)
		if low := stats.Quantile(w, .1); low > 0 {
			sigma := math.Log(stats.Quantile(w, .9)/low) / (2 * normal(.9))
			l.CV = min(l.CV, math.Sqrt(math.Expm1(sigma*sigma)))
		}
		l.CV = population.Short(l.CV)
	}
}

// cycle finds the shares of jobs submitted in each hour of the week or, in a short log, of the
// day.
func (f *fitter) cycle() {
	c := &f.m.Cycle
	c.About, c.Jobs = "jobs by hour of the week from Monday 0:00, or of the day, as shares", int64(len(f.jobs))
	c.Weights = make([]float64, int(f.period/3600))
	for _, j := range f.jobs {
		moment, _ := f.dayOf(j.submit)
		c.Weights[(24*weekday(moment)+moment.Hour())%len(c.Weights)]++
	}
	for h, n := range c.Weights {
		c.Weights[h] = population.Short(n / float64(len(f.jobs)))
	}
}
