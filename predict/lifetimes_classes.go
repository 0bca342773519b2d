package predict

import (
	"fmt"
	"iter"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

// ClassLaws is lifetimes by class: each class of jobs has its own law. Downey
// (1997), "Predicting queue times on space-sharing parallel computers",
// sections 3.1 and 6.1. It is used by one goroutine.
type ClassLaws struct {
	classes *workload.Classifier
	laws    map[string]Lifetimes // by label
	rest    Lifetimes
	met     map[workload.ClassKey]Lifetimes // those classes that were asked for
}

var _ Lifetimes = (*ClassLaws)(nil)

// Of returns the lifetimes of the job's class, or those of all jobs if the
// class has no law or was unknown when the laws were fitted.
func (c *ClassLaws) Of(job *workload.Request) Lifetimes {
	key := c.classes.RequestKey(job)
	if l, ok := c.met[key]; ok {
		return l
	}
	l, ok := c.laws[c.classes.Label(key)]
	if !ok {
		l = c.rest
	}
	c.met[key] = l
	return l
}

// Survival implements Lifetimes.
func (c *ClassLaws) Survival(job *workload.Request, age, t float64) float64 {
	return c.Of(job).Survival(job, age, t)
}

// LifetimesConfig determines how lifetimes are fitted.
type LifetimesConfig struct {
	// By are at most 4 columns whose combinations of values are the classes.
	// Their values must be known at submission. Empty means one class.
	By []workload.ClassColumn
	// Family is one of fit.Families: "uniform-log", Downey's, which "" means
	// too, or another family of run times, such as "multi-stage-uniform-log".
	Family string
	// Options are those of the fit; Trim applies to uniform-log and to its
	// stages.
	Options fit.Options
	// MinJobs is the smallest number of jobs of a class with a law of its own;
	// 0 means 100.
	MinJobs int64
}

// FittedLifetimes contains lifetimes and the reports of their fits.
type FittedLifetimes struct {
	Lifetimes Lifetimes
	All       fit.Report         // of all jobs
	Classes   []lifetimes.Fitted // of each class; nil if LifetimesConfig.By is empty
}

// FitLifetimes fits a law to the run times of the jobs that AtHead simulates on
// a machine of that size (see Eligible), in hindsight, for each class and for
// all jobs together. A class that cannot be fitted takes the law of all jobs.
func FitLifetimes(jobs iter.Seq2[workload.Job, error], processors int64, c LifetimesConfig) (FittedLifetimes, error) {
	classifier, err := workload.NewClassifier(c.By)
	if err != nil {
		return FittedLifetimes{}, err
	}
	collector, err := lifetimes.NewCollector(lifetimes.Options{By: c.By})
	if err != nil {
		return FittedLifetimes{}, err
	}
	everything, err := lifetimes.NewCollector(lifetimes.Options{})
	if err != nil {
		return FittedLifetimes{}, err
	}
	n := 0
	for j, err := range jobs {
		if err != nil {
			return FittedLifetimes{}, err
		}
		if Eligible(&j, processors) {
			n++
			everything.Add(&j)
			if len(c.By) > 0 {
				collector.Add(&j)
			}
		}
	}
	if n == 0 {
		return FittedLifetimes{}, errNoLifetimes(processors)
	}
	return fitCollected(classifier, collector, everything, c)
}

func errNoLifetimes(processors int64) error {
	return fmt.Errorf("no lifetimes to fit for %d processors: %w with a submission time, a run time above 0 and a size that fits", processors, workload.ErrNoJobs)
}

// fitCollected fits what was collected, by class and of all jobs.
func fitCollected(classifier *workload.Classifier, collector, everything *lifetimes.Collector, c LifetimesConfig) (FittedLifetimes, error) {
	family := c.Family
	if family == "" {
		family = dist.FamilyOf(dist.UniformLog{})
	}
	all, _ := everything.Classes()
	options := c.Options
	options.By = ""
	report, err := fit.Fit(family, fit.RunTime, all[0].Sample, options)
	if err != nil {
		return FittedLifetimes{}, err
	}
	rest, err := lifetimesOfReport(report)
	if err != nil {
		return FittedLifetimes{}, err
	}
	out := FittedLifetimes{Lifetimes: rest, All: report}
	if len(c.By) == 0 {
		return out, nil
	}
	classes, _ := collector.Classes()
	out.Classes, err = lifetimes.Fit(classes, family, options, c.MinJobs)
	if err != nil {
		return FittedLifetimes{}, err
	}
	laws := &ClassLaws{classifier, map[string]Lifetimes{}, rest, map[workload.ClassKey]Lifetimes{}}
	for _, f := range out.Classes {
		if f.Report == nil {
			continue
		}
		if laws.laws[f.Class.Label], err = lifetimesOfReport(*f.Report); err != nil {
			return FittedLifetimes{}, err
		}
	}
	out.Lifetimes = laws
	return out, nil
}

func lifetimesOfReport(r fit.Report) (Lifetimes, error) {
	law, ok := r.AttributeLaw()
	if !ok {
		return nil, fmt.Errorf("lifetimes by %s: it is not a distribution of run times in seconds or of their logarithm", r.Family)
	}
	if u, ok := law.(dist.UniformLog); ok {
		return OneLaw{u}, nil
	}
	return LawLifetimes{law}, nil
}
