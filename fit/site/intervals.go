package site

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Intervals contains confidence intervals of the parameters of a site's model.
type Intervals struct {
	Level      float64          `json:"level"`
	Method     string           `json:"method"` // fit.Percentile
	Weeks      int              `json:"weeks"`  // number of weeks with jobs, and of weeks in each draw
	Replicates int              `json:"replicates"`
	Seed       uint64           `json:"seed"`
	Classes    []ClassIntervals `json:"classes"` // the classes of the model, in its order
}

// ClassIntervals are the intervals of one class.
type ClassIntervals struct {
	Name  string     `json:"name" show:"class"` // as in ClassReport
	Label string     `json:"label"`
	Weeks int        `json:"weeks"` // number of weeks in which the class has jobs
	Of    []Interval `json:"parameters" row:"each"`
}

// Interval is a parameter of a class's model with its interval.
type Interval struct {
	Part       string       `json:"part" show:"of"`             // one of PartSizes and so on
	Name       string       `json:"parameter" show:"parameter"` // such as shape_1 of run_times
	Value      stats.Number `json:"value" show:"value"`
	Low        stats.Number `json:"low" show:"low"` // NaN if there is no interval (see Why)
	High       stats.Number `json:"high" show:"high"`
	Replicates int          `json:"replicates" show:"draws"`      // number of replicates that have the parameter
	Why        string       `json:"why,omitempty" show:"why not"` // why there is no interval; "" if there is one
}

// The parts of a class's model, as Interval names them.
const (
	PartSizes    = "sizes"
	PartRunTimes = "run_times"
	PartArrivals = "arrivals"
)

// parametersOf returns the parameters of a class's model that were fitted according to its
// report, except limits. Which ones these are depends on the jobs: a log of serial jobs has no
// law of parallel sizes.
func parametersOf(m model.Class, r ClassReport) (all []Interval) {
	add := func(part, name string, value float64) {
		if !math.IsNaN(value) && !math.IsInf(value, 0) {
			all = append(all, Interval{Part: part, Name: name, Value: stats.Number(value)})
		}
	}
	laws := func(part, prefix string, law dist.Law) {
		for _, p := range dist.Parameters(law) {
			add(part, prefix+p.Name, p.Value)
		}
	}
	if r.Sizes.N > 0 && !r.Sizes.FromJobs {
		sizes := m.Sizes.(*model.TwoStageSizes)
		add(PartSizes, "serial_share", sizes.SerialShare)
		if r.Sizes.Parallel > 0 {
			add(PartSizes, "power_of_two_share", sizes.PowerOfTwoShare)
			laws(PartSizes, "log2_", sizes.Log2)
		}
	}
	if r.RunTimes.Law.Law != nil {
		times := m.RunTimes.(*model.GammaRunTimes)
		laws(PartRunTimes, "", times.Law.HyperGamma)
		add(PartRunTimes, "p_intercept", times.PIntercept)
		if len(r.RunTimes.Groups) > 1 && r.RunTimes.Form != FormConstant {
			add(PartRunTimes, "p_slope", times.PSlope)
		}
	}
	if r.Arrivals.Peak.Law == nil {
		return all
	}
	if r.Arrivals.AllHours {
		laws(PartArrivals, "all_hours_", m.Arrivals.Peak.Gamma)
	} else {
		laws(PartArrivals, "peak_", m.Arrivals.Peak.Gamma)
		add(PartArrivals, "arar", m.Arrivals.ARAR)
	}
	if r.Arrivals.Cycle != nil {
		laws(PartArrivals, "cycle_", m.Arrivals.Cycle)
		if g := m.Arrivals.Cycle; g.Shape > 1 {
			add(PartArrivals, "cycle_mode_h", slotHour((g.Shape-1)*g.Scale))
		}
	}
	if w := r.Arrivals.Week; w != nil {
		for d, weight := range w {
			add(PartArrivals, "week_"+strings.ToLower(time.Weekday(d).String()), weight)
		}
	}
	return all
}

// slotHour returns the hour of a point on the axis of slot numbers, where slot k extends from
// k-1/2 to k+1/2. It is 5 to 29 hours after midnight, because the day of the cycle begins at
// 5:00.
func slotHour(slot float64) float64 { return (slot - 0.5) / 2 }

const (
	// fewestWeeks is the smallest number of weeks with jobs: draws from fewer do not show how
	// much weeks differ.
	fewestWeeks = 8
	level       = 0.95
)

// drawIntervals returns percentile intervals of the parameters of the model
// that Fit has fitted to classes, whose collectors have kept their weeks
// (fit.CollectOptions.Weeks), with the same options. drawn, which may be nil, is called after each draw
// has been fitted, from any goroutine.
//
// It is a bootstrap of weeks: the weeks of the log with jobs are drawn with replacement, as many
// as there are, the same for all classes, and the site is fitted to the jobs of the weeks drawn.
// The jobs of one week are similar (users work on one thing, a machine is down), and its days and
// hours belong together, so drawing single jobs or days would give far too short intervals; weeks
// are taken as independent of each other (Künsch 1989, "The jackknife and the bootstrap for
// general stationary observations"; Davison and Hinkley 1997, "Bootstrap methods and their
// application", section 8.2.3). The intervals are too short for a log that grows or changes over
// months. The interarrival time before a week's first job belongs to that week, so no
// interarrival time is counted that was not in the log. Jobs without a submission time are in no
// week and not drawn.
//
// Mixtures are refitted starting from the estimate of the whole log, so an interval is for the
// local optimum of the model. Everything else is fitted as in Fit. An interval is for one
// parameter alone; the interval of a share stays within [0, 1]. Shape and scale of one law are
// strongly correlated: their product is known far better than either of them. There are no
// intervals for limits (max_ln), which are the largest values seen and which no resample exceeds,
// nor for parameters that are missing from a third of the draws or more. The ends of the law of
// sizes (log2_low, log2_high) change in steps, so their intervals are rough.
//
// It is an error if fewer than 8 weeks have jobs, or more than 520; a class with jobs in fewer
// than 8 weeks has no intervals. The distinct values of each week, and one fitted log for each
// goroutine, are held in memory.
func drawIntervals(classes []fit.Class, clock workload.Clock, site model.Site, report Report, o Options, drawn func()) (*Intervals, error) {
	weeks, ok := fit.WeeksOf(classes)
	if !ok {
		return nil, errors.New("no intervals of the site's parameters: the log has jobs in more than 520 weeks")
	}
	if n := len(weeks); n < fewestWeeks {
		return nil, fmt.Errorf("too few weeks for intervals of the site's parameters: %d with jobs, want at least %d", n, fewestWeeks)
	}
	workers := o.Fit.Workers
	out := &Intervals{Level: level, Method: fit.Percentile, Weeks: len(weeks), Replicates: o.SiteReplicates, Seed: o.Fit.Seed, Classes: []ClassIntervals{}}
	o.Fit.Workers = 1 // draws run in parallel
	refits := make([]*refit, len(report.Classes))
	for k := range refits {
		r := &report.Classes[k]
		at := slices.IndexFunc(classes, func(c fit.Class) bool { return c.Label() == r.Label })
		refits[k] = &refit{weeks.Of(classes[at]), fitter{o, clock, r}, parametersOf(site.Classes[k], *r)}
		out.Classes = append(out.Classes, ClassIntervals{Name: r.Name, Label: r.Label, Weeks: refits[k].Busy, Of: refits[k].parameters})
	}
	draws := make([][][]float64, o.SiteReplicates) // by class and parameter
	par.Each(workers, len(draws), func(n int) {
		times := make([]int, len(weeks))
		stats.DrawTimes(rand.New(rand.NewPCG(o.Fit.Seed, uint64(n))), times)
		for _, refit := range refits {
			draws[n] = append(draws[n], refit.drawn(times))
		}
		if drawn != nil {
			drawn()
		}
	})
	for k, c := range out.Classes {
		for i := range c.Of {
			var values []float64
			for _, d := range draws {
				if !math.IsNaN(d[k][i]) {
					values = append(values, d[k][i])
				}
			}
			c.Of[i].between(values, len(draws), c.Weeks)
		}
	}
	return out, nil
}

// between sets the interval from the values of the draws that determine the parameter. draws is
// the number of all draws, and weeks that of the weeks in which the class has jobs.
func (i *Interval) between(values []float64, draws, weeks int) {
	i.Low, i.High, i.Replicates = stats.Number(math.NaN()), stats.Number(math.NaN()), len(values)
	switch fewest := fit.FewestReplicates(level); {
	case weeks < fewestWeeks:
		i.Why = fmt.Sprintf("the class has jobs in %d of the weeks, want at least %d", weeks, fewestWeeks)
	case 3*(draws-len(values)) >= draws:
		i.Why = fmt.Sprintf("%d of %d draws do not determine it", draws-len(values), draws)
	case len(values) < fewest:
		i.Why = fmt.Sprintf("%d of %d draws determine it, want at least %d for the level %g", len(values), draws, fewest, level)
	default:
		low, high := fit.Percentiles(values, level)
		i.Low, i.High = stats.Number(low), stats.Number(high)
	}
}

// refit fits a class to draws of its weeks.
type refit struct {
	fit.ClassWeeks
	fitter
	parameters []Interval // without their intervals
}

// drawn returns the values of the parameters in a draw, NaN for those that it does not have.
func (f *refit) drawn(times []int) []float64 {
	values := make([]float64, len(f.parameters))
	for i := range values {
		values[i] = math.NaN()
	}
	if f.Busy < fewestWeeks {
		return values
	}
	var m model.Class
	var r ClassReport
	c := f.ClassWeeks.Drawn(times)
	sizes, err := f.sizes(c, &r)
	if m.Sizes = sizes; err != nil {
		r.Sizes = SizesReport{}
	}
	m.RunTimes, _ = f.runTimes(c, &r)
	m.Arrivals, _ = f.arrivals(c, &r)
	for _, p := range parametersOf(m, r) {
		if at := slices.IndexFunc(f.parameters, func(q Interval) bool { return q.Part == p.Part && q.Name == p.Name }); at >= 0 {
			values[at] = float64(p.Value)
		}
	}
	return values
}
