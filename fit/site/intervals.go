package site

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// IntervalOptions are the options of DrawIntervals. The zero value is the
// default.
type IntervalOptions struct {
	Replicates int     // number of draws; 0 means 99
	Level      float64 // of the intervals, in (0, 1); 0 means 0.95
	Seed       uint64
	Workers    int    // goroutines; 0 means one for each core. The result does not depend on it
	Replicated func() // called after each draw has been fitted, from any goroutine; may be nil
}

// Intervals contains confidence intervals of the parameters of a site's model.
type Intervals struct {
	Level      float64          `json:"level"`
	Method     string           `json:"method"`      // fit.Percentile
	BlockWeeks int64            `json:"block_weeks"` // length of a block, in weeks
	Blocks     int              `json:"blocks"`      // number of blocks with jobs, and of blocks in each draw
	Replicates int              `json:"replicates"`
	Seed       uint64           `json:"seed"`
	Classes    []ClassIntervals `json:"classes"` // those of the model, in its order
}

// ClassIntervals are the intervals of one class.
type ClassIntervals struct {
	Name   string     `json:"name" show:"class"` // as ClassReport's
	Label  string     `json:"label"`
	Blocks int        `json:"blocks"` // blocks of weeks in which the class has jobs
	Of     []Interval `json:"parameters" row:"each"`
}

// Interval is a parameter of a class's model with its interval.
type Interval struct {
	Part       string       `json:"part" show:"of"`             // one of PartSizes and so on
	Name       string       `json:"parameter" show:"parameter"` // as docs/reference/formats.md lists them
	Value      stats.Number `json:"value" show:"value"`
	Low        stats.Number `json:"low" show:"low"` // NaN if there is no interval (see Why)
	High       stats.Number `json:"high" show:"high"`
	Replicates int          `json:"replicates" show:"draws"`      // replicates that have the parameter
	Why        string       `json:"why,omitempty" show:"why not"` // why there is no interval; else empty
}

// Interval returns the interval of a parameter, given the label of the class,
// the part and the name; false if there is none.
func (s *Intervals) Interval(label, part, name string) (Interval, bool) {
	if s == nil {
		return Interval{}, false
	}
	for _, c := range s.Classes {
		for _, i := range c.Of {
			if c.Label == label && i.Part == part && i.Name == name && !math.IsNaN(float64(i.Low)) {
				return i, true
			}
		}
	}
	return Interval{}, false
}

const (
	// fewestWeeks is how many weeks with jobs a log needs: of fewer the draws
	// say nothing of how weeks differ.
	fewestWeeks       = 8
	defaultReplicates = 99
)

// ErrFewWeeks is the cause of the error of DrawIntervals if the log is too
// short.
var ErrFewWeeks = errors.New("too few weeks for intervals")

// DrawIntervals returns percentile intervals of the parameters of the model
// that FitClasses has fitted to classes, whose collectors have kept their weeks
// (CollectOptions.Weeks), with the same options.
//
// It is a bootstrap of blocks: the weeks of the log that have jobs are drawn
// with replacement, as many as there are, the same for all classes, and the
// site is fitted to the jobs of the weeks drawn. The jobs of one week are alike
// (users work on one thing, a machine is down), and its days and hours belong
// together, so drawing single jobs or days would give far too short intervals;
// weeks are taken as independent of each other (Künsch 1989, "The jackknife and
// the bootstrap for general stationary observations"; Davison and Hinkley 1997,
// "Bootstrap methods and their application", section 8.2.3). The intervals are
// too short for a log that grows or changes over months. The interarrival time
// before a week's first job belongs to that week, so no interarrival time is
// counted that was not in the log. Jobs without a submission time are in no
// week and not drawn.
//
// Mixtures are refitted starting from the estimate of the whole log, so an
// interval is for the local optimum of the model. Everything else is fitted as
// in FitClasses. An interval is for one parameter alone, and that of a share
// stays within [0, 1]. Shape and scale of one law are strongly correlated:
// their product is known far better than either of them. There are no intervals
// for limits (max_ln) and for parameters that are missing from more than a
// third of the draws. The ends of the law of sizes (log2_low, log2_high) change
// in steps, so their intervals are rough.
//
// It is an error if an option is out of range, if weeks were not kept, or if
// fewer than 8 weeks have jobs (ErrFewWeeks); a class with fewer has no
// intervals. Memory holds the distinct values of each week, of at most 520
// blocks of weeks, and a fitted log for each goroutine.
func DrawIntervals(classes []fit.Class, clock workload.Clock, site model.Site, report Report, o Options, i IntervalOptions) (Intervals, error) {
	i, err := i.filled()
	if err != nil {
		return Intervals{}, err
	}
	if err := o.Validate(); err != nil {
		return Intervals{}, err
	}
	if n := len(report.Classes) + len(report.Fallbacks); len(site.Classes) != n {
		return Intervals{}, fmt.Errorf("a model of %d classes and a report of %d, want those of one fit", len(site.Classes), n)
	}
	weeks, ok := fit.WeeksOf(classes)
	if !ok {
		return Intervals{}, errors.New("the weeks were not kept while the jobs were collected: want CollectOptions.Weeks, and jobs in at most 520 weeks")
	}
	if n := len(weeks); n < fewestWeeks {
		return Intervals{}, fmt.Errorf("%w of the site's parameters: %d %s jobs, want at least %d", ErrFewWeeks, n, weekWords(n), fewestWeeks)
	}
	out := Intervals{Level: i.Level, Method: fit.Percentile, BlockWeeks: 1, Blocks: len(weeks), Replicates: i.Replicates, Seed: i.Seed, Classes: []ClassIntervals{}}
	o = o.filled()
	o.MinJobs = 1 // what the jobs determine is fitted
	refits := make([]*classRefit, len(report.Classes))
	for k, r := range report.Classes {
		at := slices.IndexFunc(classes, func(c fit.Class) bool { return c.Label() == r.Label })
		if at < 0 {
			return Intervals{}, fmt.Errorf("class %s of the report is not among those collected", r.Label)
		}
		refits[k] = newClassRefit(weeks.Of(classes[at]), clock, o, site.Classes[k], r)
	}
	draws := make([][][]float64, i.Replicates) // by class and parameter
	par.Each(i.Workers, i.Replicates, func(n int) {
		draws[n] = make([][]float64, len(refits))
		times := make([]int, len(weeks))
		stats.DrawTimes(rand.New(rand.NewPCG(i.Seed, uint64(n))), times)
		for k, refit := range refits {
			draws[n][k] = refit.drawn(times)
		}
		if i.Replicated != nil {
			i.Replicated()
		}
	})
	for k, refit := range refits {
		values := make([][]float64, i.Replicates)
		for n := range draws {
			values[n] = draws[n][k]
		}
		out.Classes = append(out.Classes, refit.intervals(values, i.Level))
	}
	return out, nil
}

func weekWords(n int) string {
	if n == 1 {
		return "week has"
	}
	return "weeks have"
}

func (i IntervalOptions) filled() (IntervalOptions, error) {
	if i.Level == 0 {
		i.Level = fit.DefaultLevel
	}
	if !(i.Level > 0 && i.Level < 1) {
		return i, fmt.Errorf("level of the intervals is %g, want one between 0 and 1", i.Level)
	}
	if i.Replicates == 0 {
		i.Replicates = max(defaultReplicates, fit.FewestReplicates(i.Level))
	}
	if fewest := fit.FewestReplicates(i.Level); i.Replicates < fewest {
		return i, fmt.Errorf("replicates is %d, want at least %d for intervals at the level %g", i.Replicates, fewest, i.Level)
	}
	return i, nil
}
