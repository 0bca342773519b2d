package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/internal/opt"
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
	if q.Sizes, _, err = parseSizes(o.Sizes, math.MaxInt64); err != nil {
		return flags.Usagef("--size: %w", err)
	}
	if o.RunTimes != "" {
		table, err := parseRunTimes(o.RunTimes)
		if err != nil {
			return flags.Usagef("--run-times: %w", err)
		}
		if q.Run, err = predict.RunByTable(table); err != nil {
			return err
		}
	}
	return q.Validate()
}

// parseSizes reads "4", "1,2,4" and "1-64", which doubles. Sizes that ranges
// have in common are taken once. Ranges that begin at or below most end there, and ended
// are those that would not have.
func parseSizes(text string, most int64) (sizes []int64, ended []string, err error) {
	if text == "" {
		return nil, nil, nil
	}
	add := func(n int64) {
		if !slices.Contains(sizes, n) {
			sizes = append(sizes, n)
		}
	}
	items := workload.SplitList(text)
	for i, item := range items {
		if slices.Contains(items[:i], item) {
			return nil, nil, fmt.Errorf("saw %q twice", item)
		}
		first, last, isRange := strings.Cut(item, "-")
		from, err := strconv.ParseInt(first, 10, 32)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(last, 10, 32)
		}
		if err != nil || from < 1 || to < from {
			return nil, nil, fmt.Errorf("saw %q, want processor counts of 1 or more, such as 16, or 1,4,16, or 1-64", item)
		}
		if isRange && from <= most && to > most {
			to, ended = most, append(ended, item)
		}
		for n := from; n < to; n *= 2 {
			add(n)
		}
		add(to)
	}
	return sizes, ended, nil
}

func parseRunTimes(text string) (map[int64]float64, error) {
	table := map[int64]float64{}
	for _, item := range strings.Split(text, ",") {
		size, run, _ := strings.Cut(strings.TrimSpace(item), "=")
		n, err1 := strconv.ParseInt(size, 10, 64)
		x, err2 := opt.Seconds(run)
		if _, twice := table[n]; err1 != nil || err2 != nil || twice || n < 1 || !(x > 0) || math.IsInf(x, 1) {
			return nil, fmt.Errorf("saw %q, want sizes with their seconds above 0, each once, such as 1=7200,4=2400", item)
		}
		table[n] = x
	}
	return table, nil
}

func (o *waitOptions) run(ctx context.Context, a *app) (*findings, error) {
	answer, err := o.ask(ctx, a)
	if answer != nil {
		a.warnOfWait(answer.Warnings, o.history)
	}
	if errors.Is(err, forecast.ErrNoProcessors) {
		err = fmt.Errorf("%w: give --procs", err)
	}
	if err != nil {
		return nil, err
	}
	return &findings{result: tables.Answer(answer)}, nil
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
