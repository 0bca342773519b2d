package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type sampleOptions struct {
	reshape.SampleOptions
	Jobs jobsOptions

	input string
}

func newSampleCmd(a *app, run func(context.Context, *app, sampleOptions) error) *cobra.Command {
	var o sampleOptions
	cmd := &cobra.Command{
		Use:   "sample LOG {--fraction P | --jobs N} [-o OUT]",
		Short: "Draw a random sample of a log's jobs or users",
		Long: `Draws jobs without replacement: each with the same probability, or exactly N.
With --by user (or other classes) it draws whole users, because a user's jobs
resemble one another and come in sessions. The same seed gives the same sample.`,
		Annotations: map[string]string{flags.Details: `With --by and --jobs, users are drawn in random order until their jobs come
nearest to N. Jobs whose user is unknown are left out then. The jobs keep their
order and their values. The header gets the new counts and a note. A sample has
a lower offered load than the log: 'loadstone scale' changes the load.`},
		Example: `  loadstone sample kth.parquet --fraction 0.1 -o tenth.swf
  loadstone sample kth.parquet --jobs 1000 --by user --seed 7 -o users.swf`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runSample(ctx context.Context, a *app, o sampleOptions) error {
	if err := a.notOver(nil, o.Jobs.Output); err != nil {
		return err
	}
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	s, err := reshape.Sample(ctx, src.open, o.SampleOptions)
	if err != nil {
		return inLog(o.input, err)
	}
	defer s.Close()
	err = a.putChanged(ctx, o.Jobs, s.Begun(), s.Optional(), named(o.input, s.Jobs), func() workload.Header {
		return s.Header("loadstone sample", fmt.Sprintf("a sample: %s, seed %d; the offered load is the sample's", s.What, o.Seed))
	})
	if err != nil {
		return err
	}
	a.warnAll(o.input, s.Warnings())
	return nil
}
