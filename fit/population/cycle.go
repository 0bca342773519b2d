package population

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/stats"
)

// load finds how the work of whole weeks varies: by its 10 and 90 % quantiles where these
// are closer than its standard deviation, as where one week is mostly one user's.
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

// opening is the begin of a session, in hours of the day of the week that it is on.
type opening struct {
	day  int     // of the cycle
	from float64 // when its user was free for a new session
	at   float64
	left float64 // sessions that the user began on this day, from this one on
}

// pause is the longest pause within a session, in hours.
const pause = 1

// openings are the beginnings of a user's sessions, on as many days as the cycle has.
func (f *fitter) openings(p *person, days int) (all []opening) {
	today, last := 0, math.Inf(-1) // openings from today's first on, and the midnight before
	for i, j := range p.jobs {
		if j.bag != opens {
			continue
		}
		moment, midnight := f.dayOf(j.submit)
		if midnight != last {
			today, last = len(all), midnight
		}
		o := opening{at: math.Min(23.9999, (j.submit-midnight)/3600)}
		if i > 0 {
			o.from = math.Min(o.at, math.Max(0, (p.jobs[i-1].submit-midnight)/3600+pause))
		}
		if days > 1 {
			o.day = weekday(moment)
		}
		all = append(all, o)
		for k := range all[today:] {
			all[today+k].left++
		}
	}
	return all
}

// cycleRounds are those in which the weights are found.
const cycleRounds = 20

// cycle finds by hour how likely users that are free are to begin a session: the weights
// by which what the log has is likeliest, if the next of n sessions of a day begins at
// the first of n moments drawn by them from when its user is free to midnight. The
// derivative by a weight is zero where
//
//	beginnings / weight = sum of n / (weights from free on) - (n - 1) / (weights from the beginning on).
//
// Days have the shares of the sessions that begin on them.
func (f *fitter) cycle() {
	hours := int(f.period / 3600)
	w, begun, exposed := make([]float64, hours), make([]float64, hours), make([]float64, hours)
	var all []opening
	for _, p := range f.people {
		all = append(all, f.openings(p, hours/24)...)
	}
	for _, o := range all {
		begun[24*o.day+int(o.at)]++
	}
	copy(w, begun)
	for range cycleRounds {
		clear(exposed)
		for _, o := range all {
			weights := w[24*o.day : 24*o.day+24]
			expose(exposed[24*o.day:], weights, o.from, o.left)
			expose(exposed[24*o.day:], weights, o.at, 1-o.left)
		}
		for h, n := range begun {
			if exposed[h] > 0 {
				w[h] = n / exposed[h]
			}
		}
		for d := 0; d < hours; d += 24 {
			n, sum := 0.0, 0.0
			for h := d; h < d+24; h++ {
				n, sum = n+begun[h], sum+w[h]
			}
			for h := d; h < d+24; h++ {
				w[h] *= n / math.Max(sum, 1e-300)
			}
		}
	}
	for h := range w {
		w[h] = population.Short(w[h] / float64(len(all)))
	}
	f.m.Cycle = population.Cycle{About: "how likely a free user is to begin a session, by hour of the week", Jobs: int64(len(all)), Weights: w}
}

// expose spreads n over the hours from a moment on, over their weights from then on.
func expose(exposed, weights []float64, from, n float64) {
	first := int(from)
	rest := float64(first+1) - from // of the first hour
	sum := weights[first] * rest
	for _, w := range weights[first+1:] {
		sum += w
	}
	if n == 0 || !(sum > 0) {
		return
	}
	exposed[first] += n / sum * rest
	for h := first + 1; h < 24; h++ {
		exposed[h] += n / sum
	}
}
