package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/model"
)

type generateOptions struct {
	model string
	make  generate.Options
	jobs  jobsOptions
}

func newGenerateCmd(a *app, run func(context.Context, *app, generateOptions) error) *cobra.Command {
	var o generateOptions
	cmd := &cobra.Command{
		Use:   "generate --model NAME|FILE (--jobs N | --days D) [-o OUT]",
		Short: "Make a synthetic workload from a fit or a published model",
		Long: `Draws jobs from a model: a file that 'loadstone fit -o' wrote, or one of the
published ones by name (` + strings.Join(model.Presets(), ", ") + `).
The same seed gives the same bytes, on any number of cores. The header of the
result says how to make it again.`,
		Example: `  loadstone generate --model lublin1999 --jobs 100000 --seed 7 -o lublin.swf
  loadstone generate --model site.json --days 30 --procs 512 -o month.parquet`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.model == "" {
				return usagef(cmd, "--model is missing: want a model file, or one of %s", strings.Join(model.Presets(), ", "))
			}
			jobs, days := cmd.Flags().Changed("jobs"), cmd.Flags().Changed("days")
			if jobs == days {
				return usagef(cmd, "want one of --jobs and --days")
			}
			err := run(cmd.Context(), a, o)
			var option *generate.OptionError
			if errors.As(err, &option) {
				return usagef(cmd, "--%s: saw %s, want %s", flagName(option.Option), option.Saw, option.Want)
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&o.model, "model", "m", "", "model file, or name of a published model: "+strings.Join(model.Presets(), ", "))
	complete(cmd, "model", model.Presets())
	cmd.Flags().Int64Var(&o.make.Jobs, "jobs", 0, "how many jobs")
	cmd.Flags().Float64Var(&o.make.Days, "days", 0, "the jobs submitted in so many days")
	cmd.Flags().Int64Var(&o.make.Processors, "procs", 0, "processors of the machine (default: the model's)")
	cmd.Flags().Float64Var(&o.make.Load, "load", 0, "offered load to scale the arrival rate to; sizes, run times and the daily cycle stay (default: the model's own)")
	cmd.Flags().Uint64Var(&o.make.Seed, "seed", 1, "seed of the random numbers")
	addJobsFlags(cmd, &o.jobs)
	return cmd
}

// flagName is the flag that sets an option.
func flagName(option string) string {
	if option == "processors" {
		return "procs"
	}
	return option
}

// firstMidnight is second 0 of a generated log: a Monday, so that its days are
// the working days that the models' peak hours mean.
var firstMidnight = time.Date(2001, time.January, 1, 0, 0, 0, 0, time.UTC)

func runGenerate(ctx context.Context, a *app, o generateOptions) error {
	site, err := a.loadModel(o.model)
	if err != nil {
		return err
	}
	o.make.Start = firstMidnight
	w, err := generate.New(site, o.make)
	if err != nil {
		return err
	}
	return a.putJobs(ctx, o.jobs, w.Header, w.Batches())
}

// loadModel reads a model file, "-" for standard input, or returns the
// published model of that name.
func (a *app) loadModel(name string) (model.Site, error) {
	if name == "-" {
		return model.Decode(a.In)
	}
	if slices.Contains(model.Presets(), name) {
		return model.Preset(name)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return model.Site{}, fmt.Errorf("%s: no such model file, and none of the published models %s", name, strings.Join(model.Presets(), ", "))
	}
	if err != nil {
		return model.Site{}, err
	}
	defer f.Close()
	site, err := model.Decode(f)
	if err != nil {
		return model.Site{}, fmt.Errorf("%s: %w", name, err)
	}
	return site, nil
}
