package predict

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/workload"
)

// PreviousLifetimes is lifetimes that a site could have had: in each interval
// of the log those fitted to the jobs that ended in the one before. Downey
// (1997), "Predicting queue times on space-sharing parallel computers",
// section 6.1. It is told of the time and of jobs as they end by AtHead.
//
// In the first interval there are none (Known is false, and Survival a guess);
// after an interval whose jobs determine no law, the last ones stay.
type PreviousLifetimes struct {
	config     LifetimesConfig
	processors int64
	number     func(time float64) (int64, bool) // the interval of a time
	interval   int64
	begun      bool
	classifier *fit.Classifier
	classes    *fit.LifetimeCollector
	all        *fit.LifetimeCollector
	ended      int
	now        Lifetimes
	updates    int
}

var _ Lifetimes = (*PreviousLifetimes)(nil)

// NewPreviousLifetimes returns lifetimes that are updated whenever number says
// that a new interval has begun (fit.Division.Number is such a function).
func NewPreviousLifetimes(processors int64, c LifetimesConfig, number func(time float64) (int64, bool)) (*PreviousLifetimes, error) {
	classifier, err := fit.NewClassifier(c.By)
	if err != nil {
		return nil, err
	}
	p := &PreviousLifetimes{config: c, processors: processors, number: number, classifier: classifier}
	return p, p.clear()
}

func (p *PreviousLifetimes) clear() (err error) {
	p.ended = 0
	if p.classes, err = fit.NewLifetimeCollector(fit.LifetimeOptions{By: p.config.By}); err != nil {
		return err
	}
	p.all, err = fit.NewLifetimeCollector(fit.LifetimeOptions{})
	return err
}

// Known says whether there are lifetimes yet.
func (p *PreviousLifetimes) Known() bool { return p.now != nil }

// Updates returns how often the laws were fitted.
func (p *PreviousLifetimes) Updates() int { return p.updates }

// Advance tells the time, which does not go back; where a new interval has
// begun, the laws of the last one are fitted. A family that does not exist is
// an error; jobs that do not determine a law are not.
func (p *PreviousLifetimes) Advance(now float64) error {
	n, ok := p.number(now)
	if !ok || p.begun && n == p.interval {
		return nil
	}
	if p.begun && p.ended > 0 {
		f, err := fitCollected(p.classifier, p.classes, p.all, p.config)
		var degenerate *fit.DegenerateError
		switch {
		case err == nil:
			p.now = f.Lifetimes
			p.updates++
		case !errors.As(err, &degenerate):
			return fmt.Errorf("lifetimes of the interval before %g s: %w", now, err)
		}
	}
	p.begun, p.interval = true, n
	return p.clear()
}

// Ended tells of a job that ended by now.
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

// Of returns the lifetimes of the job's class, of the last interval.
func (p *PreviousLifetimes) Of(job *workload.Request) Lifetimes {
	if p.now == nil {
		return p
	}
	return lifetimesOf(p.now, job)
}

// Survival is as Lifetimes says; while nothing is known it is that of past
// repeats, from a second.
func (p *PreviousLifetimes) Survival(job *workload.Request, age, t float64) float64 {
	if p.now == nil {
		return pastRepeats(math.Max(age, Shortest), t)
	}
	return p.now.Survival(job, age, t)
}
