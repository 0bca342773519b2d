package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/evaluate/predictions"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

type scoreOptions struct {
	Of                    string `opt:"of" default:"runtime" group:"Scores" common:"true" help:"predicted quantity"`
	Against               string `opt:"against" help:"<predictor,classes> that other predictors of run time are compared with (default last2,user, or the first)"`
	evaluate.Scoring      `of:"user, or of waits by week or day"`
	thresholds.Conditions `group:"Scores" of:"accuracy(mine,file)>=0.48|the numbers of --format csv"`
	Baseline              thresholds.Baseline `of:"an accuracy or a correlation fell, a bound's coverage is farther below its quantile, or its pinball loss rose"`
	Result                resultOptions       `group:"Output"`
	Plots                 plotOptions         `of:"the pictures of 'runtime' or 'predict'"`

	log, predictions string
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *scoreOptions) Choices(option string) []string {
	switch option {
	case "of":
		return []string{predictions.OfRunTimes, predictions.OfWaits}
	case "by": // for run times or waits
		return union(evaluate.RunTimesParts(), evaluate.WaitsParts())
	}
	return nil
}

// union returns a, followed by the elements of b that are not in a.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

func (o *scoreOptions) args(args []string) error {
	switch {
	case len(args) != 2 || slices.Contains(args, "") || args[0] == "-" && args[1] == "-":
		return fmt.Errorf("want a log and a file of predictions, at most one of them -, saw %q", args)
	}
	o.log, o.predictions = args[0], args[1]
	return nil
}

func (o *scoreOptions) check(a *app) error {
	if o.Of == predictions.OfWaits && o.Against != "" {
		return flags.Usagef("--against %s: it is for predictions of run times", o.Against)
	}
	return nil
}

func (o *scoreOptions) run(ctx context.Context, a *app) (*findings, error) {
	p, err := o.read(a)
	if err != nil {
		return nil, err
	}
	if o.Of == predictions.OfWaits {
		return o.scoreWaits(ctx, a, p)
	}
	of := evaluate.RunTimesOptions{Scoring: o.Scoring, Against: o.Against}
	entries, err := evaluate.PredictedEntries(p, of)
	if err != nil {
		return nil, err
	}
	judge, err := judgeOfRunTimes(a, o.Conditions, o.Baseline, entries)
	if err != nil {
		return nil, err
	}
	if err := judge.ReadBaseline(evaluate.DecodeRunTimes); err != nil {
		return nil, err
	}
	r, err := fromLog(a, o.log, func(log *workload.Log) (*evaluate.RunTimesResult, error) {
		of.Watch = a.watch(log)
		return evaluate.ScoreRunTimes(ctx, p, log, of)
	})
	if err != nil {
		return nil, err
	}
	return ofRunTimes(o.log, r, &judge), nil
}

func (o *scoreOptions) scoreWaits(ctx context.Context, a *app, p *predictions.Table) (*findings, error) {
	judge, err := judgeOfWaits(a, o.Conditions, o.Baseline, p.Names())
	if err != nil {
		return nil, err
	}
	if err := judge.ReadBaseline(evaluate.DecodeWaits); err != nil {
		return nil, err
	}
	w := evaluate.WaitsOptions{Scoring: o.Scoring, Pictures: o.Plots.Folder != ""}
	r, err := a.scoreWaits(ctx, o.log, w, func(ctx context.Context, log *workload.Log, w evaluate.WaitsOptions) (*evaluate.WaitsResult, error) {
		return evaluate.ScoreWaits(ctx, p, log, w)
	})
	if err != nil {
		return nil, err
	}
	return ofWaits(o.log, r, 0, &judge), nil
}

// read reads the predictions; "-" is standard input.
func (o *scoreOptions) read(a *app) (*predictions.Table, error) {
	path, columns := o.predictions, predictions.Columns()
	var table workload.Table
	var done func()
	var err error
	if path == "-" {
		table, done, err = logfile.OpenTableReader(path, a.In, columns)
	} else {
		table, done, err = logfile.OpenTable(path, columns)
	}
	if err != nil {
		return nil, err
	}
	defer done()
	return predictions.Read(path, o.Of, table)
}
