package site

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/dist"
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

var errFull = fmt.Errorf("a model has at most %d classes", model.MaxClasses)

// unfittedClass is a class that cannot be fitted, and why.
type unfittedClass struct {
	fit.Class
	why error
}

// byJobs returns the classes with the most jobs first.
func byJobs(u []unfittedClass) []unfittedClass {
	u = slices.Clone(u)
	slices.SortStableFunc(u, func(a, b unfittedClass) int { return cmp.Compare(b.Jobs(), a.Jobs()) })
	return u
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
	site := model.Site{Schema: model.Schema, Name: "site", Processors: o.Processors, Classes: []model.Class{c}}
	if site.Processors == 0 {
		site.Processors = model.MaxProcessors
	}
	return site.Validate()
}

// pool is what classes fall back to.
type pool struct {
	classes  []fit.Class
	unfitted []unfittedClass
	clock    workload.Clock
	o        Options

	fitted bool
	class  model.Class
	err    error
}

// law is the model of the classes that could not be fitted, taken together, or
// of all classes where these do not determine one.
func (p *pool) law() (model.Class, error) {
	if p.fitted {
		return p.class, p.err
	}
	p.fitted = true
	var unfitted []fit.Class
	for _, u := range p.unfitted {
		unfitted = append(unfitted, u.Class)
	}
	for _, classes := range [][]fit.Class{unfitted, p.classes} {
		all := fit.NewCollector(p.clock)
		for _, c := range classes {
			all.Pool(c.Collector)
		}
		if p.class, _, p.err = fitClass(fit.Class{Collector: all}, p.clock, p.o); p.err == nil {
			p.err = validClass(p.class, p.o)
		}
		if p.err == nil {
			break
		}
	}
	return p.class, p.err
}

// fallBack returns the class with what can be fitted, its own values where they
// are few, and the pooled laws for the rest; its rate is its own. span is that
// of the log, in seconds.
func (u unfittedClass) fallBack(p *pool, span float64) (model.Class, FallbackClass, error) {
	f := FallbackClass{Label: u.Label(), Jobs: u.Jobs(), Sizes: FromJobs, RunTimes: FromFit, Arrivals: FromFit, Why: u.why.Error()}
	pooled, err := p.law()
	if err != nil {
		return model.Class{}, f, fmt.Errorf("and no pooled distributions: %w", err)
	}
	c := model.Class{Column: u.Column, Value: u.Value, Jobs: u.Jobs(), Sizes: pooled.Sizes}
	if own := ownSizes(u.Class, p.o); len(own) > 0 {
		c.Sizes = own
	} else {
		f.Sizes = FromPool
	}
	enough := u.Jobs() >= p.o.MinJobs
	err = errors.New("too few jobs")
	if enough {
		if c.RunTimes, _, err = fitRunTimes(u.Class, p.o); err != nil {
			own := ownRunTimes(u.Class)
			if c.RunTimes, f.RunTimes, err = own, FromJobs, nil; own.First == nil {
				err = errors.New("too many run times")
			}
		}
		c.Estimates, _, _ = fitEstimates(u.Class, p.o)
	}
	poolRunTimes := func() {
		c.RunTimes, c.Work, c.Estimates, f.RunTimes = pooled.RunTimes, pooled.Work, pooled.Estimates, FromPool
	}
	if err != nil {
		poolRunTimes()
	}
	poolArrivals := func() { c.Arrivals, f.Arrivals = pooled.Arrivals, FromPool }
	if enough {
		c.Arrivals, _, err = fitArrivals(u.Class, p.clock, p.o)
	}
	if err != nil || !enough {
		poolArrivals()
	}
	c.Arrivals.MeanSeconds = span / float64(u.Jobs())
	// What was fitted may still be beyond what a model takes.
	for range 3 {
		err = validClass(c, p.o)
		var field *model.FieldError
		switch {
		case err == nil:
			return c, f, nil
		case !errors.As(err, &field):
			return c, f, err
		case strings.Contains(field.Path, ".arrivals.mean_s"):
			c.Arrivals.MeanSeconds = 0 // a log of one moment has no rate
		case strings.Contains(field.Path, ".arrivals"):
			poolArrivals()
			c.Arrivals.MeanSeconds = span / float64(u.Jobs())
		case strings.Contains(field.Path, ".run_times"), strings.Contains(field.Path, ".estimates"):
			poolRunTimes()
		default:
			return c, f, err
		}
	}
	return c, f, err
}

// ownSizes are the sizes that occur with their shares; empty where none is
// known or there are too many.
func ownSizes(c fit.Class, o Options) (sizes model.SizeTable) {
	s := c.Sample(fit.Size)
	most := float64(model.MaxProcessors)
	if o.Processors > 0 {
		most = float64(o.Processors)
	}
	s = s.UpTo(most, "")
	jobs := float64(s.Jobs())
	if len(s.Values) > model.MaxShares {
		return nil
	}
	for i, v := range s.Values {
		sizes = append(sizes, model.SizeShare{Size: int64(v), Share: s.Counts[i] / jobs})
	}
	return sizes
}

// ownRunTimes are up to two run times that are all that occur, rounded up to
// whole seconds; zero where there are more.
func ownRunTimes(c fit.Class) (r model.SecondsRunTimes) {
	counts := map[float64]float64{}
	for _, k := range c.Shapes() {
		if k.Run >= 0 && !math.IsInf(k.Run, 1) {
			counts[max(1, math.Ceil(k.Run))] += k.Jobs
		}
	}
	if len(counts) == 0 || len(counts) > 2 {
		return r
	}
	total, first := 0.0, math.Inf(1)
	for v, n := range counts {
		total += n
		first = min(first, v)
	}
	// Generated times are rounded down to whole seconds.
	r.First = dist.Uniform{Low: first, High: first + 1}
	for v := range counts {
		if v != first {
			r.Second, r.PIntercept = dist.Uniform{Low: v, High: v + 1}, counts[first]/total
		}
	}
	return r
}
