package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/sessions"
)

type convertOptions struct {
	Jobs         jobsOptions
	Batsim       string `opt:"batsim-version" help:"version of Batsim to write .batsim.json for (default 4, which also fits 1 to 3)"`
	Strict       bool   `opt:"strict" for:"output" common:"true" help:"fail where the output's format cannot hold everything"`
	Dependencies bool   `opt:"dependencies" common:"true" help:"write the preceding job and think time of each job, by its user's jobs"`

	input string
}

// Choices are the values of options that take one of some.
func (convertOptions) Choices(option string) []string {
	if option == "batsim-version" {
		return []string{"4", "5"}
	}
	return nil
}

func newConvertCmd(a *app, run func(context.Context, *app, convertOptions) error) *cobra.Command {
	var o convertOptions
	cmd := &cobra.Command{
		Use:   "convert LOG [-o OUT]",
		Short: "Convert a log to another format",
		Long: `Reads a job log and writes it in the format of OUT's extension. Header lines are
kept as metadata. Standard error lists what the new format cannot hold, by
column, and every problem met while reading. With --strict, anything that would
be lost is an error and no file is written.`,
		Annotations: map[string]string{flags.Details: `--dependencies finds which job each job waited for, and the think time after it:
among the user's last 50 jobs, the one that ended last before the submission. A
think time is at most 20 minutes. Dependencies in the log are replaced.`},
		Example: `  loadstone convert KTH-SP2-1996.swf.gz -o kth.parquet
  loadstone convert sacct.txt -o site.swf.gz
  loadstone convert kth.parquet --format swf | head`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			o.Jobs.strict, o.Jobs.batsim = o.Strict, o.Batsim
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runConvert(ctx context.Context, a *app, o convertOptions) error {
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	var last func() workload.Header
	if log.HeaderGrows() {
		last = func() workload.Header { return log.Header }
	}
	batches, header := log.Batches(), log.Header
	var odd workload.Warnings
	if o.Dependencies {
		batches = workload.Batches(sessions.Dependencies(log.Jobs(), sessions.Defaults(), &odd), nil)
		header = noteDependencies(header)
		if last != nil {
			last = func() workload.Header { return noteDependencies(log.Header) }
		}
	}
	if err := a.putTable(ctx, o.Jobs, log.Optional(), batches, header, last); err != nil {
		return err
	}
	a.warnAll(o.input, log.Warnings())
	a.warnAll(o.input, odd.List())
	return nil
}

func noteDependencies(h workload.Header) workload.Header {
	h = h.Clone()
	h.Add("Note", "preceding job and think time were found by loadstone convert --dependencies: of the user's last 50 jobs, the one that ended last before the submission; think times of at most 1200 s")
	return h
}
