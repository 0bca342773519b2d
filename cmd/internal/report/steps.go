package report

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// bootstrapDraws is how many samples the intervals of scores are from.
const bootstrapDraws = 1000

// open opens the log once more.
func (l *Report) open() (*workload.Log, error) { return l.o.Open(l.input) }

// withLog opens the log and closes it again.
func (l *Report) withLog(use func(*workload.Log) error) error {
	_, err := workload.WithLog(l.open, use)
	return err
}

// describeAll describes the log, by queue where it has any, else by partition where it
// has several.
func (l *Report) describeAll(ctx context.Context) error {
	by := ""
	if l.hasQueue(ctx) {
		by = "queue_id"
	}
	for {
		if err := l.describeBy(ctx, by); err != nil {
			return err
		}
		switch g := l.describe.Groups; {
		case by == "" && g["queue_id"].Known > 0:
			by = "queue_id" // they begin late
		case by != "partition_id" && g["queue_id"].Distinct < 2 && g["partition_id"].Distinct > 1:
			by = "partition_id"
		default:
			return nil
		}
	}
}

// queueWithin is in how many jobs from its beginning on a log with queues has
// one, as a rule.
const queueWithin = 10_000

// hasQueue says whether some job at the log's beginning has a queue: describing
// by queues a log that has none would be work for nothing.
func (l *Report) hasQueue(ctx context.Context) (has bool) {
	l.withLog(func(log *workload.Log) error {
		seen := 0
		for j, err := range workload.Until(ctx, log.Jobs()) {
			if err != nil || j.Queue != workload.Unknown {
				has = err == nil
				break
			}
			if seen++; seen == queueWithin {
				break
			}
		}
		return nil
	})
	return has
}

func (l *Report) describeBy(ctx context.Context, by string) error {
	o := inspect.DescribeOptions{Processors: l.o.Processors, Known: true, Arrivals: true, SizeGroups: true, By: by}
	flags := []string{"--section", "all"}
	if by != "" {
		flags = append(flags, "--by", by)
	}
	s := l.begin(describePart, "describe", flags...)
	return l.withLog(func(log *workload.Log) (err error) {
		l.describe, err = inspect.Describe(ctx, log, o)
		if err != nil {
			return err
		}
		if l.o.Unused != nil {
			if unused := l.o.Unused(l.describe.Log.Format); unused != "" {
				s.remarks = append(s.remarks, present.Remark{Warning: true, Text: unused})
			}
		}
		s.remarks = append(s.remarks, present.Warnings(l.describe.Warnings)...)
		return nil
	})
}

func (l *Report) check(ctx context.Context) error {
	l.begin(validatePart, "validate")
	return l.withLog(func(log *workload.Log) (err error) {
		l.validate, err = inspect.Validate(ctx, log, inspect.ValidateOptions{First: 3, Processors: l.o.Processors})
		return err
	})
}

func (l *Report) scoreRunTimes(ctx context.Context) error {
	s := l.begin(RunTimes, "runtime", append(l.seed(), "--plots", ".")...)
	return l.withLog(func(log *workload.Log) (err error) {
		o := evaluate.RunTimesOptions{UserEstimates: true, Replicates: bootstrapDraws, Seed: l.o.Seed}
		if l.o.Watch != nil {
			o.Watch = func(jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
				return l.o.Watch(log, 0, jobs)
			}
		}
		if l.scores, err = evaluate.RunTimes(ctx, log, o); err == nil {
			s.remarks = present.Warnings(l.scores.Warnings)
		}
		return err
	})
}

func (l *Report) scoreWaits(ctx context.Context) error {
	o := evaluate.WaitsOptions{Processors: l.o.Processors, Pictures: true, Replicates: bootstrapDraws, Seed: l.o.Seed, Reopen: l.open}
	flags := append(l.seed(), "--plots", ".")
	if n := l.o.Waits; n > 0 && l.describe.Jobs > int64(n) {
		o.FirstJobs = n
		flags = append(flags, "--first-jobs", strconv.Itoa(n))
	}
	s := l.begin(Waits, "predict", flags...)
	return l.withLog(func(log *workload.Log) (err error) {
		if l.o.Watch != nil {
			o.Watch = func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
				return l.o.Watch(log, n, jobs)
			}
		}
		l.waited, err = evaluate.Waits(ctx, log, o)
		switch {
		case errors.Is(err, predict.ErrNoWaits):
			return fmt.Errorf("%w: %s", err, present.HintSimulate)
		case errors.Is(err, workload.ErrNoMachine):
			return fmt.Errorf("%w: give --procs", err)
		case err != nil:
			return err
		}
		s.remarks = present.WaitRemarks(l.waited)
		return nil
	})
}
