package allocate

import (
	"fmt"
	"math"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// Study is a machine, the strategies to compare on it, and their rules.
type Study struct {
	Machine    Machine
	Strategies []Strategy
	Rules      Rules
	// Keep makes the outcome contain every job's placement and every forecast.
	Keep    bool
	Workers int // goroutines; 0 means one for each core. The outcome does not depend on it
	// Stop, if not nil, is called often, from several goroutines at once. An
	// error that it returns ends the study.
	Stop func() error
	// Simulated, if not nil, is called after each simulation, from several
	// goroutines at once, to report progress. There are SimulationsPerStrategy
	// for each strategy and workload.
	Simulated func()
}

// SimulationsPerStrategy is the number of simulations of a strategy for one
// workload: one in the application's view and one in the system's.
const SimulationsPerStrategy = 2

// Outcome is the result of a study of one workload.
type Outcome struct {
	Jobs int
	// Base is the system under AVG, with which the strategies are compared,
	// and Lifetimes the law of the lifetimes of all jobs, on which the
	// predictions rest.
	Base      System
	Lifetimes dist.UniformLog
	Rows      []Row // by Study.Strategies

	Schedule []Placement // under AVG, if Study.Keep is set
}

// Row contains the results of one strategy.
type Row struct {
	Strategy Strategy
	// Application is what single jobs would have saved: on AVG's schedule, each
	// as if it alone had chosen by the strategy (the paper's table 1).
	Application Application
	// System is the schedule in which all jobs choose by it (table 2).
	System System

	// If Study.Keep is set, Alone contains each job's placement if it alone
	// chose (that under AVG if it had no choice), Schedule those if all jobs
	// chose, and the other two the forecasts of both.
	Alone, Schedule                   []Placement
	AloneForecasts, ScheduleForecasts []Forecast
}

// Validate returns an error for the first field that is out of range.
func (s *Study) Validate() error {
	if err := s.Machine.Validate(); err != nil {
		return err
	}
	if err := s.Rules.Validate(); err != nil {
		return err
	}
	if len(s.Strategies) == 0 {
		return fmt.Errorf("no strategy")
	}
	for i := range s.Strategies {
		if err := s.Strategies[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}

// Run studies one workload. It is an error if the study or a job is not valid,
// there are no jobs or they are out of order, or the jobs determine no law of
// lifetimes for strategies that predict.
func (s *Study) Run(jobs []Job) (*Outcome, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := checkJobs(jobs); err != nil {
		return nil, err
	}
	p, err := s.premise(jobs)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Jobs: len(jobs), Rows: make([]Row, len(s.Strategies)), Base: s.Machine.system(jobs, p.base, p.base)}
	if p.laws != nil {
		out.Lifetimes = p.laws.all
	}
	// Two tasks a strategy: the jobs alone, and all of them.
	ends := make([]error, SimulationsPerStrategy*len(s.Strategies))
	par.Each(s.Workers, len(ends), func(k int) {
		row := &out.Rows[k/2]
		if s.Stop != nil {
			if ends[k] = s.Stop(); ends[k] != nil {
				return
			}
		}
		if k%2 == 0 {
			row.Strategy = s.Strategies[k/2]
			ends[k] = s.alone(row, s.Strategies[k/2], p)
		} else {
			ends[k] = s.together(row, s.Strategies[k/2], p)
		}
		if s.Simulated != nil {
			s.Simulated()
		}
	})
	for _, err := range ends {
		if err != nil {
			return nil, err
		}
	}
	if s.Keep {
		out.Schedule = p.base
	}
	return out, nil
}

// premise is what all strategies' simulations of one workload rest on.
type premise struct {
	jobs    []Job
	base    []Placement // AVG's
	submits []float64   // s, AVG's
	laws    *lifetimes  // nil where none follow from the jobs, and no strategy needs them
}

func (s *Study) premise(jobs []Job) (premise, error) {
	avg := newSimulation(jobs, s.Machine)
	avg.stop.ask = s.Stop
	p := premise{jobs: jobs, base: avg.run(), submits: make([]float64, len(jobs))}
	if avg.stop.err != nil {
		return p, avg.stop.err
	}
	for i := range p.base {
		p.submits[i] = p.base[i].Submit
	}
	var err error
	if p.laws, err = newLifetimes(s.Rules, jobs, p.base); err != nil && slices.ContainsFunc(s.Strategies, func(x Strategy) bool { return x.predicts() }) {
		return p, err
	}
	return p, nil
}

// chooser is the strategy's; the second is not nil if it forecasts.
func (s *Study) chooser(x Strategy, p premise) (chooser, *forecaster) {
	switch x.Foresight {
	case Perfect:
		return oracle{x.RiskAversion, x.Internalised}, nil
	case Tuned:
		return tuned{x.Heuristic}, nil
	case Predicted, Unbiased:
		f := newForecaster(x, s.Rules, p.laws)
		f.keep = true
		return f, f
	}
	return thrift{x.MinShare}, nil
}

// alone fills a row's application side.
func (s *Study) alone(row *Row, x Strategy, p premise) error {
	c, f := s.chooser(x, p)
	sim := newSimulation(p.jobs, s.Machine)
	sim.stop.ask = s.Stop
	single := slices.Clone(p.base)
	o := whatIf{x.LockIn, p.submits, &sim.stop}
	sim.offered = func(i int, v *view) {
		single[i] = alone(&sim.tasks[i], v, c, o)
		single[i].Submit = p.submits[i]
	}
	sim.run()
	if sim.stop.err != nil {
		return sim.stop.err
	}
	row.Application = application(p.base, single)
	if f != nil {
		row.Application.Bias = biasOf(f.notes)
	}
	if s.Keep {
		row.Alone = single
		if f != nil {
			row.AloneForecasts = f.notes
		}
	}
	return nil
}

// together fills a row's system side.
func (s *Study) together(row *Row, x Strategy, p premise) error {
	c, f := s.chooser(x, p)
	sim := newSimulation(p.jobs, s.Machine)
	sim.stop.ask = s.Stop
	sim.chooser, sim.lockIn = c, x.LockIn
	placed := sim.run()
	if sim.stop.err != nil {
		return sim.stop.err
	}
	row.System = s.Machine.system(p.jobs, placed, p.base)
	if f != nil {
		row.System.Bias = biasOf(f.notes)
	}
	if s.Keep {
		row.Schedule = placed
		if f != nil {
			row.ScheduleForecasts = f.notes
		}
	}
	return nil
}

func checkJobs(jobs []Job) error {
	if len(jobs) == 0 {
		return fmt.Errorf("no jobs")
	}
	if len(jobs) > math.MaxInt32 {
		return fmt.Errorf("%d jobs, want at most %d", len(jobs), math.MaxInt32)
	}
	for i := range jobs {
		if err := jobs[i].Validate(); err != nil {
			return err
		}
		if i == 0 {
			continue
		}
		a, b := &jobs[i-1], &jobs[i]
		if b.Day < a.Day || b.Day == a.Day && b.Offset < a.Offset {
			return fmt.Errorf("job %d is submitted at %g s of day %d, after job %d at %g s of day %d; want the order of submission",
				b.ID, b.Offset, b.Day, a.ID, a.Offset, a.Day)
		}
	}
	return nil
}
