package site

import (
	"math"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

// The parts of a class's model, as Interval names them.
const (
	PartSizes    = "sizes"
	PartRunTimes = "run_times"
	PartWork     = "work"
	PartArrivals = "arrivals"
)

// parameter is a number of a class's model.
type parameter struct {
	part, name string
	value      float64
	fixed      string // why it has no interval, whatever the replicates say
}

// parametersOfClass lists the numbers of a class's model that its report
// determines. Which they are depends on the jobs: a log of serial jobs has no
// law of parallel sizes.
func parametersOfClass(m model.Class, r ClassReport) []parameter {
	var all []parameter
	part := ""
	add := func(name string, value float64) {
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			all = append(all, parameter{part: part, name: name, value: value})
		}
	}
	limit := func(value float64) {
		all = append(all, parameter{part, "max_ln", value, "it is the largest value seen, which no resampling goes beyond"})
	}
	laws := func(law dist.Law) {
		for _, p := range dist.Parameters(law) {
			add(p.Name, p.Value)
		}
	}

	if part = PartSizes; r.Sizes.N > 0 && !r.Sizes.FromJobs {
		l := m.Lublin()
		add("serial_share", l.Sizes.SerialShare)
		if r.Sizes.Parallel > 0 {
			add("power_of_two_share", l.Sizes.PowerOfTwoShare)
			add("log2_low", l.Log2.Low)
			add("log2_mid", l.Log2.Mid)
			add("log2_high", l.Log2.High)
			add("log2_p", l.Log2.P)
		}
	}
	if part = PartRunTimes; r.RunTimes.Law.Law != nil {
		l := m.Lublin().RunTimes
		laws(l.Law)
		add("p_intercept", l.PIntercept)
		if len(r.RunTimes.Groups) > 1 && r.RunTimes.Form != FormConstant {
			add("p_slope", l.PSlope)
		}
		limit(l.MaxLn)
	}
	if part = PartWork; r.Work != nil {
		laws(m.Work.Law)
		limit(m.Work.MaxLn)
	}
	if part = PartArrivals; r.Arrivals.Peak.Law == nil {
		return all
	}
	l := m.Lublin()
	if r.Arrivals.AllHours {
		add("all_hours_shape", l.Gaps.Peak.Shape)
		add("all_hours_scale", l.Gaps.Peak.Scale)
	} else {
		add("peak_shape", l.Gaps.Peak.Shape)
		add("peak_scale", l.Gaps.Peak.Scale)
		add("arar", l.Gaps.ARAR)
	}
	if r.Arrivals.Cycle != nil {
		add("cycle_shape", l.Cycle.Shape)
		add("cycle_scale", l.Cycle.Scale)
		if g := l.Cycle; g.Shape > 1 {
			add("cycle_mode_h", slotHour((g.Shape-1)*g.Scale))
		}
	}
	if w := r.Arrivals.Week; w != nil {
		for d, weight := range w.Weights {
			add("week_"+strings.ToLower(time.Weekday(d).String()), weight)
		}
	}
	limit(l.Gaps.MaxLn)
	return all
}

// slotHour is the hour of a place among the half hours, of which number k is
// from k-1/2 to k+1/2: 5 to 29 hours after midnight, for the day of the cycle
// begins at 5:00.
func slotHour(slot float64) float64 { return (slot - 0.5) / 2 }
