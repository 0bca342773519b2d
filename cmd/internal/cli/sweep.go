package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

type sweepOptions struct {
	List      bool        `opt:"list" group:"The runs" common:"true" help:"list the runs with their numbers"`
	Run       string      `opt:"run" not:"list" common:"true" help:"do the run of this <number>, or several: 7, 7-12"`
	Collect   bool        `opt:"collect" not:"list|run" common:"true" help:"make the tables from the results of all runs"`
	Slurm     bool        `opt:"slurm" not:"list|run|collect" group:"Other engines" common:"true" help:"print a script that submits the runs to Slurm as a job array"`
	Snakemake bool        `opt:"snakemake" not:"list|run|collect|slurm" common:"true" help:"print a Snakefile"`
	Parallel  bool        `opt:"parallel" not:"list|run|collect|slurm|snakemake" common:"true" help:"print a command line for each run, for GNU parallel"`
	Results   string      `opt:"results" group:"The result" common:"true" help:"<folder> of results (default: the study's name with .results)"`
	Plots     plotOptions `group:"The result" of:"measures against load or machine size"`
	Format    string      `opt:"format" group:"The result" common:"true" help:"format on standard output (default table)"`

	study string
}

// Choices are the values of options that take one of some.
func (sweepOptions) Choices(option string) []string {
	if option == "format" {
		return view.Forms()
	}
	return nil
}

// sweepModes are flags of which at most one is given.
var sweepModes = []string{"list", "run", "collect", "slurm", "snakemake", "parallel"}

func newSweepCmd(a *app, run func(context.Context, *app, sweepOptions) error) *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep STUDY [--results DIR]",
		Short: "Run a study of many simulations or benchmarks",
		Long: `Runs a study file (YAML or JSON): all combinations of logs and models, loads,
seeds, machine sizes, policies, estimates and feedback, or of logs and
predictors. Runs that are done are not repeated: after an interruption, give the
same command again.

  logs: [kth.swf.gz]        or models: [lublin1999], with days: 60
  loads: [0.5, 0.7, 0.9]    offered loads (default: the workload's)
  seeds: 10                 how many, or a list
  processors: [100, 120]    sizes of the machine (default: the workload's)
  policies: [fcfs, easy]    as in 'loadstone simulate'
  estimates: [perfect]      or user, the workload's own (default), or last2

The folder of results has a file for each run, table.csv and table.parquet.`,
		Annotations: map[string]string{flags.Details: `All fields of a study:

  logs: [kth.swf.gz]             files, or {file, name, processors, timezone, as}
  models: [lublin1999]           published models or model files
  workloads: twins               of logs: twins (default), scaled or log
  days: 60                       length of twins and models' workloads, or jobs: N
  loads: [0.5, 0.7, 0.9]         offered loads (default: the workload's)
  seeds: 10                      how many, or a list
  processors: [100, 120]         sizes of the machine (default: the workload's)
  policies: [fcfs, easy]         as in 'loadstone simulate'
  estimates: [user, last2]
  feedback: [false, true]
  runtime, classes, wait         predictors, instead of policies

The tables have a row for each run and measure, with means and 95 % intervals
over the seeds, and differences from the first policy on the first machine, on
the same jobs.`},
		Example: `  loadstone sweep study.yaml --list
  loadstone sweep study.yaml --plots pictures
  loadstone sweep study.yaml --slurm > submit.sh && sh submit.sh
  loadstone sweep study.yaml --parallel | parallel &&
      loadstone sweep study.yaml --collect`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return fmt.Errorf("the study file is missing: want one, such as study.yaml; 'loadstone sweep --help' shows what is in it")
			case len(args) != 1:
				return fmt.Errorf("saw %d files, want one study", len(args))
			case args[0] == "":
				return fmt.Errorf("saw an empty name, want a study file")
			case args[0] == "-":
				return fmt.Errorf("saw -, want a study file: its name and folder are those of the study")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.study = args[0]
			if err := o.check(cmd); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

// check finds options that are at odds.
func (o *sweepOptions) check(cmd *cobra.Command) error {
	var given []string
	for _, name := range sweepModes {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if o.Plots.Folder != "" && len(given) == 1 && !o.Collect {
		return flags.Usagef("--plots is for all runs or --collect, not for %s", given[0])
	}
	if o.Format != "" && len(given) == 1 && !o.Collect && !o.List {
		return flags.Usagef("--format is for results and --list, not for %s", given[0])
	}
	if _, _, err := o.runs(); cmd.Flags().Changed("run") && err != nil {
		return flags.Usage(err)
	}
	if name := givenReading(cmd); name != "" {
		return flags.Usagef("--%s: a study says how its logs are read: logs: [{file: ..., timezone: ..., as: ...}]", name)
	}
	if o.Results == "" {
		o.Results = strings.TrimSuffix(o.study, filepath.Ext(o.study)) + ".results"
	}
	return nil
}

// givenReading is the first flag given that says how a log is read, which every command has.
func givenReading(cmd *cobra.Command) string {
	for _, name := range []string{"timezone", "map", "as", "map-file"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed {
			return name
		}
	}
	return ""
}

// runs are the first and the last of --run.
func (o *sweepOptions) runs() (from, to int, err error) {
	first, last, several := strings.Cut(o.Run, "-")
	if !several {
		last = first
	}
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || from < 1 || to < from {
		return 0, 0, fmt.Errorf("--run %q: want the number of a run, from 1, or two such as 7-12", o.Run)
	}
	return from, to, nil
}

func runSweep(ctx context.Context, a *app, o sweepOptions) error {
	plan, err := sweep.ReadPlan(ctx, o.study)
	if err != nil {
		return err
	}
	switch {
	case o.List:
		return a.listSweep(o, plan)
	case o.Slurm || o.Snakemake || o.Parallel:
		return a.printEngine(o, plan)
	}
	open := sweep.OpenStore
	if o.Collect {
		open = sweep.ReadStore
	}
	store, err := open(o.Results, plan)
	if err != nil {
		return err
	}
	if !o.Collect {
		if err := a.doRuns(ctx, o, plan, store); err != nil || o.Run != "" {
			return err
		}
	}
	return a.collectSweep(ctx, o, plan, store)
}
