package cli

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type sampleOptions struct {
	input    string
	fraction float64 // 0 where jobs is given
	take     int64   // jobs; 0 where fraction is given
	by       string
	seed     uint64
	jobs     jobsOptions
}

// columnNames are the names of some columns.
func columnNames(columns []int) []string {
	all := workload.Columns()
	var names []string
	for _, col := range columns {
		names = append(names, all[col].Name)
	}
	return names
}

func newSampleCmd(a *app, run func(context.Context, *app, sampleOptions) error) *cobra.Command {
	var o sampleOptions
	cmd := &cobra.Command{
		Use:   "sample IN (--fraction P | --jobs N) [--by COLUMN] [-o OUT]",
		Short: "Draw some of a log's jobs, or of its users, at random",
		Long: `Draws a sample without replacement: each job with probability P, or N jobs of
which every choice is as likely. With --by user_id (or another identifier)
whole users are drawn, because a user's jobs resemble one another and come in
sessions: each user with probability P, or users in random order until their
jobs come nearest to N. Jobs of which the user is not known are left out then.

The jobs drawn stay as they are and in the log's order. The header gets the new
counts and a note. The same seed gives the same sample. The offered load is that
of the sample: 'loadstone scale' is for loads.`,
		Example: `  loadstone sample kth.parquet --fraction 0.1 -o tenth.swf
  loadstone sample kth.parquet --jobs 1000 --by user_id --seed 7 -o users.swf`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			fraction, jobs := cmd.Flags().Changed("fraction"), cmd.Flags().Changed("jobs")
			switch {
			case fraction == jobs:
				return usagef(cmd, "want one of --fraction and --jobs")
			case fraction && !(o.fraction > 0 && o.fraction <= 1):
				return usagef(cmd, "--fraction %g: want a number above 0, at most 1", o.fraction)
			case jobs && o.take < 1:
				return usagef(cmd, "--jobs %d: want 1 or more", o.take)
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().Float64Var(&o.fraction, "fraction", 0, "probability with which each job, or user, is drawn")
	cmd.Flags().Int64Var(&o.take, "jobs", 0, "how many jobs")
	enumFlag(cmd, &o.by, "by", "draw whole users, groups, ...", columnNames(workload.NamedColumns()))
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the random numbers")
	addJobsFlags(cmd, &o.jobs)
	return cmd
}

// random is the generator of a seed.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func runSample(ctx context.Context, a *app, o sampleOptions) error {
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	rng := random(o.seed)
	var draw func(workload.JobSeq) workload.JobSeq
	var what string
	switch {
	case o.by != "":
		draw, what, err = sampleClasses(ctx, src, o, rng)
	case o.take > 0:
		draw, what, err = sampleJobs(ctx, src, o, rng)
	default:
		what = fmt.Sprintf("each job with probability %g", o.fraction)
		draw = func(jobs workload.JobSeq) workload.JobSeq { return reshape.SampleFraction(jobs, o.fraction, rng) }
	}
	if err != nil {
		return err
	}
	log, err := src.open()
	if err != nil {
		return err
	}
	defer log.Close()
	var c changed
	jobs := counting(draw(counting(log.Jobs(), &c.before)), &c.after)
	err = a.putChanged(ctx, o.jobs, named(o.input, jobs), func() workload.Header {
		return c.header(log.Header, "sample", fmt.Sprintf("a sample: %s, seed %d; the offered load is the sample's", what, o.seed))
	})
	if err != nil {
		return err
	}
	a.warnAll(o.input, log.Warnings())
	return nil
}

// sampleJobs counts the jobs, so that the sample can be drawn in one more pass.
func sampleJobs(ctx context.Context, src *source, o sampleOptions, rng *rand.Rand) (func(workload.JobSeq) workload.JobSeq, string, error) {
	var total int64
	_, err := src.read(func(log *workload.Log) error {
		for rec, err := range workload.Until(ctx, log.Batches()) {
			if err != nil {
				return err
			}
			total += rec.NumRows()
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	if total < o.take {
		src.a.warn("%s: %d jobs are all there are, fewer than --jobs %d", o.input, total, o.take)
	}
	what := fmt.Sprintf("%d of %d jobs, all choices as likely", min(o.take, total), total)
	return func(jobs workload.JobSeq) workload.JobSeq { return reshape.SampleJobs(jobs, o.take, total, rng) }, what, nil
}

// sampleClasses counts the users, or what --by says, and chooses among them.
func sampleClasses(ctx context.Context, src *source, o sampleOptions, rng *rand.Rand) (func(workload.JobSeq) workload.JobSeq, string, error) {
	classes := reshape.NewClasses(workload.ColumnIndex(o.by))
	_, err := src.read(func(log *workload.Log) error {
		for j, err := range workload.Until(ctx, log.Jobs()) {
			if err != nil {
				return err
			}
			classes.Add(&j)
		}
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	if classes.Unknown > 0 {
		src.a.warn("%s: %d jobs are left out: their %s is not known", o.input, classes.Unknown, o.by)
	}
	var choice reshape.Choice
	if o.take > 0 {
		choice = classes.ChooseJobs(o.take, rng)
	} else {
		choice = classes.ChooseFraction(o.fraction, rng)
	}
	what := fmt.Sprintf("%d of %d values of %s, with all their jobs", len(choice.Values), len(classes.Jobs), o.by)
	return func(jobs workload.JobSeq) workload.JobSeq { return reshape.SampleClasses(jobs, choice) }, what, nil
}
