package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitOptions ask for the wait of a request that is submitted at one moment.
type waitOptions struct {
	query   forecast.Query // without its logs
	sizes   string         // as typed: ranges end at the machine's size
	state   string         // file of what runs and waits
	history []string       // logs of what ended before
	machine forecast.StateOptions
	result  resultOptions
}

func newWaitCmd(a *app, run func(context.Context, *app, waitOptions) error) *cobra.Command {
	o := waitOptions{query: forecast.DefaultQuery()}
	q := &o.query
	var texts *requestTexts
	cmd := &cobra.Command{
		Use:   "wait STATE [HISTORY...] --size N",
		Short: "Predict how long a request would wait now",
		Long: `Predicts the wait of a request for --size processors, submitted to the machine
in STATE: the output of squeue, scontrol show job or sacct, or any log, cut at
--at. Jobs that have ended, in STATE and in the HISTORY logs, provide the
distribution of run times and the past waits.`,
		Example: `  loadstone wait squeue.txt jobs.parquet --procs 4096 --size 64 --time 2:00:00
  loadstone wait squeue.txt jobs.parquet --procs 4096 --size 16 --partition gpu`,
		Args: stateAndHistory,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := flags.CheckProcs(cmd, o.machine.Processors); err != nil {
				return err
			}
			o.state, o.history = args[0], args[1:]
			if q.Predictors, err = flags.All(cmd, "predictors", q.Predictors, forecast.Predictors()); err != nil {
				return err
			}
			if err := o.check(cmd, texts); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	texts = addRequestFlags(cmd, &o)
	f := cmd.Flags()
	flags.Procs(cmd, &o.machine.Processors, "processors of the machine (default: the header's)")
	flags.Enums(cmd, &q.Predictors, "predictors", "predictors to ask", append(forecast.Predictors(), "all"))
	flags.Brief(cmd, map[string]string{"predictors": "predictors to ask, by commas: " + strings.Join(forecast.Predictors(), ", ") + " (default: all)"})
	f.IntVar(&q.Judged, "judged", q.Judged, "past `jobs` on which predictors are evaluated, to recommend one; 0 for none")
	f.Uint64Var(&q.Seed, "seed", q.Seed, "seed of the draws")
	flags.Enum(cmd, &q.Law, "law", "distribution of run times", evaluate.Laws())
	f.Float64Var(&q.Confidence, "confidence", q.Confidence, "confidence of a bound from past waits")
	flags.Words(cmd, &q.Groups, "groups", "groups of past waits (default: ranges of processors) by columns", workload.Grouping{Submitted: true, Plain: true})
	a.addWaitFrom(cmd)
	addResultFlags(cmd, &o.result, true)
	flags.Groups(cmd,
		flags.Group("The request", "size", "time", "queue", "partition", "user"),
		flags.Group("A request that can run on several sizes", "run-times"),
		flags.Group("The machine", "at", "procs", "policy"),
		flags.Group("Who predicts, and from what", "predictors", "judged", "seed", "law", "confidence", "groups", waitFromFlag),
		flags.Group("Output", "format", "output"),
	)
	flags.Common(cmd, "size", "time", "queue", "partition", "procs", "at", "predictors", "policy", "format", "output")
	return cmd
}

// stateAndHistory is the arguments: a state, and any number of logs.
func stateAndHistory(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("a state is missing: want a file of what runs and waits, or - for standard input")
	}
	if i := slices.Index(args, ""); i >= 0 {
		return fmt.Errorf("the name of log %d is empty: want files of a state and its history", i)
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return fmt.Errorf("standard input can be read only once, saw %q", args)
	}
	return nil
}

func runWait(ctx context.Context, a *app, o waitOptions) error {
	if err := a.notOver(append([]string{o.state}, o.history...), o.result.output); err != nil {
		return err
	}
	err := a.withLog(o.state, func(log *workload.Log) (err error) {
		o.query.State, err = forecast.ReadState(ctx, log, o.machine)
		return err
	})
	if err != nil {
		return askFault(err)
	}
	o.query.History = &forecast.History{}
	for _, name := range o.history {
		if err := a.withLog(name, func(log *workload.Log) error { return o.query.History.Add(ctx, log) }); err != nil {
			return err
		}
	}
	a.endRanges(&o)
	answer, err := forecast.Ask(ctx, o.query)
	if answer != nil {
		a.warnOfWait(answer.Warnings, o.history)
	}
	if err != nil {
		return askFault(err)
	}
	return a.put(o.result, tables.Answer(answer))
}

// endRanges ends ranges of --size at the machine's size.
func (a *app) endRanges(o *waitOptions) {
	machine := cmp.Or(o.query.State.Processors(), o.query.History.Processors())
	if machine == 0 {
		return
	}
	sizes, ended, err := parseSizes(o.sizes, machine)
	if err != nil || len(ended) == 0 {
		return
	}
	o.query.Sizes = sizes
	a.note("--size %s: the machine has %d processors, where the range ends", strings.Join(ended, ","), machine)
}

// warnOfWait prints the warnings of an answer. Those of one log of the history are one
// line where they are many.
func (a *app) warnOfWait(all []workload.Warning, history []string) {
	const many = 3
	rules := map[string][]string{}
	for _, w := range all {
		if slices.Contains(history, w.About) && w.Rule != "later-than-state" {
			rules[w.About] = append(rules[w.About], w.Rule)
		}
	}
	for _, w := range all {
		switch of := rules[w.About]; {
		case w.About == "":
			a.warn("%s", w)
		case len(of) < many || w.Rule == "later-than-state":
			a.warn("%s: %s", w.About, w)
		case w.Rule == of[0]:
			a.warn("%s: %d warnings when read (%s); 'loadstone describe' shows each", w.About, len(of), strings.Join(of, ", "))
		}
	}
}

// withLog opens a log, and closes it when it has been read.
func (a *app) withLog(name string, read func(*workload.Log) error) error {
	log, err := a.open(name)
	if err != nil {
		return err
	}
	if err := read(log); err != nil {
		log.Close()
		return about(name, err)
	}
	return log.Close()
}

// askFault puts an error of the library into the words of the command line.
func askFault(err error) error {
	if errors.Is(err, forecast.ErrNoProcessors) {
		return fmt.Errorf("%w: give --procs", err)
	}
	return err
}
