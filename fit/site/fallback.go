package site

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/model"
)

// Source is the origin of a part of a class's model.
type Source string

// The sources.
const (
	FromFit  Source = "fitted"   // fitted to the class's jobs
	FromJobs Source = "its jobs" // the observed values with their shares
	FromPool Source = "pooled"   // fitted to the jobs of all classes that could not be fitted, or to all jobs
)

// FallbackClass is a class of the model with at least one part that could not be fitted.
type FallbackClass struct {
	Name     string `json:"name"`
	Label    string `json:"label"`
	Jobs     int64  `json:"jobs"`
	Sizes    Source `json:"sizes"`
	RunTimes Source `json:"run_times"`
	Arrivals Source `json:"arrivals"` // at the class's own rate
	Why      string `json:"why"`
}

// pooled returns the model of the first of some lists of classes that, pooled, determine one.
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

// fallBack returns the pooled model with the parts that can be fitted to the class itself: its
// sizes, if there are not too many, and run times and arrivals, if it has enough jobs. A part
// that would not be valid in a model remains pooled. The rate is that of the class over the span
// of the log.
func (f *fitter) fallBack(of fit.Class, span float64, pool func() (model.Class, error)) (c model.Class, from FallbackClass, err error) {
	from = FallbackClass{Label: of.Label(), Jobs: of.Jobs(), Sizes: FromPool, RunTimes: FromPool, Arrivals: FromPool}
	if c, err = pool(); err != nil {
		return c, from, fmt.Errorf("and no pooled distributions: %w", err)
	}
	c.Column, c.Value, c.Jobs = of.Column, of.Value, of.Jobs()
	take := func(part *Source, source Source, alter func(c *model.Class) error) {
		altered := c
		if alter(&altered) == nil && validClass(altered, f.o) == nil {
			c, *part = altered, source
		}
	}
	take(new(Source), FromJobs, func(c *model.Class) error { // fails for a log whose jobs are all submitted at once, which has no rate
		c.Arrivals.MeanSeconds = span / float64(of.Jobs())
		return nil
	})
	take(&from.Sizes, FromJobs, func(c *model.Class) error {
		c.Sizes = &model.SizeTable{Rows: ownSizes(of, f.o)}
		return nil
	})
	if of.Jobs() >= f.o.LeastJobs {
		var r ClassReport
		take(&from.RunTimes, FromFit, func(c *model.Class) (err error) {
			c.Estimates, _ = f.estimates(of, &r)
			c.RunTimes, err = f.runTimes(of, &r)
			return err
		})
		take(&from.RunTimes, FromJobs, func(c *model.Class) (err error) {
			c.Estimates, _ = f.estimates(of, &r)
			c.RunTimes, err = onlyRunTime(of)
			return err
		})
		take(&from.Arrivals, FromFit, func(c *model.Class) (err error) {
			rate := c.Arrivals.MeanSeconds
			c.Arrivals, err = f.arrivals(of, &r)
			c.Arrivals.MeanSeconds = rate
			return err
		})
	}
	return c, from, validClass(c, f.o)
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

// poorSizes reports whether a class's law of sizes is too far from its jobs: it is based on too
// few sizes, or its distribution function is off by more than a tenth.
func poorSizes(c fit.Class, r SizesReport) bool {
	const fewest, farthest = 5, 0.1
	parallel, _ := c.Sample(fit.Size).Above(1)
	return r.Parallel > 0 && (len(parallel.Values) < fewest || r.DRounded > farthest)
}

// validClass returns an error if the class is not valid in a model.
func validClass(c model.Class, o Options) error {
	c.Name = "class"
	return model.Site{Schema: model.Schema, Name: "site", Processors: int64(largestSize(o)), Classes: []model.Class{c}}.Validate()
}

// ownSizes returns the sizes that occur with their shares; empty if none is known or there are
// too many.
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

// onlyRunTime returns the run times of a class whose jobs all have the same run time, rounded up
// to whole seconds. It is an error if they do not.
func onlyRunTime(c fit.Class) (model.RunTimes, error) {
	least, most := math.Inf(1), math.Inf(-1)
	for _, k := range c.Shapes() {
		if k.Run >= 0 && !math.IsInf(k.Run, 1) {
			seconds := max(1, math.Ceil(k.Run))
			least, most = min(least, seconds), max(most, seconds)
		}
	}
	if least != most {
		return nil, errors.New("several run times")
	}
	// Generated times are rounded down to whole seconds.
	return &model.LawRunTimes{First: model.Law{Law: dist.Uniform{Low: least, High: least + 1}}}, nil
}
