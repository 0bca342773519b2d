package allocate

import (
	"context"
	"slices"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/internal/par"
)

// comparison compares strategies on one machine.
type comparison struct {
	machine    Machine
	strategies []Strategy
	keep       bool // keep the placements of every job
	workers    int
	simulated  func()
}

// simulationsPerStrategy is the number of simulations of a strategy for one
// workload: one in the application's view and one in the system's.
const simulationsPerStrategy = 2

// Outcome is the result of a study of one workload.
type Outcome struct {
	Jobs     []Job
	Schedule []Placement // placements under AVG, with which the strategies are compared
	Rows     []Row

	jobs       int
	turnaround float64         // mean under AVG, s
	lifetimes  dist.UniformLog // law of the lifetimes of all jobs, used by predictions
}

// Row contains the results of one strategy.
type Row struct {
	Strategy Strategy
	// Forecasts are the predictions of jobs that each choose alone on AVG's schedule.
	Forecasts []Forecast

	application Application[float64] // for single jobs, each choosing alone (table 1)
	system      System[float64]      // for the schedule in which all jobs choose (table 2)
	// alone contains the placement of each job if it alone chooses, or that under AVG if
	// it has no choice; schedule contains the placements if all jobs choose.
	alone, schedule []Placement
}

// run studies one workload of at least one job, in order of submission. It returns an error if a
// strategy predicts and the jobs do not determine a law of lifetimes.
func (s *comparison) run(ctx context.Context, jobs []Job) (*Outcome, error) {
	out := &Outcome{Jobs: jobs, Rows: make([]Row, len(s.strategies)), jobs: len(jobs)}
	out.Schedule = newSimulation(jobs, s.machine).run(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out.turnaround = meanTurnaround(out.Schedule)
	var err error
	if out.lifetimes, err = lawOf(out.Schedule); err != nil && slices.ContainsFunc(s.strategies, func(x Strategy) bool { return x.Foresight.predicts() }) {
		return nil, err
	}
	par.Each(s.workers, simulationsPerStrategy*len(s.strategies), func(k int) {
		row := &out.Rows[k/2]
		if k%2 == 0 {
			row.Strategy = s.strategies[k/2]
			s.alone(ctx, row, s.strategies[k/2], out)
		} else {
			s.together(ctx, row, s.strategies[k/2], out)
		}
		if s.simulated != nil {
			s.simulated()
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	compareWithOpt(out.Rows)
	return out, nil
}

// alone fills in the application's view of a row.
func (s *comparison) alone(ctx context.Context, row *Row, x Strategy, o *Outcome) {
	c := x.chooser(o.lifetimes)
	sim := newSimulation(o.Jobs, s.machine)
	placed, submitted := slices.Clone(o.Schedule), atTimes(o.Schedule)
	sim.offered = func() { sim.alone(ctx, c, x.LockIn, submitted, placed) }
	sim.run(ctx)
	row.application = application(o.Schedule, placed)
	if f, ok := c.(*forecaster); ok {
		judge(&row.application, f.notes)
		row.Forecasts = f.notes
	}
	if s.keep {
		row.alone = placed
	}
}

// together fills in the system's view of a row.
func (s *comparison) together(ctx context.Context, row *Row, x Strategy, o *Outcome) {
	sim := newSimulation(o.Jobs, s.machine)
	sim.chooser, sim.lockIn = x.chooser(o.lifetimes), x.LockIn
	placed := sim.run(ctx)
	row.system = s.machine.system(o.Jobs, placed, o.Schedule)
	if s.keep {
		row.schedule = placed
	}
}

// PlacedJob is a job of a workload under a strategy.
type PlacedJob struct {
	Seed        int64   `json:"seed" help:"seed of the workload"` // workload.Unknown for a log
	ID          int64   `json:"job_id" help:"number of the job"`
	Strategy    string  `json:"strategy" help:"the strategy"`
	Side        string  `json:"side" help:"application: the job alone chose so on avg's schedule; system: all jobs did"`
	Kind        string  `json:"kind" help:"spoiled, docile or rebel"`
	Sequential  float64 `json:"sequential_time_s" help:"run time on one processor"`
	Parallelism float64 `json:"average_parallelism" unit:"processors" help:"average parallelism"`
	Sigma       float64 `json:"sigma" unit:"1" help:"variance of parallelism"`
	Submit      float64 `json:"submit_time_s" help:"submission, from the first day's begin"`
	Wait        float64 `json:"wait_time_s" help:"time from the submission to the start"`
	Run         float64 `json:"run_time_s" help:"run time on the processors it got"`
	Size        int     `json:"processors" unit:"processors" help:"processors it got"`
	Offered     int     `json:"offered_processors" unit:"processors" help:"free when it could first choose, at most what it can use"`
	Chosen      int     `json:"chosen_processors" unit:"processors" help:"what it chose then"`
	Saved       float64 `json:"saved_s" help:"turnaround time under avg minus that under this strategy"`
}

// each calls f with the jobs of a workload under each strategy, first each choosing alone, then
// all choosing, until f returns an error.
func (o *Outcome) each(seed int64, f func(PlacedJob) error) error {
	for k := range o.Rows {
		row := &o.Rows[k]
		for side, placed := range [][]Placement{row.alone, row.schedule} {
			for i := range o.Jobs {
				j, p := &o.Jobs[i], &placed[i]
				if err := f(PlacedJob{
					seed, j.ID, row.Strategy.Name, []string{"application", "system"}[side], p.kind(), j.Sequential, j.Parallelism, j.Sigma,
					p.Submit, p.Start - p.Submit, p.Run, p.Size, p.Offered, p.Chosen, p.saved(&o.Schedule[i]),
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
