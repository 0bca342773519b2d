package report

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit"
	users "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

// step is one computation of the page.
type step struct {
	command string   // the command that prints its numbers
	flags   []string // of the command, without those of all commands
	remarks []view.Remark

	isLeftOut bool // by Options.Without
}

// typed returns the command line.
func (s *step) typed(r *Report) string {
	words := []string{"loadstone", s.command, view.ShellWord(r.input)}
	flags := slices.Concat(s.flags, r.o.Global)
	if r.o.Processors > 0 && s.command != RunTimes {
		flags = append(flags, "--procs", strconv.FormatInt(r.o.Processors, 10))
	}
	for _, f := range flags {
		words = append(words, view.ShellWord(f))
	}
	return strings.Join(words, " ")
}

const (
	// bootstrapDraws is the number of bootstrap samples for the intervals of scores.
	bootstrapDraws = 1000
	// sampledJobs is the number of jobs on which predictors that simulate the queue are
	// scored: each job takes a simulation.
	sampledJobs = 300
	// mostJobs is the largest number of jobs of a log that is compared with jobs drawn from
	// the model, which are held in memory and scheduled, and the largest number of jobs
	// whose waits are predicted.
	mostJobs      = 1_000_000
	verdictPolicy = "easy"
)

// waitPredictors returns the bounds, which are scored on all jobs, and the predictors that are
// scored only on the sample.
func waitPredictors() []string {
	return append(predict.BoundNames(), "simulated", "estimates", "downey-b-queue")
}

// open opens the log.
func (r *Report) open() (*workload.Log, error) { return r.o.Open(r.input) }

// withLog opens the log, calls use, and closes the log.
func (r *Report) withLog(use func(*workload.Log) error) error {
	_, err := workload.WithLog(r.open, use)
	return err
}

// describe describes the log as a whole and broken down by size, queue, partition, user and
// account.
func (r *Report) describe(ctx context.Context, s *step) error {
	o := inspect.DescribeOptions{Processors: r.o.Processors, Also: []string{bySize, byQueue, byPartition, byUser, byAccount}}
	if err := r.withLog(func(log *workload.Log) (err error) {
		r.Log, err = inspect.Describe(ctx, log, o)
		return err
	}); err != nil {
		return err
	}
	s.flags = []string{"--by", bySize}
	if r.o.Unused != nil {
		if unused := r.o.Unused(r.Log.Log.Format); unused != "" {
			s.remarks = append(s.remarks, view.Remark{Warning: true, Text: unused})
		}
	}
	s.remarks = append(s.remarks, view.Warnings(r.Log.Warnings)...)
	return nil
}

func (r *Report) validate(ctx context.Context, s *step) error {
	return r.withLog(func(log *workload.Log) (err error) {
		r.Checks, err = inspect.Validate(ctx, log, inspect.ValidateOptions{First: 3, Processors: r.o.Processors})
		return err
	})
}

// measure measures how the machine was used.
func (r *Report) measure(ctx context.Context) error {
	return r.withLog(func(log *workload.Log) (err error) {
		r.Use, err = inspect.Use(ctx, log, r.Log)
		return err
	})
}

// fit fits distributions to the run times, and Lublin's model of the site.
func (r *Report) fit(ctx context.Context, s *step) error {
	s.flags = r.seed()
	o := site.Options{Fit: fit.Options{Seed: r.o.Seed}, Model: true, Processors: r.o.Processors, Work: r.o.Work}
	return r.withLog(func(log *workload.Log) (err error) {
		if r.Fits, err = site.Compute(ctx, log, o); err == nil {
			s.remarks = slices.Concat(view.Warnings(r.Fits.Warnings), tables.ModelRemarks(r.Fits), tables.FitRemarks(r.Fits))
		}
		return err
	})
}

// modelUsers fits the model of the site's users, which 'fit -o' writes.
func (r *Report) modelUsers(ctx context.Context, s *step) error {
	s.flags = []string{"-o", r.modelName()}
	return r.withLog(func(log *workload.Log) error {
		var check evaluate.CheckWaits
		m, warnings, err := users.Fit(ctx, check.Watch(log.Jobs()), &log.Header, filepath.Base(r.input), r.o.Processors)
		s.remarks = tables.UsersRemarks(warnings)
		if err != nil {
			return err
		}
		if m.Checked, err = check.Check(ctx, &m); errors.Is(err, context.Canceled) {
			return err
		}
		s.remarks = append(s.remarks, tables.CheckRemarks(m.Checked)...)
		if r.file, err = m.Encode(); err == nil {
			r.model = &m
		}
		return err
	})
}

// modelName returns the name of the model's file.
func (r *Report) modelName() string { return shortName(r.name) + ".json" }

// judge compares the log with jobs drawn from the model of its users.
func (r *Report) judge(ctx context.Context, s *step) error {
	s.flags = append([]string{r.modelName(), "--schedule", verdictPolicy}, r.seed()...)
	switch {
	case r.model == nil:
		return errors.New("there is no model: " + lowerFirst(r.Why["model"]))
	case r.Log.Jobs > mostJobs:
		return fmt.Errorf("the log has %s jobs, and this page compares up to %s: the commands below take more", view.Grouped(r.Log.Jobs), view.Grouped(int64(mostJobs)))
	}
	o := evaluate.CompareOptions{Verdict: &evaluate.VerdictOptions{Policies: []string{verdictPolicy}, Processors: r.o.Processors}, Seed: r.o.Seed}
	inputs := [2]evaluate.CompareInput{{Name: r.name, About: r.input, Open: r.open}, {Name: r.modelName(), About: r.modelName(), Model: r.model}}
	compared, err := evaluate.Compare(ctx, inputs, o)
	if err == nil {
		r.compared, s.remarks = compared.Compared, view.Warnings(compared.Warnings)
	}
	return err
}

func (r *Report) scoreRunTimes(ctx context.Context, s *step) error {
	s.flags = r.seed()
	return r.withLog(func(log *workload.Log) (err error) {
		o := evaluate.RunTimesOptions{UserEstimates: true, Scoring: evaluate.Scoring{Replicates: bootstrapDraws, Seed: r.o.Seed}}
		if r.o.Watch != nil {
			o.Watch = func(jobs iter.Seq2[workload.Job, error], _ int) iter.Seq2[workload.Job, error] {
				return r.o.Watch(log, 0, jobs)
			}
		}
		if r.runTimes, err = evaluate.RunTimes(ctx, log, o); err == nil {
			s.remarks = view.Warnings(r.runTimes.Warnings)
		}
		return err
	})
}

func (r *Report) scoreWaits(ctx context.Context, s *step) error {
	s.flags = append([]string{"--predictors", strings.Join(waitPredictors(), ","), "--sample", strconv.Itoa(sampledJobs)}, r.seed()...)
	o := evaluate.WaitsOptions{Predictors: waitPredictors(), Sample: sampledJobs, Processors: r.o.Processors, Scoring: evaluate.Scoring{Replicates: bootstrapDraws, Seed: r.o.Seed}, Reopen: r.open}
	if r.Log.Jobs > mostJobs {
		o.FirstJobs = mostJobs
		s.flags = append(s.flags, "--first-jobs", strconv.Itoa(mostJobs))
	}
	return r.withLog(func(log *workload.Log) (err error) {
		if r.o.Watch != nil {
			o.Watch = func(jobs iter.Seq2[workload.Job, error], n int) iter.Seq2[workload.Job, error] {
				return r.o.Watch(log, n, jobs)
			}
		}
		r.waits, err = evaluate.Waits(ctx, log, o)
		switch {
		case errors.Is(err, predict.ErrNoWaits):
			return fmt.Errorf("%w: %s", err, tables.HintSimulate)
		case errors.Is(err, workload.ErrNoMachine):
			return fmt.Errorf("%w: give --procs", err)
		case err == nil:
			s.remarks = tables.WaitRemarks(r.waits)
		}
		return err
	})
}

// seed returns the flag for the seed.
func (r *Report) seed() []string { return []string{"--seed", strconv.FormatUint(r.o.Seed, 10)} }
