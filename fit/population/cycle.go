package population

import (
	"math"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// opening is the begin of a session, in hours of the day of the week that it is on.
type opening struct {
	day  int     // of the cycle
	from float64 // when its user was free for a new session
	at   float64
	left float64 // sessions that the user began on this day, from this one on
}

// pause is the longest pause within a session, in hours.
const pause = 1

// openings are the beginnings of all sessions.
func (c *Collector) openings(clock workload.Clock, days int) (out []opening) {
	type last struct {
		submit float64
		of     []int // openings of the day
		day    float64
	}
	users := map[int64]*last{}
	for i := range c.jobs {
		j := &c.jobs[i]
		l := users[j.user]
		if l == nil {
			l = &last{submit: math.Inf(-1)}
			users[j.user] = l
		}
		if j.bag == opens {
			t := clock.At(j.submit)
			h, m, s := t.Clock()
			midnight := j.submit - float64(3600*h+60*m+s)
			if midnight != l.day {
				l.day, l.of = midnight, l.of[:0]
			}
			o := opening{from: math.Max(0, (l.submit-midnight)/3600+pause), at: math.Min(23.9999, (j.submit-midnight)/3600)}
			o.from = math.Min(o.from, o.at)
			if days > 1 {
				o.day = (int(t.Weekday()) + 6) % 7
			}
			l.of = append(l.of, len(out))
			out = append(out, o)
			for _, k := range l.of {
				out[k].left++
			}
		}
		l.submit = j.submit
	}
	return out
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
func (c *Collector) cycle(clock workload.Clock, period float64) population.Cycle {
	hours := int(period / 3600)
	y := population.Cycle{About: "how likely a free user is to begin a session, by hour of the week", Weights: make([]float64, hours)}
	all := c.openings(clock, hours/24)
	y.Jobs = int64(len(all))
	begun, w := make([]float64, hours), y.Weights
	for _, o := range all {
		begun[24*o.day+int(o.at)]++
	}
	copy(w, begun)
	exposed := make([]float64, hours)
	for range cycleRounds {
		clear(exposed)
		for _, o := range all {
			of := w[24*o.day : 24*o.day+24]
			expose(exposed[24*o.day:], of, o.from, o.left)
			expose(exposed[24*o.day:], of, o.at, 1-o.left)
		}
		for h, n := range begun {
			if exposed[h] > 0 {
				w[h] = n / exposed[h]
			}
		}
		for d := 0; d < hours; d += 24 {
			n, sum := 0.0, 0.0
			for h := range 24 {
				n, sum = n+begun[d+h], sum+w[d+h]
			}
			for h := range 24 {
				w[d+h] *= n / math.Max(sum, 1e-300)
			}
		}
	}
	for h := range w {
		w[h] = population.Short(w[h] / float64(len(all)))
	}
	return y
}

// expose spreads n over the hours from a moment on, over their weights from then on.
func expose(exposed, weights []float64, from, n float64) {
	first := int(from)
	sum := weights[first] * (float64(first+1) - from)
	for _, w := range weights[first+1:] {
		sum += w
	}
	if n == 0 || !(sum > 0) {
		return
	}
	exposed[first] += n / sum * (float64(first+1) - from)
	for h := first + 1; h < 24; h++ {
		exposed[h] += n / sum
	}
}
