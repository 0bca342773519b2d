package score

import (
	"fmt"
	"math"
	"reflect"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// CheckOptions are the options of CheckModel.
type CheckOptions struct {
	// FalseAlarm is the probability that a workload generated from the model
	// fails any of the checks; 0 means DefaultFalseAlarm.
	FalseAlarm float64
	// Load is the offered load to which the arrivals were scaled; 0 if they
	// were not scaled.
	Load float64
}

// DefaultFalseAlarm is the default of CheckOptions.FalseAlarm: one in a
// million.
const DefaultFalseAlarm = 1e-6

// Check is one comparison of a workload with its model.
type Check struct {
	Class     string       `json:"class"`     // of the model; "" for all
	What      string       `json:"check"`     // "size", "run_time", "run_time of sizes 3-4", "interarrival", "daily_cycle", "offered_load"
	Statistic string       `json:"statistic"` // "D", "chi_square", "difference"
	N         int64        `json:"jobs"`      // for the daily cycle, only those of whole days
	Value     stats.Number `json:"value"`
	Tolerance stats.Number `json:"tolerance"` // a Value above it fails the check
	// Model and Got are the two offered loads whose difference Value is; NaN
	// for other statistics.
	Model stats.Number `json:"of_model"`
	Got   stats.Number `json:"of_log"`
	Why   string       `json:"why,omitempty"` // the reason if it was not checked, else ""
}

// Passed reports whether the check was made and Value does not exceed
// Tolerance.
func (c Check) Passed() bool { return c.Why == "" && c.Value <= c.Tolerance }

// Failed reports whether the check was made and Value exceeds Tolerance.
func (c Check) Failed() bool { return c.Why == "" && !(c.Value <= c.Tolerance) }

// ModelCheck is the result of CheckModel: how well a workload agrees with the
// model from which it was generated.
type ModelCheck struct {
	Model      string  `json:"model"`
	FalseAlarm float64 `json:"false_alarm"` // probability, over all checks
	Checks     []Check `json:"checks"`
}

// Agrees reports whether at least one check was made and none failed.
func (m ModelCheck) Agrees() bool {
	passed := false
	for _, c := range m.Checks {
		if c.Failed() {
			return false
		}
		passed = passed || c.Passed()
	}
	return passed
}

// CheckModel checks a workload against the model that it was generated from, for the
// machine that it was generated for: of each class the sizes, the run times, over all
// sizes and by sizes (p(size)), the interarrival times and the daily cycle; and the
// offered load. p was made with ProfileOptions.Model, and By the model's column where
// the model has several classes; nothing can be added to it afterwards.
//
// The tolerances are bounds that hold for any number of jobs, from the false
// alarm rate divided by the number of checks:
//
//   - D is of the model's laws with their cut, times rounded down to whole
//     seconds as generated ones are. It is exceeded with probability 2
//     exp(-2 n D²) at the most: Dvoretzky, Kiefer and Wolfowitz (1956), with
//     Massart's constant (1990). Jobs of a class are independent, as generated.
//   - Interarrival times are taken in the time in which the model has one law
//     for them (a half hour lasts as long as its weight, times its weekday's
//     where there is a weekly cycle). Whole seconds move each by the largest
//     weight, and D is what is left beyond that.
//   - The cycle's measure is Lublin and Feitelson's sum of (m-d)²/(m+d), over
//     whole days. It is a quadratic form in the 48 counts, whose covariance is
//     estimated from day to day, because arrivals in bursts vary far more than
//     independent ones would; its tail is Laurent and Massart's (2000) bound
//     for normal counts, which is why 30 days are needed.
//   - The load is bounded by Bernstein's inequality for the mean work and the
//     mean interarrival time, with the variances and the cuts of the model.
//     Laws of ln t have heavy tails, so this tolerance is wide.
func CheckModel(p *Profile, site model.Site, o CheckOptions) ModelCheck {
	p.order.Finish()
	if !(o.FalseAlarm > 0 && o.FalseAlarm < 1) {
		o.FalseAlarm = DefaultFalseAlarm
	}
	m := ModelCheck{Model: site.Name, FalseAlarm: o.FalseAlarm}
	var classes []*classCheck
	for _, c := range site.Classes {
		k := &classCheck{class: c, processors: site.Processors, stretch: 1, part: &p.part, site: &site}
		if o.Load > 0 {
			k.stretch = site.OfferedLoad() / o.Load
		}
		if len(site.Classes) > 1 {
			k.part = nil
			if p.options.By == c.Column {
				k.part = p.classes[workload.ClassKey{c.Value}]
			}
			k.absent = fmt.Sprintf("no job has %s %d", c.Column, c.Value)
			if p.lost > 0 {
				k.absent = fmt.Sprintf("the check keeps the first %d classes that have jobs", MostClasses)
			}
		}
		k.stretch *= c.Arrivals.Pace()
		k.clock = p.options.Clock
		classes = append(classes, k)
	}
	// Twice: the first time to know how many checks there are.
	checks := func(alarm float64) (all []Check) {
		for _, k := range classes {
			all = append(all, k.checks(alarm)...)
		}
		return append(all, checkLoad(classes, site, o, alarm))
	}
	made := 0
	for _, c := range checks(o.FalseAlarm) {
		if c.Why == "" {
			made++
		}
	}
	m.Checks = checks(o.FalseAlarm / float64(max(1, made)))
	return m
}

// classCheck is one class with its jobs.
type classCheck struct {
	class      model.Class
	site       *model.Site
	processors int64
	stretch    float64 // of interarrival times
	part       *part   // nil where the class cannot be told
	absent     string  // why part is nil
	clock      workload.Clock
	laws       *laws // found when they are needed first
}

func (k *classCheck) checks(alarm float64) []Check {
	name := k.class.Name
	if len(k.site.Classes) == 1 {
		name = ""
	}
	var all []Check
	add := func(c Check) {
		c.Class = name
		if c.Statistic != "difference" {
			c.Model, c.Got = stats.Number(missing), stats.Number(missing)
		}
		if c.Why != "" {
			c.Value, c.Tolerance = stats.Number(missing), stats.Number(missing)
		}
		all = append(all, c)
	}
	why := k.unknownParts()
	for _, c := range []Check{k.size(alarm, why), k.runTime(alarm, why)} {
		add(c)
	}
	if why.sizes == "" && why.runTimes == "" && k.part != nil {
		for _, c := range k.runTimesBySize(alarm) {
			add(c)
		}
	}
	add(k.interarrival(alarm, why))
	add(k.cycle(alarm, why))
	return all
}

// unknown says of each part of a class why it cannot be checked, "" where it
// can.
type unknown struct{ sizes, runTimes, arrivals string }

// unknownParts finds parts of the model that this check knows nothing of: what
// a later version of package model adds must not pass as checked.
func (k *classCheck) unknownParts() unknown {
	if k.part == nil {
		return unknown{k.absent, k.absent, k.absent}
	}
	if k.part.jobs == 0 {
		return unknown{"no jobs", "no jobs", "no jobs"}
	}
	const more = "the model has parts of %s that this check does not know"
	if s := *k.site; !reflect.DeepEqual(s, model.Site{Schema: s.Schema, Name: s.Name, Source: s.Source, Processors: s.Processors, Classes: s.Classes, Check: s.Check}) {
		why := fmt.Sprintf(more, "the whole site, by which jobs may depend on each other")
		return unknown{why, why, why}
	}
	c, none := k.class, unknown{}
	l, r := c.Lublin(), c.RunTimes
	if l.RunTimes == (model.LnRunTimes{}) {
		none.runTimes = fmt.Sprintf(more, "run times")
	}
	s := c.Sizes
	if l.Log2 == (dist.TwoStageUniform{}) {
		none.sizes = fmt.Sprintf(more, "sizes")
		none.runTimes = none.sizes
	}
	a := c.Arrivals
	plain := model.Arrivals{Method: a.Method, Gaps: l.Gaps, MeanSeconds: a.MeanSeconds, Week: a.Week}
	if l.Cycle != (dist.Gamma{}) {
		plain.Cycle = model.GammaCycle(l.Cycle)
	}
	if a != plain {
		none.arrivals = fmt.Sprintf(more, "arrivals")
	} else if a.Method != model.SlotWeights && a.Method != model.Stationary {
		none.arrivals = fmt.Sprintf("arrivals by the method %s have no one distribution", a.Method)
	}
	if !reflect.DeepEqual(c, model.Class{Name: c.Name, Column: c.Column, Value: c.Value, Jobs: c.Jobs, Sizes: s, RunTimes: r, Arrivals: a, Work: c.Work, Estimates: c.Estimates}) {
		for _, why := range []*string{&none.sizes, &none.runTimes, &none.arrivals} {
			if *why == "" {
				*why = fmt.Sprintf(more, "the class")
			}
		}
	}
	return none
}

// band is the largest D that n independent values of a law reach, but for a
// false alarm.
func band(n int, alarm float64) float64 {
	return math.Sqrt(math.Log(2/alarm) / (2 * float64(n)))
}

// bernstein bounds how far the mean of n independent values of variance v, no
// further than most from their mean, is from it, but for a false alarm.
func bernstein(n int, v, most, alarm float64) float64 {
	t := math.Log(2 / alarm)
	return math.Sqrt(2*v*t/float64(n)) + most*t/(3*float64(n))
}

// interarrivals is the law of the interarrival times in the model's time.
func (k *classCheck) interarrivals() dist.Ln {
	return dist.Ln{Inner: k.class.Arrivals.Law(), MaxLn: k.class.Lublin().Gaps.MaxLn}
}
