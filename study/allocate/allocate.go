package allocate

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/field"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/study"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Options are the options of Compute. DefaultOptions returns the paper's values.
type Options struct {
	// If Log is nil, Seeds workloads of Days days are drawn from the model of Downey (1997),
	// section 2.2, with successive seeds from FirstSeed.
	Seeds     int    `opt:"seeds" in:"[1,100000]" required:"true" group:"Workload" common:"true" help:"number of workloads to draw"`
	FirstSeed uint64 `opt:"seed" help:"seed of the first workload"`
	Days      int    `opt:"days" in:"[1,)" required:"true" common:"true" help:"days of each workload"`
	// Load is rho, the offered load of the day: the arrival rate times E[L] divided by
	// Processors. At the lower limit practically no jobs are drawn.
	Load float64 `opt:"load" in:"[1e-9,50]" required:"true" common:"true" help:"offered load of the day: sequential time submitted over the machine's capacity; above 1, predictions take ten times as long per job" brief:"offered load of the day"`

	// Log, if not nil, provides the jobs; it is read to its end but not closed.
	Log   *workload.Log
	Sigma *float64 `opt:"sigma" in:"[0,1e6]" common:"true" help:"variance of parallelism that a log's rigid jobs are assumed to have"` // nil means that rigid jobs are left out

	Processors int64 `opt:"procs" in:"[1,1048576]" group:"Machine" common:"true" help:"processors of the machine (default: from the log's header, or 128)"`

	// Strategies are names from StrategyNames.
	Strategies []string `opt:"strategies" group:"Strategies" common:"true" help:"strategies to compare with avg" brief:"strategies to compare with avg, such as opt,bias (default: all)"`

	Keep bool // set Result.First, for figures

	// Placed, if not nil, is called with each job of each workload under each strategy.
	// An error that it returns ends the study.
	Placed func(PlacedJob) error
	// Simulated, if not nil, is called after each of Simulations, from several
	// goroutines at once, for example to show progress.
	Simulated func()
	// Workers is the number of concurrent simulations; 0 means one for each core. The
	// result does not depend on it.
	Workers int
}

// MaxProcessors is the largest number of processors of a machine. It is limited because choices
// are searched processor by processor.
const MaxProcessors = 1 << 20

// maxSeed is the largest Options.FirstSeed: all seeds must fit into the int64 column of a table.
const maxSeed = math.MaxInt64 - 100_000

// DefaultOptions returns the options of the paper: all strategies on 20 workloads of 120
// days at the load 0.75, each of about 30,600 jobs.
func DefaultOptions() Options {
	return Options{Seeds: 20, FirstSeed: 1, Days: 120, Load: 0.75, Strategies: StrategyNames()}
}

// Validate returns a *workload.OptionError for the first option that is out of range, whether
// or not it is used.
func (o *Options) Validate() error {
	if err := opt.Check(o); err != nil {
		return err
	}
	switch {
	case o.FirstSeed > maxSeed:
		return workload.OptionFault("seed", o.FirstSeed, "at most %d", int64(maxSeed))
	case len(o.Strategies) == 0:
		return workload.OptionFault("strategies", "none", "one of %v", StrategyNames())
	}
	return nil
}

// Choices returns the names that an option accepts; nil if they are not listed.
func (o *Options) Choices(option string) []string {
	if option == "strategies" {
		return StrategyNames()
	}
	return nil
}

// strategies returns the strategies to study, in the order of Strategies.
func (o *Options) strategies() []Strategy {
	return slices.DeleteFunc(Strategies(), func(s Strategy) bool { return !slices.Contains(o.Strategies, s.Name) })
}

// Simulations returns the number of times that Options.Simulated is called.
func (o *Options) Simulations() int {
	workloads := 1
	if o.Log == nil {
		workloads = o.Seeds
	}
	return simulationsPerStrategy * len(o.strategies()) * workloads
}

// ResultSchema names the JSON form of Result and its version.
const ResultSchema = "loadstone.allocate/1"

// Result is the result of Compute: the savings and costs of the strategies, as means over the
// workloads.
type Result struct {
	Schema     string             `json:"schema"`
	Log        *workload.Summary  `json:"log"`      // nil if the jobs are drawn
	Workload   *Drawn             `json:"workload"` // nil if they come from a log
	Machine    Machine            `json:"machine"`
	Jobs       study.Interval     `json:"jobs"`
	AVG        study.Interval     `json:"avg_turnaround_mean_s"` // mean turnaround under AVG
	TMin       study.Interval     `json:"lifetimes_t_min_s"`
	TMax       study.Interval     `json:"lifetimes_t_max_s"`
	Strategies []StrategyResult   `json:"strategies"`
	Warnings   []workload.Warning `json:"warnings,omitempty"`

	First *Outcome `json:"-"` // outcome of the first workload, if Options.Keep is set
}

// Drawn describes the workloads that were drawn.
type Drawn struct {
	Model     string  `json:"model"`
	Seeds     int     `json:"seeds"`
	FirstSeed uint64  `json:"first_seed"`
	Days      int     `json:"days"`
	Load      float64 `json:"load"`
}

// StrategyResult contains the results of a strategy in the views of the application and of the
// system.
type StrategyResult struct {
	Strategy
	Application Application[study.Interval] `json:"application"`
	System      System[study.Interval]      `json:"system"`
}

// Sample describes the first workload, whose jobs the figures of the study show.
func (r *Result) Sample() string {
	if r.Log != nil {
		return fmt.Sprintf("%s on %d processors", filepath.Base(r.Log.Name), r.Machine.Processors)
	}
	w := r.Workload
	return fmt.Sprintf("%s, %s at load %g on %d processors, seed %d", w.Model, words.Counted(w.Days, "day"), w.Load, r.Machine.Processors, w.FirstSeed)
}

// Compute studies the savings and costs of strategies, on workloads that are drawn or
// on the jobs of a log.
//
// An invalid option is an error of Options.Validate. If no job of a log can be
// malleable, the error wraps ErrRigid; errors of the log's reader are returned
// unchanged. With an error, the result is nil or contains only the warnings of the log.
func Compute(ctx context.Context, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	s := comparison{machine: Machine{Processors: int(o.processors()), Day: halfDay, Night: halfDay}, strategies: o.strategies(), keep: o.Keep || o.Placed != nil, simulated: o.Simulated}
	r := &Result{Schema: ResultSchema}
	var outcomes []*Outcome
	if o.Log == nil {
		r.Workload = &Drawn{"downey1997", o.Seeds, o.FirstSeed, o.Days, o.Load}
		workers := par.Workers(o.Workers)
		s.workers = max(1, workers/o.Seeds)
		for out, err := range par.Map(min(workers, o.Seeds), par.Numbers(ctx, o.Seeds), func(i int) (*Outcome, error) {
			return s.seed(ctx, &o, o.FirstSeed+uint64(i))
		}, nil) {
			if err == nil {
				err = r.take(out, int64(o.FirstSeed)+int64(len(outcomes)), &o)
			}
			if err != nil {
				return r, err
			}
			outcomes = append(outcomes, out)
		}
	} else {
		out, err := s.log(ctx, &o, r)
		if err == nil {
			err = r.take(out, workload.Unknown, &o)
		}
		if err != nil {
			return r, err
		}
		outcomes = []*Outcome{out}
	}
	r.Machine = s.machine
	r.sumUp(outcomes)
	return r, nil
}

// processors returns the size of the machine; 0 if it is to come from a log that lacks it.
func (o *Options) processors() int64 {
	switch {
	case o.Processors > 0:
		return o.Processors
	case o.Log != nil:
		n, _ := o.Log.Header.Processors()
		return n
	}
	return 128
}

// seed studies the workload of a seed.
func (s *comparison) seed(ctx context.Context, o *Options, seed uint64) (*Outcome, error) {
	jobs, err := draw(ctx, o, seed)
	if err != nil {
		return nil, err
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("seed %d draws no jobs (days %d, load %g), want more of either", seed, o.Days, o.Load)
	}
	out, err := s.run(ctx, jobs)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w (seed %d)", err, seed)
	}
	return out, err
}

// log studies the jobs of a log.
func (s *comparison) log(ctx context.Context, o *Options, r *Result) (*Outcome, error) {
	s.machine.Open, s.workers = true, o.Workers
	switch n := s.machine.Processors; {
	case n == 0:
		return nil, &workload.OptionError{Option: "procs", Saw: "0", Want: "the processors of the machine: the header has neither MaxProcs nor MaxNodes"}
	case n > MaxProcessors:
		return nil, fmt.Errorf("the machine has %d processors, want at most %d", n, MaxProcessors)
	}
	var leftOut workload.Warnings
	jobs, err := fromLog(workload.Until(ctx, o.Log.Jobs()), int64(s.machine.Processors), o.Sigma, &leftOut)
	r.Warnings = slices.Clone(o.Log.Warnings())
	if err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, leftOut.List()...)
	r.Log = &workload.Summary{Name: o.Log.Name, Jobs: len(jobs)}
	return s.run(ctx, jobs)
}

// take passes the placements of a workload to Options.Placed, keeps the first outcome if
// Options.Keep is set, and frees the memory of the outcome.
func (r *Result) take(out *Outcome, seed int64, o *Options) error {
	if o.Placed != nil {
		if err := out.each(seed, o.Placed); err != nil {
			return err
		}
	}
	if o.Keep && r.First == nil {
		first := *out
		first.Rows = slices.Clone(out.Rows)
		r.First = &first
	}
	out.drop()
	return nil
}

// drop frees the fields whose size grows with the number of jobs.
func (o *Outcome) drop() {
	o.Jobs, o.Schedule = nil, nil
	for i := range o.Rows {
		r := &o.Rows[i]
		r.alone, r.schedule, r.Forecasts = nil, nil, nil
	}
}

// sumUp fills in the intervals from the outcomes.
func (r *Result) sumUp(outcomes []*Outcome) {
	over := func(of func(*Outcome) float64) study.Interval {
		var values []float64
		for _, o := range outcomes {
			values = append(values, of(o))
		}
		return study.IntervalOf(values).Clip(field.ParseRange("[0,)"))
	}
	r.Jobs = over(func(o *Outcome) float64 { return float64(o.jobs) })
	r.AVG = over(func(o *Outcome) float64 { return o.turnaround })
	r.TMin = over(func(o *Outcome) float64 { return o.lifetimes.TMin })
	r.TMax = over(func(o *Outcome) float64 { return o.lifetimes.TMax })
	for i := range outcomes[0].Rows {
		var alone []Application[float64]
		var all []System[float64]
		for _, o := range outcomes {
			alone, all = append(alone, o.Rows[i].application), append(all, o.Rows[i].system)
		}
		x := StrategyResult{Strategy: outcomes[0].Rows[i].Strategy}
		intervals(&x.Application, alone)
		intervals(&x.System, all)
		r.Strategies = append(r.Strategies, x)
	}
}
