package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload"
)

type allocateOptions struct {
	input      string // empty where the workload is drawn
	strategies []string
	seeds      int
	seed       uint64
	workload   allocate.Workload
	processors int64 // as typed

	rounding string
	night    float64 // h
	sigma    float64 // of a log's rigid jobs; NaN for none
	logDays  bool

	rules            allocate.Rules
	lifetimes, sizes string
	correction       string
	risk, minShare   float64
	heuristic        allocate.Heuristic
	sweep            string
	parameter        string // of the sweep
	values           []float64
	search           bool
	perJob, plots    string
	result           resultOptions
}

func allocateNames() []string {
	var names []string
	for _, s := range allocate.Strategies() {
		names = append(names, s.Name)
	}
	return names
}

func newAllocateCmd(a *app, run func(context.Context, *app, allocateOptions) error) *cobra.Command {
	o := allocateOptions{
		strategies: allocateNames(), workload: allocate.PaperWorkload(), rounding: string(allocate.Ceiling),
		lifetimes: string(allocate.Range), sizes: string(allocate.All), correction: string(allocate.Running),
		heuristic: allocate.PaperHeuristic(),
	}
	cmd := &cobra.Command{
		Use:   "allocate [LOG]",
		Short: "Study malleable jobs that choose their size by predicted waits",
		Long: `Simulates malleable jobs on a first-come-first-served machine: the job at the
head of the queue takes what is free, or holds out for more processors. Two
tables: what each job would have saved on avg's schedule had it alone held out
(the application's side), and the schedules in which all jobs choose so (the
system's). Without LOG the jobs are drawn as of the model downey1997, for each of
--seeds, and numbers have 95 % intervals over the seeds.

Strategies: avg takes what is free; avg-min waits for a share of the job's
parallelism; opt knows when running jobs end; pred predicts it; bias corrects the
prediction by what came of earlier ones; bias-lock also gives rebels no more than
they asked for; bias-lock-risk also holds out for large savings only;
bias-internal counts the wait of all in the queue; heur is a rule of four
parameters, which --search looks for.`,
		Annotations: map[string]string{details: `A LOG's jobs are its malleable ones; --sigma makes the others malleable, with their
size as average parallelism. Its submissions stay where they are; --log-days
takes them for days whose next morning waits for the queue to be empty, as of
'generate --model downey1997'.`},
		Example: "  loadstone allocate\n" +
			"  loadstone allocate --sweep load=0.5,0.75,1 --strategies avg,opt,bias --plots pictures\n" +
			"  loadstone allocate kth.swf --sigma 1 --strategies opt,pred --per-job jobs.parquet",
		Args: atMostOneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.input = args[0]
			}
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	addAllocateFlags(cmd, &o)
	return cmd
}

// atMostOneLog is the arguments of a command that can do without a log.
func atMostOneLog(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return oneLog(cmd, args)
}

// allocateRun is a study and what came of it.
type allocateRun struct {
	odd      []workload.Warning // of the log
	a        *app
	o        allocateOptions
	study    allocate.Study
	settings []allocateSetting
	trials   []allocate.Trial
	sample   allocateSample // for the pictures
}

// allocateSetting is the outcomes of one value of the sweep, or all there are.
type allocateSetting struct {
	value    float64 // NaN without a sweep
	outcomes []*allocate.Outcome
}

func runAllocate(ctx context.Context, a *app, o allocateOptions) error {
	if err := a.notOver([]string{o.input}, o.perJob, o.result.output); err != nil {
		return err
	}
	r, err := studyAllocation(ctx, a, o)
	if err != nil {
		return err
	}
	if o.plots != "" {
		if err := a.drawAll(o.plots, r.pictures()); err != nil {
			return err
		}
	}
	return a.put(o.result, r.result())
}

// studyAllocation studies the jobs of a log, or some that are drawn.
func studyAllocation(ctx context.Context, a *app, o allocateOptions) (*allocateRun, error) {
	r := &allocateRun{a: a, o: o, study: o.study()}
	r.study.Stop = ctx.Err
	workloads := len(o.sweepOrOne()) * o.seeds
	if o.input != "" {
		workloads = 1
	}
	var end func()
	r.study.Simulated, end = a.work("simulating", "simulations", allocate.SimulationsPerStrategy*len(r.study.Strategies)*workloads)
	defer end()
	if err := r.warnOfTime(); err != nil {
		return nil, err
	}
	return r, r.withJobs(func(save saveJobs) error {
		if o.input != "" {
			return r.ofLog(ctx, save)
		}
		return r.drawn(ctx, save)
	})
}

// drawn studies workloads that are drawn.
func (r *allocateRun) drawn(ctx context.Context, save saveJobs) error {
	for k, value := range r.o.sweepOrOne() {
		w, study, err := r.o.setting(r.study, value)
		if err != nil {
			return err
		}
		each := func(seed uint64, jobs []allocate.Job, o *allocate.Outcome) error {
			if k == 0 && seed == r.o.seed {
				r.sample.take(jobs, o)
			}
			return save(value, int64(seed), jobs, o)
		}
		outcomes, err := study.Replicate(w, r.o.seed, r.o.seeds, each)
		if err != nil {
			return err
		}
		r.settings = append(r.settings, allocateSetting{value, outcomes})
	}
	if !r.o.search {
		return nil
	}
	var workloads [][]allocate.Job
	for i := range r.o.seeds {
		jobs, err := r.o.workload.Jobs(r.o.seed + uint64(i))
		if err != nil {
			return err
		}
		workloads = append(workloads, jobs)
	}
	return r.tune(workloads)
}

func (r *allocateRun) tune(workloads [][]allocate.Job) (err error) {
	r.trials, err = r.study.Machine.Tune(workloads, allocate.DefaultGrid(), 0, r.study.Stop)
	return err
}

// ofLog studies the jobs of a log.
func (r *allocateRun) ofLog(ctx context.Context, save saveJobs) error {
	log, err := r.a.open(r.o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	processors, err := machine(r.o.input, &log.Header, r.o.processors)
	if err != nil {
		return err
	}
	if processors > allocate.MaxProcessors {
		return fmt.Errorf("%s: the machine has %d processors, want at most %d", r.o.input, processors, allocate.MaxProcessors)
	}
	r.study.Machine.Processors = int(processors)
	var warnings workload.Warnings
	jobs, err := allocate.FromLog(workload.Until(ctx, log.Jobs()), allocate.LogOptions{
		Processors: int(processors), Days: r.o.logDays, Sigma: r.o.sigma,
	}, &warnings)
	r.odd = log.Warnings()
	r.a.warnAll(r.o.input, r.odd)
	if errors.Is(err, allocate.ErrRigid) && math.IsNaN(r.o.sigma) {
		err = fmt.Errorf("%w: '--sigma 1' assumes one", err)
	}
	if err != nil {
		return about(r.o.input, err)
	}
	r.a.warnAll(r.o.input, warnings.List())
	r.odd = slices.Concat(r.odd, warnings.List())
	r.warnIfLong(float64(len(jobs)), r.seconds(float64(len(jobs)), 0, int(processors)), "fewer --strategies take less")
	out, err := r.study.Run(jobs)
	if err != nil {
		return about(r.o.input, err)
	}
	r.settings = []allocateSetting{{math.NaN(), []*allocate.Outcome{out}}}
	r.sample.take(jobs, out)
	if err := save(math.NaN(), workload.Unknown, jobs, out); err != nil {
		return err
	}
	if r.o.search {
		return r.tune([][]allocate.Job{jobs})
	}
	return nil
}
