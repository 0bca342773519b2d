package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/sched"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type simulateOptions struct {
	evaluate.ScheduleOptions
	Machine  string     `opt:"machine" file:"read" common:"true" help:"simulate the machine that this JSON <file> describes: pools of nodes, and partitions that share them" brief:"simulate the machine in this JSON <file>: pools and partitions"`
	WaitFrom queuedFrom // when jobs arrive
	Format   string     `opt:"format" common:"true" help:"format on standard output (default table)"`
	Output   string     `opt:"output,o" file:"write" common:"true" help:"write the log with simulated waits to this <file>: .swf .csv .batsim.json (also .gz or .zst), .parquet .arrow .arrows" brief:"write the log with simulated waits to this <file>: .swf, .parquet, ..."`

	input string
}

// Choices are the values of options that take one of some.
func (o *simulateOptions) Choices(option string) []string {
	if option == "format" {
		return append(slices.Clone(view.Forms()), "swf")
	}
	return o.ScheduleOptions.Choices(option)
}

func newSimulateCmd(a *app, run func(context.Context, *app, simulateOptions) error) *cobra.Command {
	var o simulateOptions
	cmd := &cobra.Command{
		Use:   "simulate LOG [-o OUT]",
		Short: "Schedule a log's jobs under a policy",
		Long: `Runs the jobs of a log on a simulated machine under a scheduling policy and
prints waits, bounded slowdown, utilisation and queue length; CSV and JSON have
more of each. A row "log" shows the same jobs with the log's own waits, if it
has some. -o writes the log with the simulated waits; everything else in it
stays. Jobs without size or run time, and those larger than the machine, are
left out and counted.

Policies:
  fcfs          first come, first served; no backfilling
  easy          FCFS with backfilling that does not delay the first queued job
  conservative  FCFS with backfilling that delays no job's reservation (slow
                for queues of thousands)
  sjf           shortest estimate first; no backfilling
  priority      queues in an order, as in --policy 'priority(queues=3,1)'; no
                backfilling`,
		Annotations: map[string]string{flags.Details: `Standard output has the log instead of the metrics with --format swf.
With -o and -q the metrics are printed only if --format asks for them.

Estimates: user, those in the log; perfect, the run times; or a predictor of
'loadstone runtime' under --classes, which learns from the jobs that have ended.
Where it has no history it uses the user's estimate or, without one, a day. An
estimate that proves too short is doubled until it is long enough.

--feedback closes the loop: a job that depends on another is submitted when that
job has ended and the think time has passed, but not before its time in the log.
Dependencies are those of the log (preceding job and think time) or, if it has
none, those of 'loadstone convert --dependencies'. Throughput is printed too.

` + machineDetails},
		Example: `  loadstone simulate kth.parquet --policy easy
  loadstone simulate kth.parquet --policy easy -o kth-easy.swf
  loadstone simulate kth.parquet --policy easy --estimates last2 --correct
  loadstone simulate slurm.parquet --policy easy --machine machine.json`,
		Args: func(_ *cobra.Command, args []string) error { return new(oneLog).args(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runSimulate(ctx context.Context, a *app, o simulateOptions) error {
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := o.size(&log.Header); err != nil {
		return err
	}
	var counts reshape.Change
	watch := a.progress.Watch(log)
	o.Watch = func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		return counts.Before.Counting(watch(jobs))
	}
	o.Queued = o.warnOfQueue(a)
	header := func() workload.Header {
		h := log.Header.Clone()
		if n := o.processors(); n > 0 {
			h.Set("MaxProcs", fmt.Sprint(n))
		}
		note := "wait times are simulated: " + o.describe()
		if o.Feedback {
			note = fmt.Sprintf("submission and %s; the submission times before that are those of %s, by job number", note, strconv.Quote(filepath.Base(o.input)))
		}
		return counts.Header(h, "loadstone simulate", note)
	}
	logOut := o.Format == "swf"
	if o.Output != "" || logOut {
		to := jobsOptions{Format: o.Format, Output: o.Output}
		if o.Output != "" && !logOut {
			to.Format = "" // it is that of the metrics
		}
		o.Scheduled = func(jobs workload.JobSeq) error {
			return a.putChanged(ctx, to, log.Header, log.Optional(), counts.After.Counting(jobs), header)
		}
	}
	r, err := evaluate.Schedule(ctx, log, o.ScheduleOptions)
	if err != nil {
		a.warnWhyNoJobs(o.input, log, err)
		return about(o.input, hinted(err))
	}
	a.warnAll(o.input, r.Warnings)
	if logOut || (a.quiet && o.Output != "" && o.Format == "") {
		return nil
	}
	return tables.Schedule(o.describe(), r).Write(a.Out, o.Format)
}

// hinted says what can be done where no job has an estimate.
func hinted(err error) error {
	if !errors.Is(err, sched.ErrNoEstimates) {
		return err
	}
	var without []string
	for _, p := range sched.Policies() {
		if !p.UsesEstimates() {
			without = append(without, p.Name())
		}
	}
	return fmt.Errorf("%w: policies that need none are %s; --estimates perfect, or a predictor such as last2, needs none in the log",
		err, strings.Join(without, " and "))
}

// size makes the machine what the flags say, else the header.
func (o *simulateOptions) size(h *workload.Header) (err error) {
	if o.Sites != nil || o.Cluster != nil {
		return nil
	}
	if o.Processors, err = machine(o.input, h, o.Processors); err != nil {
		return fmt.Errorf("%w, or --machine, which can have only GPUs", err)
	}
	return nil
}

// processors is how many the machine has; 0 where there are several machines.
func (o *simulateOptions) processors() int64 {
	switch {
	case o.Cluster != nil:
		return o.Cluster.Capacity(sched.Processors)
	case o.Sites != nil:
		return 0
	}
	return o.Processors
}

// machine is the number of processors to simulate: the one asked for, else the
// header's.
func machine(input string, header *workload.Header, asked int64) (int64, error) {
	if asked > 0 {
		return asked, nil
	}
	if n, ok := header.Processors(); ok {
		return n, nil
	}
	return 0, fmt.Errorf("%s: %w: give --procs", input, workload.ErrNoMachine)
}
