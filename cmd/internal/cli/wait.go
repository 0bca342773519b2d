package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/live/forecast"
	"github.com/loadstone-hpc/loadstone/predict"
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

func (o *waitOptions) args(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("a state is missing: want a file of what runs and waits, or - for standard input")
	}
	if i := slices.Index(args, ""); i >= 0 {
		return fmt.Errorf("the name of log %d is empty: want files of a state and its history", i)
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return fmt.Errorf("standard input can be read only once, saw %q", args)
	}
	o.state, o.history = args[0], args[1:]
	return nil
}

func (o *waitOptions) check(*app) (err error) {
	q := &o.Query
	if q.Sizes, _, err = forecast.ParseSizes(o.Sizes, math.MaxInt64); err != nil {
		return flags.Usagef("--size: %w", err)
	}
	if o.RunTimes != "" {
		table, err := forecast.ParseRunTimes(o.RunTimes)
		if err != nil {
			return flags.Usagef("--run-times: %w", err)
		}
		if q.Run, err = predict.RunByTable(table); err != nil {
			return err
		}
	}
	return q.Validate()
}

func (o *waitOptions) run(ctx context.Context, a *app) (*findings, error) {
	answer, err := o.ask(ctx, a)
	found := &findings{}
	if answer != nil {
		found.remarks = waitRemarks(answer.Warnings, o.history)
	}
	if errors.Is(err, forecast.ErrNoProcessors) {
		err = fmt.Errorf("%w: give --procs", err)
	}
	if err != nil {
		return found, err
	}
	found.result = tables.Answer(answer)
	return found, nil
}

// ask reads the state and the history. An answer beside an error has its warnings.
func (o *waitOptions) ask(ctx context.Context, a *app) (_ *forecast.Answer, err error) {
	o.Query.State, err = fromLog(a, o.state, func(log *workload.Log) (*forecast.State, error) {
		return forecast.ReadState(ctx, log, o.Machine)
	})
	if err != nil {
		return nil, err
	}
	o.Query.History = &forecast.History{}
	for _, name := range o.history {
		if _, err := fromLog(a, name, func(log *workload.Log) (any, error) { return nil, o.Query.History.Add(ctx, log) }); err != nil {
			return nil, err
		}
	}
	o.endRanges(a)
	return forecast.Ask(ctx, o.Query)
}

// endRanges ends ranges of --size at the machine's size.
func (o *waitOptions) endRanges(a *app) {
	machine := cmp.Or(o.Query.State.Processors(), o.Query.History.Processors())
	if machine == 0 {
		return
	}
	sizes, ended, err := forecast.ParseSizes(o.Sizes, machine)
	if err != nil || len(ended) == 0 {
		return
	}
	o.Query.Sizes = sizes
	a.note("--size %s: the machine has %d processors, where the range ends", strings.Join(ended, ","), machine)
}

// waitRemarks returns the warnings of an answer. Many of one log of the history are one remark.
func waitRemarks(all []workload.Warning, history []string) (remarks []view.Remark) {
	const many = 3
	rules := map[string][]string{}
	for _, w := range all {
		if slices.Contains(history, w.About) && w.Rule != "later-than-state" {
			rules[w.About] = append(rules[w.About], w.Rule)
		}
	}
	for _, w := range all {
		switch of := rules[w.About]; {
		case w.About == "" || len(of) < many || w.Rule == "later-than-state":
			remarks = append(remarks, view.Warnings([]workload.Warning{w})...)
		case w.Rule == of[0]:
			text := fmt.Sprintf("%s: %d warnings when read (%s); 'loadstone describe' shows each", w.About, len(of), strings.Join(of, ", "))
			remarks = append(remarks, view.Remark{Warning: true, Text: text})
		}
	}
	return remarks
}
