package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type demoOptions struct {
	input  string // "" makes a log
	folder string
}

func newDemoCmd(a *app, run func(context.Context, *app, demoOptions) error) *cobra.Command {
	o := demoOptions{}
	cmd := &cobra.Command{
		Use:   "demo [LOG]",
		Short: "Try every step on a log, or without one",
		Long: `Runs the main commands on a log, or on one drawn from a published model:
describe, convert, fit, generate, compare, simulate, and the scores of
predictors of run time and wait. It prints each command before it runs it and
keeps the files, so that you can repeat and change the steps by hand.`,
		Example: `  loadstone demo
  loadstone demo KTH-SP2-1996.swf.gz -o kth`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.input = args[0]
				if o.input == "-" {
					return flags.Usagef(cmd, "a demo reads its log more than once: want a file, not standard input")
				}
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVarP(&o.folder, "output", "o", "loadstone-demo", "`folder` for the files")
	return cmd
}

// What the demo makes its log from: few enough jobs to be quick, on a machine
// where the published model queues but does not drown.
const (
	demoModel      = "lublin1999"
	demoJobs       = "20000"
	demoProcessors = "128"
)

// demoStep is one command and why it is run.
type demoStep struct {
	why  string
	args []string
}

func runDemo(ctx context.Context, a *app, o demoOptions) error {
	if err := a.makeFolder(o.folder); err != nil {
		return err
	}
	in := func(name string) string { return filepath.Join(o.folder, name) }
	log, waits := o.input, o.input
	parquet := in("log.parquet")
	var steps []demoStep
	var procs []string // the flag for the size of the machine, where the log does not say it
	step := func(why string, args ...string) { steps = append(steps, demoStep{why, args}) }
	onMachine := func(why string, args ...string) { step(why, append(args, procs...)...) }
	jobs := demoJobs
	if log == "" {
		log, waits = in("log.swf"), in("fcfs.parquet")
		step("A log to work on, from a published model.", "generate", "--model", demoModel, "--jobs", demoJobs, "--procs", demoProcessors, "--users", "40", "--seed", "1", "-o", log)
	} else {
		known, n, largest, err := surveyJobs(ctx, a, log)
		if err != nil {
			return err
		}
		if procs, err = standInMachine(ctx, a, log, largest); err != nil {
			return err
		}
		parquet = in(survey.NameOf(log) + ".parquet") // the model is named after it
		if jobs = fmt.Sprint(n); !known {
			waits = in("fcfs.parquet")
		}
	}
	onMachine("What is in it?", "describe", log)
	step("The same table as Parquet, for other tools.", "convert", log, "-o", parquet)
	onMachine("Which distributions do its run times follow? And a model of the whole site.", "fit", parquet, "-o", in("model.json"), "--plots", o.folder)
	step("A synthetic log from that model.", "generate", "--model", in("model.json"), "--jobs", jobs, "--seed", "2", "-o", in("synthetic.swf"))
	step("How far is it from the log?", "compare", parquet, in("synthetic.swf"))
	onMachine("The log's jobs through a first-come-first-served queue.", "simulate", parquet, "-o", in("fcfs.parquet"))
	step("How well can run times be predicted? 'loadstone help predictors' says what the names mean.", "runtime", parquet)
	onMachine("And waits?", "predict", waits)
	for _, s := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.WriteString(a.Out, present.Message("# %s\n$ loadstone %s\n", s.why, strings.Join(s.args, " "))); err != nil {
			return err
		}
		// What a step remarks belongs under its command, in one stream.
		sub := &app{Streams: Streams{a.In, a.Out, a.Out}, ctx: ctx, quiet: a.quiet, timezone: a.timezone}
		stop := a.outputs.Keep(&sub.outputs)
		root := sub.root()
		root.SetArgs(s.args)
		err := sub.settle(root.ExecuteContext(ctx))
		stop()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(a.Out); err != nil {
			return err
		}
	}
	_, err := io.WriteString(a.Out, present.Message("The files are in %s.\n", o.folder))
	return err
}

// standInMachine warns where a log does not say how many processors its machine has, and
// returns the flag for what stands in for them: the most in use at once or, if no start is
// known, those of the largest job.
func standInMachine(ctx context.Context, a *app, name string, largest int64) ([]string, error) {
	log, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	if _, ok := log.Header.Processors(); ok || largest < 1 {
		return nil, nil
	}
	n, what := largest, "as many as the largest job has"
	v, err := inspect.Validate(ctx, log, inspect.ValidateOptions{Processors: 1, Rules: []string{"machine-over-full"}})
	if err != nil {
		return nil, err
	}
	if v.Busy != nil && v.Busy.Peak >= largest {
		n, what = v.Busy.Peak, "the most in use at once"
	}
	a.warn("%s: the log does not say how many processors the machine has: the demo assumes %d, %s; if you know the number, run the commands yourself with that --procs", name, n, what)
	return []string{"--procs", fmt.Sprint(n)}, nil
}

// surveyJobs counts a log's jobs, finds the processors of the largest, and says whether any
// wait is known.
func surveyJobs(ctx context.Context, a *app, name string) (known bool, jobs, largest int64, err error) {
	log, err := a.open(name)
	if err != nil {
		return false, 0, 0, err
	}
	defer log.Close()
	for rec, err := range workload.Until(ctx, log.Batches()) {
		if err != nil {
			return false, 0, 0, err
		}
		v := workload.NewView(rec)
		jobs += int64(v.Len())
		for i := range v.Len() {
			largest = max(largest, v.Size(i))
			known = known || v.Float(workload.ColWaitTime, i) >= 0
		}
	}
	return known, jobs, largest, nil
}
