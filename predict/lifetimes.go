package predict

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Lifetimes is the distribution of the remaining run times of running jobs.
type Lifetimes interface {
	// Survival returns the probability that a job that has run for age seconds
	// runs more than t seconds longer, for age, t >= 0. It does not increase
	// with t and is defined for every age. An implementation must not change or
	// retain the request.
	Survival(job *workload.Request, age, t float64) float64
}

// lifetimesOf returns the lifetimes of one job's class, or l itself if it has no
// classes.
func lifetimesOf(l Lifetimes, job *workload.Request) Lifetimes {
	if c, ok := l.(interface {
		Of(*workload.Request) Lifetimes
	}); ok {
		return c.Of(job)
	}
	return l
}

// OneLaw implements Lifetimes for jobs that all follow one law of run times in seconds, such as
// Downey's uniform-log law: Downey (1997), "Predicting queue times on space-sharing
// parallel computers", section 3, equation 3.
//
//   - Younger than TMin: F(age) is 0, but the job keeps its true age, so the
//     earliest end is TMin - age from now.
//   - From TMin to TMax: Pr{L > age+t | L > age} by the law.
//   - TMax and older, or with survival 0 by another law: the law is undefined, and
//     the paper warns that such jobs do not end soon. They survive t seconds more with
//     probability age/(age+t), the past-repeats heuristic of Harchol-Balter and Downey: the
//     median remaining lifetime is the age. The alternative rule, that they end at
//     once, gives predictions near zero and lowers the correlation of
//     logarithms by up to 0.18 on three logs (docs/findings/papers.md).
type OneLaw struct {
	Law dist.Law
}

// Survival implements Lifetimes. It ignores the request.
func (l OneLaw) Survival(_ *workload.Request, age, t float64) float64 {
	uniform, ok := l.Law.(dist.UniformLog) // fast path for the most common law
	switch {
	case ok && uniform.Outlived(age), !ok && l.Law.Survival(age) <= 0:
		return pastRepeats(age, t)
	case ok:
		return uniform.SurvivalGiven(age, t)
	}
	return dist.SurvivalGiven(l.Law, age, t)
}

// pastRepeats returns the Survival of a job older than its law allows.
func pastRepeats(age, t float64) float64 {
	if math.IsInf(age+t, 1) {
		return 0
	}
	return age / (age + t)
}

func lifetimesOfReport(r fit.Report) (Lifetimes, error) {
	law, ok := r.AttributeLaw()
	if !ok {
		return nil, fmt.Errorf("lifetimes by %s: it is not a distribution of run times in seconds or of their logarithm", r.Family)
	}
	return OneLaw{law}, nil
}

// LawSummary describes a law of lifetimes in results. Intercept and Slope are
// those of the uniform-log law's line, and TMin and TMax its ends in seconds. All
// four are NaN for other families.
type LawSummary struct {
	Family    string       `json:"family"`
	Intercept stats.Number `json:"intercept"`
	Slope     stats.Number `json:"slope"`
	TMin      stats.Number `json:"t_min_s"`
	TMax      stats.Number `json:"t_max_s"`
}

// Summarize returns the summary of a fitted law.
func Summarize(r *fit.Report) *LawSummary {
	if law, ok := r.Law.(dist.UniformLog); ok {
		return &LawSummary{r.Family, stats.Number(law.Intercept()), stats.Number(law.Slope()), stats.Number(law.TMin), stats.Number(law.TMax)}
	}
	nan := stats.Number(math.NaN())
	return &LawSummary{r.Family, nan, nan, nan, nan}
}

// LifetimesConfig determines how lifetimes are fitted.
type LifetimesConfig struct {
	// By lists at most 4 columns. Each combination of their values is a class.
	// The values must be known at submission. Empty means one class.
	By []workload.ClassColumn
	// Family is one of fit.Families: "uniform-log", Downey's law and the default
	// if Family is empty, or another family of run times, such as
	// "multi-stage-uniform-log".
	Family string
	// Options are the options of the fit. Trim applies to uniform-log and to the
	// stages of multi-stage-uniform-log.
	Options fit.Options
}

// FittedLifetimes contains lifetimes and the report of the law of all jobs.
type FittedLifetimes struct {
	Lifetimes Lifetimes
	All       fit.Report
}

// ClassLaws implements Lifetimes with a separate law for each class of jobs. Downey
// (1997), "Predicting queue times on space-sharing parallel computers",
// sections 3.1 and 6.1. It is not safe for concurrent use.
type ClassLaws struct {
	classes *workload.Classifier
	laws    map[string]Lifetimes // by label
	rest    Lifetimes
	met     map[workload.ClassKey]Lifetimes // cache of Of
}

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

// endedJobs collects the run times of jobs that AtHead simulates on a machine of the given
// size (see Eligible), by class and of all jobs.
type endedJobs struct {
	config       LifetimesConfig
	processors   int64
	classifier   *workload.Classifier
	classes, all *lifetimes.Collector
	n            int
}

func newEndedJobs(processors int64, c LifetimesConfig) (*endedJobs, error) {
	s := &endedJobs{config: c, processors: processors}
	var err error
	if s.classifier, err = workload.NewClassifier(c.By); err != nil {
		return nil, err
	}
	return s, s.clear()
}

func (s *endedJobs) clear() (err error) {
	s.n = 0
	if s.classes, err = lifetimes.NewCollector(lifetimes.Options{By: s.config.By}); err != nil {
		return err
	}
	s.all, err = lifetimes.NewCollector(lifetimes.Options{})
	return err
}

func (s *endedJobs) add(j *workload.Job) {
	if !Eligible(j, s.processors) {
		return
	}
	s.n++
	s.all.Add(j)
	if len(s.config.By) > 0 {
		s.classes.Add(j)
	}
}

// fit fits a law to each class and to all jobs together. A class without a fit uses the law
// of all jobs.
func (s *endedJobs) fit() (FittedLifetimes, error) {
	if s.n == 0 {
		return FittedLifetimes{}, fmt.Errorf("no lifetimes to fit for %d processors: %w with a submission time, a run time above 0 and a size that fits", s.processors, workload.ErrNoJobs)
	}
	family := s.config.Family
	if family == "" {
		family = dist.FamilyOf(dist.UniformLog{})
	}
	all, _ := s.all.Classes()
	options := s.config.Options
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
	if len(s.config.By) == 0 {
		return out, nil
	}
	classes, _ := s.classes.Classes()
	fitted, err := lifetimes.Fit(classes, family, options, 0)
	if err != nil {
		return FittedLifetimes{}, err
	}
	laws := &ClassLaws{s.classifier, map[string]Lifetimes{}, rest, map[workload.ClassKey]Lifetimes{}}
	for _, f := range fitted {
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

// FitLifetimes fits laws, in hindsight, to the run times of the jobs that AtHead simulates
// on a machine with the given number of processors (see Eligible).
func FitLifetimes(jobs iter.Seq2[workload.Job, error], processors int64, c LifetimesConfig) (FittedLifetimes, error) {
	s, err := newEndedJobs(processors, c)
	if err != nil {
		return FittedLifetimes{}, err
	}
	for j, err := range jobs {
		if err != nil {
			return FittedLifetimes{}, err
		}
		s.add(&j)
	}
	return s.fit()
}

// PastLifetimes fits lifetimes to all jobs that have ended so far. The laws are
// refitted whenever the number of ended jobs has grown by a quarter since the last
// fit, so that all fits over a log together cost no more than a few fits to all
// its jobs.
type PastLifetimes struct {
	ended *endedJobs
	next  int // number of ended jobs at which the next fit is due
	now   FittedLifetimes
	fault error // why there is no law
}

const (
	// fewestPast is the number of ended jobs at which the first fit is due.
	fewestPast = 50
	// pastGrowth is the ratio of the numbers of jobs in successive fits.
	pastGrowth = 1.25
)

// NewPastLifetimes returns a PastLifetimes without jobs, for a machine with the given
// number of processors (see Eligible).
func NewPastLifetimes(processors int64, c LifetimesConfig) (*PastLifetimes, error) {
	ended, err := newEndedJobs(processors, c)
	return &PastLifetimes{ended: ended, next: fewestPast}, err
}

// Ended adds a job that has ended. It returns an error if the family of laws does
// not exist. If the jobs do not determine a law, the last one remains in use.
func (p *PastLifetimes) Ended(j *workload.Job) error {
	if p.ended.add(j); p.ended.n < p.next {
		return nil
	}
	p.next = int(pastGrowth * float64(p.ended.n))
	f, err := p.ended.fit()
	var degenerate *fit.DegenerateError
	switch {
	case err == nil:
		p.now, p.fault = f, nil
	case errors.As(err, &degenerate):
		p.fault = err
	default:
		return err
	}
	return nil
}

// Now returns the last fit, or an error that explains why there is none. If too few jobs
// have ended for the first regular fit, it fits those on each call.
func (p *PastLifetimes) Now() (FittedLifetimes, error) {
	switch {
	case p.now.Lifetimes != nil:
		return p.now, nil
	case p.ended.n < fewestPast:
		return p.ended.fit()
	}
	return p.now, p.fault
}

// PreviousLifetimes implements Lifetimes without hindsight: in each interval of
// the log, it uses the laws fitted to the jobs that ended in the preceding
// interval. Downey (1997), "Predicting queue times on space-sharing parallel
// computers", section 6.1. AtHead passes it the time and the jobs as they end.
//
// In the first interval there are no laws (Known is false, and Survival a guess).
// After an interval whose jobs do not determine a law, the previous laws remain in
// use.
type PreviousLifetimes struct {
	ended    *endedJobs                       // in the current interval
	number   func(time float64) (int64, bool) // returns the interval of a time
	interval int64
	begun    bool
	now      Lifetimes
}

// NewPreviousLifetimes returns a PreviousLifetimes for a machine with the given
// number of processors. number returns the number of the interval that contains a
// time in seconds, as workload.Division.Number does, and false if there is none.
func NewPreviousLifetimes(processors int64, c LifetimesConfig, number func(time float64) (int64, bool)) (*PreviousLifetimes, error) {
	ended, err := newEndedJobs(processors, c)
	return &PreviousLifetimes{ended: ended, number: number}, err
}

// Known reports whether any lifetimes are known yet.
func (p *PreviousLifetimes) Known() bool { return p.now != nil }

// Advance sets the time, in seconds, which must not decrease. If a new interval
// has begun, it fits the laws to the jobs of the last one. It returns an error if
// the family does not exist, but not if the jobs do not determine a law.
func (p *PreviousLifetimes) Advance(now float64) error {
	n, ok := p.number(now)
	if !ok || p.begun && n == p.interval {
		return nil
	}
	if p.begun && p.ended.n > 0 {
		f, err := p.ended.fit()
		var degenerate *fit.DegenerateError
		switch {
		case err == nil:
			p.now = f.Lifetimes
		case !errors.As(err, &degenerate):
			return fmt.Errorf("lifetimes of interval %d: %w", p.interval, err)
		}
	}
	p.begun, p.interval = true, n
	return p.ended.clear()
}

// Ended adds a job that has ended.
func (p *PreviousLifetimes) Ended(j *workload.Job) { p.ended.add(j) }

// Of returns the lifetimes of the job's class by the last fit.
func (p *PreviousLifetimes) Of(job *workload.Request) Lifetimes {
	if p.now == nil {
		return p
	}
	return lifetimesOf(p.now, job)
}

// Survival implements Lifetimes. While Known is false it follows the
// past-repeats heuristic (see OneLaw) with ages of at least a second.
func (p *PreviousLifetimes) Survival(job *workload.Request, age, t float64) float64 {
	if p.now == nil {
		return pastRepeats(math.Max(age, Shortest), t)
	}
	return p.now.Survival(job, age, t)
}
