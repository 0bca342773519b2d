package fit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/workload"
)

// killedAtLimit says whether a job ended because its time was up: it ran for
// the time that was asked for it or longer, and did not complete. A job that
// completed in the time after its limit is no such job, nor is one whose
// status or limit is unknown.
func killedAtLimit(j *workload.Job) bool {
	switch j.Status {
	case workload.StatusFailed, workload.StatusLastFailed, workload.StatusCancelled:
		return j.Time > 0 && j.Run >= j.Time
	}
	return false
}

// withCensored adds to a sample of run times or work, made of counts, how many
// of its jobs were killed at their limit.
func (c *Collector) withCensored(a Attribute, s Sample) Sample {
	if len(c.killed) == 0 || a != RunTime && a != Work {
		return s
	}
	counts := map[float64]float64{}
	for k, n := range c.killed {
		counts[k.of(a)] += n
	}
	s.Censored = make([]float64, len(s.Values))
	for i, v := range s.Values {
		s.Censored[i] = counts[v]
	}
	return s
}

// addKilled counts a job that was killed at its limit.
func (c *Collector) addKilled(k shape, n float64) {
	if c.killed == nil {
		c.killed = map[shape]float64{}
	}
	c.killed[k] += n
}

// aboutCensoring are the warnings of a fit with Options.Censored.
func (t task) aboutCensoring() []string {
	if !t.options.Censored {
		return nil
	}
	n := 0.0
	for _, c := range t.sample.Censored {
		n += c
	}
	if t.attribute != RunTime && t.attribute != Work {
		return []string{fmt.Sprintf("only run times and work are censored: %s is fitted as it is", t.attribute)}
	}
	if n == 0 {
		return []string{"no job is known to have been killed at its limit: nothing is censored"}
	}
	return []string{fmt.Sprintf("%.0f jobs were killed at their limit and are censored in the likelihood; D is the distance from the Kaplan-Meier curve", n)}
}

// censors says whether jobs of the task are censored.
func (t task) censors() bool {
	if !t.options.Censored {
		return false
	}
	for _, c := range t.sample.Censored {
		if c > 0 {
			return true
		}
	}
	return false
}

// endedAfter says whether a job that ended at a value ran for longer than one
// that was killed at it: where values are rounded down. Elsewhere it counts as
// ended before (Kaplan and Meier 1958).
func (t task) endedAfter() bool { return t.options.Rounding == RoundedDown }

// atRisk returns, of the value i, the jobs that ended there, those that were
// killed there, and all that were still running when the ended ones ended and
// when the killed ones were killed. after is the jobs of greater values.
func (t task) atRisk(i int, after float64) (ended, killed, toEnd, toKill float64) {
	killed = t.sample.Censored[i]
	ended = t.sample.Counts[i] - killed
	if t.endedAfter() {
		return ended, killed, after + ended, after + ended + killed
	}
	return ended, killed, after + ended + killed, after + killed
}

// productLimit calls at, in ascending order, with each value where jobs end or, with
// killed, meet their limit: how many they are of those at risk, and the share of the
// law below the value and up to it, by Kaplan and Meier's (1958) estimate.
func (t task) productLimit(killed bool, at func(i int, events, risk, before, upTo float64)) {
	after := 0.0
	for _, c := range t.sample.Counts {
		after += c
	}
	above := 1.0
	for i, c := range t.sample.Counts {
		after = max(0, after-c)
		events, others, risk, otherRisk := t.atRisk(i, after)
		if killed {
			events, risk = others, otherRisk
		}
		if !(events > 0) {
			continue
		}
		before := 1 - above
		above *= (risk - events) / risk
		at(i, events, risk, before, 1-above)
	}
}

// kaplanMeier calls at, in ascending order, with each value of jobs that ended
// and the share of the law below it and up to it.
func (t task) kaplanMeier(at func(i int, before, upTo float64)) {
	t.productLimit(false, func(i int, _, _, before, upTo float64) { at(i, before, upTo) })
}

// censoredDistance is Kolmogorov and Smirnov's distance of the law from the
// Kaplan-Meier curve, at the values of jobs that ended: beyond the last of
// them the curve says nothing. Of rounded values the law is the
// rounded one.
func (t task) censoredDistance(law dist.Law) float64 {
	d := 0.0
	t.kaplanMeier(func(i int, before, upTo float64) {
		lo, hi := t.x[i], t.x[i]
		if t.options.Rounding != NoRounding {
			lo, hi = t.cell(lo)
		}
		d = max(d, math.Abs(law.CDF(lo)-before), math.Abs(upTo-law.CDF(hi)))
	})
	return d
}

// jobLimits is the law of the jobs' limits: of the jobs that get past all
// limits below values[i], shares[i] have their limit there. What is left after
// the last has no limit.
type jobLimits struct {
	values, shares []float64 // of the attribute itself, ascending
	below          []float64 // the share of all jobs with a limit up to values[i]
}

// limits is the Kaplan-Meier estimate of the law of the limits, in which a job
// that ended censors its limit. It takes limits and run times for independent.
func (t task) limits() jobLimits {
	var l jobLimits
	t.productLimit(true, func(i int, killed, risk, _, upTo float64) {
		l.values, l.shares, l.below = append(l.values, t.sample.Values[i]), append(l.shares, killed/risk), append(l.below, upTo)
	})
	return l
}

// draw draws a limit; +Inf for none.
func (l jobLimits) draw(rng *rand.Rand) float64 {
	u := rng.Float64()
	if i := sort.Search(len(l.below), func(i int) bool { return l.below[i] > u }); i < len(l.values) {
		return l.values[i]
	}
	return math.Inf(1)
}
