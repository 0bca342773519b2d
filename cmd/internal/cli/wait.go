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
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/workload"
)

// waitOptions are the options of the command that predicts the wait of a request.
type waitOptions struct {
	Sizes    string        `opt:"size" group:"The request" common:"true" help:"<processors> requested: a number, several by commas, or a range such as 1-64 (1, 2, 4, ... 64)"` // ranges end at the machine's size
	Query    live.Query    // run sets its logs
	WaitFrom countFrom     `group:"Who predicts, and from what"`
	Result   resultOptions `group:"Output"`

	logs []string // the state (running and waiting jobs), followed by its history (ended jobs)
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
	o.logs = args
	return nil
}

func (o *waitOptions) check(*app) (err error) {
	if o.Query.Sizes, err = sizesOf(o.Sizes, math.MaxInt64); err != nil {
		return flags.Usagef("--size: %w", err)
	}
	return o.Query.Validate()
}

func (o *waitOptions) run(ctx context.Context, a *app) (*findings, error) {
	q := &o.Query
	for _, name := range o.logs {
		if _, err := fromLog(a, name, func(log *workload.Log) (any, error) { return nil, q.Logs.Add(ctx, log) }); err != nil {
			return &findings{}, err
		}
	}
	if n := cmp.Or(q.Processors, q.Logs.Processors()); n > 0 {
		q.Sizes, _ = sizesOf(o.Sizes, n)
	}
	answers, err := live.Ask(ctx, *q)
	found := &findings{}
	if answers != nil {
		found.remarks = waitRemarks(answers.Warnings, o.logs[1:])
	}
	if errors.Is(err, live.ErrNoProcessors) {
		err = fmt.Errorf("%w: give --procs", err)
	}
	if err != nil {
		return found, err
	}
	found.result = tables.Answers(answers)
	return found, nil
}

// sizesOf parses processor counts such as "4", "1,2,4" or "1-64", which stands for 1, 2, 4 and so
// on, and 64. Sizes that several ranges have in common are returned once. A range that begins at or
// below most is cut off at most.
func sizesOf(text string, most int64) (sizes []int64, err error) {
	if text == "" {
		return nil, nil
	}
	for _, item := range workload.SplitList(text) {
		first, last, isRange := strings.Cut(item, "-")
		from, err := strconv.ParseInt(first, 10, 32)
		to := from
		if err == nil && isRange {
			to, err = strconv.ParseInt(last, 10, 32)
		}
		if err != nil || from < 1 || to < from || !isRange && slices.Contains(sizes, from) {
			return nil, fmt.Errorf("saw %q, want processor counts of 1 or more, each once, such as 16, or 1,4,16, or 1-64", item)
		}
		if isRange && from <= most {
			to = min(to, most)
		}
		for n := from; ; n = min(2*n, to) {
			if !slices.Contains(sizes, n) {
				sizes = append(sizes, n)
			}
			if n == to {
				break
			}
		}
	}
	return sizes, nil
}

// waitRemarks returns the warnings of an answer as remarks. Three or more warnings of a log of the
// history are combined into one remark.
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
