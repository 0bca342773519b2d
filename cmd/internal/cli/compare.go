package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload"
)

type compareLogsOptions struct {
	evaluate.CompareOptions
	WaitFrom queuedFrom     `group:"What is compared"`
	Twin     verdictOptions `group:"A twin of a log"`
	Result   resultOptions  `group:"The result"`
	Sections []string       `opt:"section" help:"tables to print (default all)"`
	Plots    plotOptions    `of:"distributions, daily cycles and a verdict's pictures"`

	inputs []string
}

// Choices are the values of options that take one of some.
func (o *compareLogsOptions) Choices(option string) []string {
	if option == "section" {
		return tables.ComparedSections
	}
	return nil
}

func newCompareLogsCmd(a *app, run func(context.Context, *app, compareLogsOptions) error) *cobra.Command {
	var o compareLogsOptions
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare two workloads",
		Long: `Compares two workloads. Each input is a log, a model file, or the name of a
published model, from which --jobs jobs are drawn.

The result has medians, means and distances of run time, size, work and
interarrival time; then run times by size, loads, cycles and correlations. With
--schedule, the waits of both under each policy too, beside the variability of
A's weeks.`,
		Annotations: map[string]string{flags.Details: `Distances are the Kolmogorov-Smirnov D and Wasserstein's: how far values have to
be moved on average, of the attribute and of its logarithm. "by chance" is the D
that samples of so many independent values of one distribution exceed once in a
hundred times; jobs are not independent, so a larger D need not mean much.
Cycles are compared by the sum of (m-d)²/(m+d) over half hours, both scaled to
the number of jobs in the smaller workload; "moved" is the share of jobs that
would have to be submitted in another half hour, or on another day. What cannot
be compared is named. --by COLUMN also compares the jobs with each value of a
column.

--schedule judges B as a twin of the log A, row by row: users, locality, bursts,
estimates, and the waits of both under each policy. It compares waits as (B + 60
s) / (A + 60 s), other numbers as a ratio or a difference, distributions by D.
"weeks" are the 5 % and 95 % quantiles of the same comparison between A and
draws of A's weeks in blocks of four, under A's schedule: values between them
are no difference. --replicas 20 draws twins from a model, or with --like from
the log A, and gives A's rank among them. A row is outside where A is the lowest
or the highest, which happens in 9.5 % of the rows of a log that is like its
twins; it is pinned where the twins have A's value by construction. --require
names a row and, of a schedule, its policy: 'ratio(wait_q90_s,easy)<=1.4', with
"closed" after the policy for the closed loop; or run times of some sizes, or a
cycle: 'distance(run_time_s,33-64)<=0.1', 'distance(daily_cycle)<=0.05'. factor is the ratio or its
inverse, whichever is above 1; inside_pct(all) is the share of the rows where A
is inside. A verdict holds both workloads in memory.`},
		Example: `  loadstone compare KTH-SP2-1996.swf.gz site.json
  loadstone compare before.parquet after.parquet --by queue_id --format json
  loadstone compare kth.swf twin.swf --schedule easy,conservative
  loadstone compare kth.swf lublin1999 --plots pictures`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.Twin.Like {
				return new(oneLog).args(args)
			}
			if len(args) != 2 {
				return fmt.Errorf("want two logs or models, saw %d (--like compares one log with twins of it)", len(args))
			}
			if slices.Contains(args, "") {
				return fmt.Errorf("a log's name is empty: want a file, a model, or - for standard input")
			}
			if dashes := slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s != "-" }); len(dashes) > 1 {
				return fmt.Errorf("standard input can be read only once, saw - %d times", len(dashes))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.inputs = args
			if o.Twin.Like {
				o.inputs = append(o.inputs, twinName)
			}
			if err := o.Twin.read(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runCompareLogs(ctx context.Context, a *app, o compareLogsOptions) error {
	files := o.inputs
	if o.Twin.Like {
		files = files[:1]
	}
	if err := a.notOver(files, o.Result.Output); err != nil {
		return err
	}
	r, err := a.compareLogs(ctx, o)
	switch {
	case errors.Is(err, workload.ErrNoMachine):
		return fmt.Errorf("%s: %w: give --procs", o.inputs[0], err)
	case err != nil:
		return err
	}
	a.tell("", view.Warnings(r.Warnings))
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfCompared(r)); err != nil {
			return err
		}
	}
	if err := a.put(o.Result, tables.Compared(r.Compared, o.Sections)); err != nil || r.Verdict == nil {
		return err
	}
	return o.Twin.thresholds(o.inputs[0], r.Compared)
}

// compareLogs opens the inputs and compares them.
func (a *app) compareLogs(ctx context.Context, o compareLogsOptions) (*evaluate.CompareResult, error) {
	var inputs [2]evaluate.CompareInput
	for i, input := range o.inputs {
		in := evaluate.CompareInput{Name: nameOf(o.inputs, i), About: input}
		if i == 1 && o.Twin.Like {
			in.Like = true
		} else if a.isModel(input) {
			var err error
			if in.Users, err = a.modelOfUsers(input, nil); err == nil && in.Users == nil {
				in.Model, err = a.loadModel(input)
			}
			if err != nil {
				return nil, err
			}
		} else {
			in.Open = func() (*workload.Log, error) { return a.open(input) }
		}
		inputs[i] = in
	}
	if o.Twin.asked {
		o.Twin.Curves = o.Twin.Curves || o.Plots.Folder != ""
		o.Verdict = &o.Twin.VerdictOptions
	}
	return evaluate.Compare(ctx, inputs, o.CompareOptions)
}

// nameOf is what an input is called: the file's name, or all of its path where
// another has that name too.
func nameOf(inputs []string, i int) string {
	name := filepath.Base(inputs[i])
	for k, other := range inputs {
		if k != i && filepath.Base(other) == name {
			return inputs[i]
		}
	}
	return name
}
