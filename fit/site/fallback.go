package site

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Source tells where a part of a class's model comes from.
type Source string

// The sources.
const (
	FromFit  Source = "fitted"   // to the class's jobs
	FromJobs Source = "its jobs" // the observed values with their shares
	FromPool Source = "pooled"   // fitted to the jobs of all classes that could not be fitted, or to all jobs
)

// FallbackClass is a class of the model of which at least one part could not be
// fitted.
type FallbackClass struct {
	Name     string `json:"name"`
	Label    string `json:"label"`
	Jobs     int64  `json:"jobs"`
	Sizes    Source `json:"sizes"`
	RunTimes Source `json:"run_times"`
	Arrivals Source `json:"arrivals"` // at the class's own rate
	Why      string `json:"why"`
}

// pooled is the model of the first of some lists of classes that, taken together, determine one.
func (f *fitter) pooled(lists ...[]fit.Class) (class model.Class, err error) {
	for _, classes := range lists {
		all := fit.NewCollector(f.clock)
		for _, c := range classes {
			all.Pool(c.Collector)
		}
		if class, _, err = f.fit(fit.Class{Collector: all}); err == nil {
			err = validClass(class, f.o)
		}
		if err == nil {
			break
		}
	}
	return class, err
}

// fallBack returns the class with what can be fitted, its own values where they
// are few, and the pooled laws for the rest; its rate is its own, over the span of the log.
func (f *fitter) fallBack(of fit.Class, span float64, pool func() (model.Class, error)) (c model.Class, from FallbackClass, err error) {
	from = FallbackClass{Label: of.Label(), Jobs: of.Jobs(), Sizes: FromJobs, RunTimes: FromPool, Arrivals: FromPool}
	pooled, err := pool()
	if err != nil {
		return c, from, fmt.Errorf("and no pooled distributions: %w", err)
	}
	c = pooled
	c.Column, c.Value, c.Jobs = of.Column, of.Value, of.Jobs()
	c.Arrivals.MeanSeconds = span / float64(of.Jobs())
	if own := ownSizes(of, f.o); len(own) > 0 {
		c.Sizes = model.Sizes{Shares: own}
	} else {
		from.Sizes = FromPool
	}
	if of.Jobs() >= f.o.LeastJobs {
		var r ClassReport
		if law, err := f.runTimes(of, &r); err == nil {
			c.RunTimes, c.Work, from.RunTimes = law, nil, FromFit
		}
		if from.RunTimes != FromPool {
			c.Estimates, _ = f.estimates(of, &r)
		}
		if law, err := f.arrivals(of, &r); err == nil {
			law.MeanSeconds = c.Arrivals.MeanSeconds
			c.Arrivals, from.Arrivals = law, FromFit
		}
	}
	// What was fitted may still be beyond what a model takes.
	for range 3 {
		var fault *workload.OptionError
		if err = validClass(c, f.o); !errors.As(err, &fault) {
			return c, from, err
		}
		rate := c.Arrivals.MeanSeconds
		switch {
		case strings.Contains(fault.Option, ".arrivals.mean_s"):
			c.Arrivals.MeanSeconds = 0 // a log of one moment has no rate
		case strings.Contains(fault.Option, ".arrivals"):
			c.Arrivals, from.Arrivals = pooled.Arrivals, FromPool
			c.Arrivals.MeanSeconds = rate
		case strings.Contains(fault.Option, ".run_times"), strings.Contains(fault.Option, ".estimates"):
			c.RunTimes, c.Work, c.Estimates, from.RunTimes = pooled.RunTimes, pooled.Work, pooled.Estimates, FromPool
		default:
			return c, from, err
		}
	}
	return c, from, err
}

// spanOf returns the seconds from the first to the last submission.
func spanOf(classes []fit.Class) float64 {
	first, last := math.Inf(1), math.Inf(-1)
	for _, c := range classes {
		if from, to, known := c.Span(); known {
			first, last = min(first, from), max(last, to)
		}
	}
	return max(0, last-first)
}

// poorSizes says whether a class's law of sizes is no law of its jobs: too few
// sizes determine it, or a tenth of the jobs is on the wrong side somewhere.
func poorSizes(c fit.Class, r SizesReport) bool {
	const fewest, farthest = 5, 0.1
	parallel, _ := c.Sample(fit.Size).Above(1)
	return r.Parallel > 0 && (len(parallel.Values) < fewest || r.DRounded > farthest)
}

// validClass returns an error for a class that no model takes.
func validClass(c model.Class, o Options) error {
	c.Name = "class"
	return model.Site{Schema: model.Schema, Name: "site", Processors: int64(largestSize(o)), Classes: []model.Class{c}}.Validate()
}

// ownSizes are the sizes that occur with their shares; empty where none is
// known or there are too many.
func ownSizes(c fit.Class, o Options) (sizes []model.SizeShare) {
	s := c.Sample(fit.Size).UpTo(largestSize(o), "")
	if len(s.Values) > model.MaxShares {
		return nil
	}
	for i, v := range s.Values {
		sizes = append(sizes, model.SizeShare{Size: int64(v), Share: s.Counts[i] / float64(s.Jobs())})
	}
	return sizes
}
