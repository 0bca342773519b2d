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
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitOptions ask for the wait of a request that is submitted at one moment.
type waitOptions struct {
	Sizes    string                `opt:"size" group:"The request" common:"true" help:"<processors> requested: a number, several by commas, or a range such as 1-64 (1, 2, 4, ... 64)"` // ranges end at the machine's size
	RunTimes string                `opt:"run-times" help:"run times by <size>, such as 1=7200,4=2400: adds the size of the least turnaround"`
	Query    forecast.Query        // without its logs
	Machine  forecast.StateOptions // of the state
	WaitFrom countFrom             `group:"Who predicts, and from what"`
	Result   resultOptions         `group:"Output"`

	state   string   // file of what runs and waits
	history []string // logs of what ended before
}

func newWaitCmd(a *app, run func(context.Context, *app, waitOptions) error) *cobra.Command {
	o := waitOptions{Query: forecast.DefaultQuery()}
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
			o.state, o.history = args[0], args[1:]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
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
	if err := a.notOver(append([]string{o.state}, o.history...), o.Result.Output); err != nil {
		return err
	}
	err := a.withLog(o.state, func(log *workload.Log) (err error) {
		o.Query.State, err = forecast.ReadState(ctx, log, o.Machine)
		return err
	})
	if err != nil {
		return askFault(err)
	}
	o.Query.History = &forecast.History{}
	for _, name := range o.history {
		if err := a.withLog(name, func(log *workload.Log) error { return o.Query.History.Add(ctx, log) }); err != nil {
			return err
		}
	}
	a.endRanges(&o)
	answer, err := forecast.Ask(ctx, o.Query)
	if answer != nil {
		a.warnOfWait(answer.Warnings, o.history)
	}
	if err != nil {
		return askFault(err)
	}
	return a.put(o.Result, tables.Answer(answer))
}

// endRanges ends ranges of --size at the machine's size.
func (a *app) endRanges(o *waitOptions) {
	machine := cmp.Or(o.Query.State.Processors(), o.Query.History.Processors())
	if machine == 0 {
		return
	}
	sizes, ended, err := parseSizes(o.Sizes, machine)
	if err != nil || len(ended) == 0 {
		return
	}
	o.Query.Sizes = sizes
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
