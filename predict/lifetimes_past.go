package predict

import (
	"errors"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PastLifetimes is lifetimes fitted to all jobs that have ended so far. The
// laws are refitted whenever the number of ended jobs has grown by a quarter
// since the last fit, so that all fits over a log cost no more than a few fits
// to all its jobs.
type PastLifetimes struct {
	config       LifetimesConfig
	processors   int64
	classifier   *workload.Classifier
	classes, all *lifetimes.Collector
	ended, next  int
	now          FittedLifetimes
	fault        error // why there is no law
}

const (
	// fewestPast is the number of jobs for the first fit.
	fewestPast = 50
	// pastGrowth is the number of jobs of a fit relative to that of the fit before.
	pastGrowth = 1.25
)

// NewPastLifetimes returns a PastLifetimes without jobs, for a machine of that
// size (see Eligible).
func NewPastLifetimes(processors int64, c LifetimesConfig) (*PastLifetimes, error) {
	p := &PastLifetimes{config: c, processors: processors, next: fewestPast}
	var err error
	if p.classifier, err = workload.NewClassifier(c.By); err != nil {
		return nil, err
	}
	if p.classes, err = lifetimes.NewCollector(lifetimes.Options{By: c.By}); err != nil {
		return nil, err
	}
	p.all, err = lifetimes.NewCollector(lifetimes.Options{})
	return p, err
}

// Ended adds a job that has ended. It is an error if the family of laws does
// not exist. If the jobs do not determine a law, the last one stays.
func (p *PastLifetimes) Ended(j *workload.Job) error {
	if !Eligible(j, p.processors) {
		return nil
	}
	p.all.Add(j)
	if len(p.config.By) > 0 {
		p.classes.Add(j)
	}
	if p.ended++; p.ended < p.next {
		return nil
	}
	p.next = int(pastGrowth * float64(p.ended))
	f, err := fitCollected(p.classifier, p.classes, p.all, p.config)
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

// Now returns the last fit, or why there is none. Few jobs that have ended are fitted when
// first asked about.
func (p *PastLifetimes) Now() (FittedLifetimes, error) {
	switch {
	case p.now.Lifetimes != nil:
		return p.now, nil
	case p.ended == 0:
		return p.now, errNoLifetimes(p.processors)
	case p.ended < fewestPast:
		return fitCollected(p.classifier, p.classes, p.all, p.config)
	}
	return p.now, p.fault
}
