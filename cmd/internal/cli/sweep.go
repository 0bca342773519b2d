package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/study/sweep"
)

type sweepOptions struct {
	List      bool        `opt:"list" group:"The runs" common:"true" help:"list the runs with their numbers, as CSV"`
	Run       string      `opt:"run" not:"list" common:"true" help:"do the run of this <number>, or several: 7, 7-12"`
	Collect   bool        `opt:"collect" not:"list|run" common:"true" help:"make the tables from the results of all runs"`
	Slurm     bool        `opt:"slurm" not:"list|run|collect" group:"Other engines" common:"true" help:"print a script that submits the runs to Slurm as a job array"`
	Snakemake bool        `opt:"snakemake" not:"list|run|collect|slurm" common:"true" help:"print a Snakefile"`
	Parallel  bool        `opt:"parallel" not:"list|run|collect|slurm|snakemake" common:"true" help:"print a command line for each run, for GNU parallel"`
	Results   string      `opt:"results" group:"The result" common:"true" help:"<folder> of results (default: the name of the study's file with .results)"`
	Plots     plotOptions `group:"The result" of:"measures against load or machine size"`
	Format    string      `opt:"format" group:"The result" common:"true" help:"format on standard output (default table)"`

	study    string
	from, to int // range of --run
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (sweepOptions) Choices(option string) []string {
	if option == "format" {
		return view.Forms()
	}
	return nil
}

func (o *sweepOptions) args(args []string) error {
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
	o.study = args[0]
	return nil
}

// check returns an error for options that contradict each other.
func (o *sweepOptions) check(a *app) error {
	for _, mode := range []string{"list", "run", "slurm", "snakemake", "parallel"} {
		switch {
		case !a.given(mode):
		case o.Plots.Folder != "":
			return flags.Usagef("--plots is for all runs or --collect, not for --%s", mode)
		case o.Format != "" && !(mode == "list" && o.Format == "csv"):
			return flags.Usagef("--format is for results, not for --%s", mode)
		}
	}
	for _, name := range []string{"timezone", "map", "as"} {
		if a.given(name) {
			return flags.Usagef("--%s: a study says how its logs are read: logs: [{file: ..., timezone: ..., as: ...}]", name)
		}
	}
	if o.Results == "" {
		o.Results = strings.TrimSuffix(o.study, filepath.Ext(o.study)) + ".results"
	}
	if !a.given("run") {
		return nil
	}
	first, last, several := strings.Cut(o.Run, "-")
	if !several {
		last = first
	}
	var err1, err2 error
	o.from, err1 = strconv.Atoi(first)
	o.to, err2 = strconv.Atoi(last)
	if err1 != nil || err2 != nil || o.from < 1 || o.to < o.from {
		return flags.Usagef("--run %q: want the number of a run, from 1, or two such as 7-12", o.Run)
	}
	return nil
}

func (o *sweepOptions) run(ctx context.Context, a *app) (*findings, error) {
	plan, err := sweep.ReadPlan(ctx, o.study)
	if err != nil {
		return nil, err
	}
	switch {
	case o.List:
		return nil, tables.WriteRows(a.Out, plan.Each)
	case o.Slurm:
		return nil, o.script(a, plan, "slurm")
	case o.Snakemake:
		return nil, o.script(a, plan, "snakemake")
	case o.Parallel:
		return nil, o.script(a, plan, "parallel")
	}
	store, err := sweep.OpenStore(o.Results, plan)
	if err == nil && !o.Collect {
		err = o.do(ctx, a, plan, store)
	}
	if err != nil || o.Run != "" {
		return nil, err
	}
	return o.collect(ctx, a, plan, store)
}

// script prints the script with which another engine does the runs.
func (o *sweepOptions) script(a *app, plan *sweep.Plan, engine string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	s := sweep.Script{Program: program, Runs: plan.Runs()}
	if s.Study, err = filepath.Abs(o.study); err != nil {
		return err
	}
	if s.Results, err = filepath.Abs(o.Results); err != nil {
		return err
	}
	return s.Write(a.Out, engine)
}

// do does the runs from o.from to o.to that are missing in the store.
func (o *sweepOptions) do(ctx context.Context, a *app, plan *sweep.Plan, store *sweep.Store) error {
	if o.Run == "" {
		o.from, o.to = 1, plan.Runs()
	}
	missing, err := store.Missing(ctx, o.from, o.to)
	if err != nil {
		return err
	}
	if o.Run == "" && len(missing) > 0 {
		a.note("%s: %d runs, %d done", o.Results, plan.Runs(), plan.Runs()-len(missing))
	}
	one, end := a.progress.Work("runs", "runs", len(missing))
	defer end()
	return store.Do(ctx, missing, 0, one)
}

// collect writes the table of all runs, and returns its summary.
func (o *sweepOptions) collect(ctx context.Context, a *app, plan *sweep.Plan, store *sweep.Store) (*findings, error) {
	table, err := plan.Tabulate(ctx, store)
	if err != nil {
		return nil, err
	}
	if err := store.Tidy(); err != nil {
		return nil, err
	}
	var without []string
	if plan.Study.Processors[0] == 0 { // the study does not vary them
		without = []string{"processors"}
	}
	path := filepath.Join(o.Results, "table.csv")
	if err := a.writeFile(path, func(w io.Writer) error { return tables.WriteRows(w, table.Rows, without...) }); err != nil {
		readOnly := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
		if _, missing := os.Stat(path); missing != nil || !readOnly {
			return nil, err // otherwise the folder is read-only and already has the same table
		}
	}
	summary := table.Summary()
	found := &findings{
		plots:  func() []figure.Spec { return figure.OfSweep(summary) },
		result: tables.Sweep(summary),
		to:     resultOptions{Format: o.Format},
	}
	for _, w := range table.Warnings {
		text := fmt.Sprintf("%d of %d runs, the first of them run %d: %s", w.Runs, plan.Runs(), w.Run, w.Text)
		found.remarks = append(found.remarks, view.Remark{Warning: true, Text: text})
	}
	return found, nil
}
