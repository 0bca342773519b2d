package fit

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/loadstone-hpc/loadstone/dist"
)

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

// kaplanMeier calls at, in ascending order, with each value of jobs that ended
// and the share of the law below it and up to it, by Kaplan and Meier's (1958)
// estimate.
func (t task) kaplanMeier(at func(i int, before, upTo float64)) {
	after := 0.0
	for _, c := range t.sample.Counts {
		after += c
	}
	above := 1.0
	for i, c := range t.sample.Counts {
		after = max(0, after-c)
		ended, _, risk, _ := t.atRisk(i, after)
		if !(ended > 0) {
			continue
		}
		before := 1 - above
		above *= (risk - ended) / risk
		at(i, before, 1-above)
	}
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
	after := 0.0
	for _, c := range t.sample.Counts {
		after += c
	}
	above := 1.0
	for i, c := range t.sample.Counts {
		after = max(0, after-c)
		_, killed, _, risk := t.atRisk(i, after)
		if !(killed > 0) {
			continue
		}
		above *= (risk - killed) / risk
		l.values, l.shares, l.below = append(l.values, t.sample.Values[i]), append(l.shares, killed/risk), append(l.below, 1-above)
	}
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
