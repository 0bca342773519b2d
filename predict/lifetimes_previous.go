package predict

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PreviousLifetimes is lifetimes without hindsight: in each interval of the
// log, those fitted to the jobs that ended in the interval before. Downey
// (1997), "Predicting queue times on space-sharing parallel computers", section
// 6.1. AtHead gives it the time and the jobs as they end.
//
// In the first interval there are none (Known is false, and Survival a guess).
// After an interval whose jobs do not determine a law, the previous laws stay.
type PreviousLifetimes struct {
	config     LifetimesConfig
	processors int64
	number     func(time float64) (int64, bool) // the interval of a time
	interval   int64
	begun      bool
	classifier *workload.Classifier
	classes    *lifetimes.Collector
	all        *lifetimes.Collector
	ended      int
	now        Lifetimes
	updates    int
}

var _ Lifetimes = (*PreviousLifetimes)(nil)

// NewPreviousLifetimes returns lifetimes that are updated whenever a new
// interval begins. number returns the number of the interval of a time in
// seconds, as workload.Division.Number does, and false if it has none.
func NewPreviousLifetimes(processors int64, c LifetimesConfig, number func(time float64) (int64, bool)) (*PreviousLifetimes, error) {
	p := &PreviousLifetimes{config: c, processors: processors, number: number}
	var err error
	if p.classifier, err = workload.NewClassifier(c.By); err != nil {
		return nil, err
	}
	return p, p.clear()
}

func (p *PreviousLifetimes) clear() (err error) {
	p.ended = 0
	if p.classes, err = lifetimes.NewCollector(lifetimes.Options{By: p.config.By}); err != nil {
		return err
	}
	p.all, err = lifetimes.NewCollector(lifetimes.Options{})
	return err
}

// Known reports whether any lifetimes are known yet.
func (p *PreviousLifetimes) Known() bool { return p.now != nil }

// Updates returns the number of times that the laws were fitted.
func (p *PreviousLifetimes) Updates() int { return p.updates }

// Advance sets the time, in seconds, which must not decrease. If a new interval
// has begun, the laws are fitted to the last one. It is an error if the family
// does not exist; jobs that do not determine a law are no error.
func (p *PreviousLifetimes) Advance(now float64) error {
	n, ok := p.number(now)
	if !ok || p.begun && n == p.interval {
		return nil
	}
	return p.begin(n)
}

// begin ends the interval and begins another.
func (p *PreviousLifetimes) begin(n int64) error {
	if err := p.close(); err != nil {
		return err
	}
	p.begun, p.interval = true, n
	return p.clear()
}

// close fits the laws of the interval.
func (p *PreviousLifetimes) close() error {
	if !p.begun || p.ended == 0 {
		return nil
	}
	f, err := fitCollected(p.classifier, p.classes, p.all, p.config)
	var degenerate *fit.DegenerateError
	switch {
	case err == nil:
		p.now = f.Lifetimes
		p.updates++
	case !errors.As(err, &degenerate):
		return fmt.Errorf("lifetimes of interval %d: %w", p.interval, err)
	}
	return nil
}

// Ended adds a job that has ended.
func (p *PreviousLifetimes) Ended(j *workload.Job) {
	if !Eligible(j, p.processors) {
		return
	}
	p.ended++
	p.all.Add(j)
	if len(p.config.By) > 0 {
		p.classes.Add(j)
	}
}

// Of returns the lifetimes of the job's class, from the last interval.
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
