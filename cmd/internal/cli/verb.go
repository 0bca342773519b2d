package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit/lifetimes"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/live"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/workload"
)

// A verb is a command: its name, which is also that of its help text (help/NAME.txt), its group
// in the help, and its options with their defaults.
type verb struct {
	name, group string
	options     action
}

// An action is the options of a command, whose tags declare its flags (package opt), with
// the methods that use them. If the options have any of these methods, they are called before run,
// in this order:
//
//	begin(*app) error      after the checks of global options and files, before those of options
//	Check() error          checks relations between the options (package opt)
//	check(*app) error      checks them against the arguments, and which of them are given
//	Validate() error       checks the options of the library's call
//
// complete(args []string) []string completes arguments, and readsNoLog() marks a command that
// does not use the flags for reading logs.
type action interface {
	args(args []string) error // takes the arguments of the command line
	run(ctx context.Context, a *app) (*findings, error)
}

// findings are the results of a command, in the order in which they are printed.
type findings struct {
	about   string // name of the input, for remarks that do not name it and for thresholds
	remarks []view.Remark
	plots   func() []figure.Spec // nil for none
	result  view.Result          // not printed if its Text is nil
	to      resultOptions        // destination of the result, if not part of the command's options
	after   func()               // prints further remarks after the result; nil for none
	// unmet returns the thresholds that are not met; nil if the command has no thresholds.
	unmet func() ([]string, error)
}

// The groups of commands in the help of the root. The first has the commands that most users begin
// with; commands in no group are listed under Other commands.
const (
	mostUsed  = "Most used"
	preparing = "Prepare logs"
	modelling = "Compare and model"
	simulated = "Simulate"
	predicted = "Predict"
	hidden    = "-" // not listed in the help
)

// command returns the cobra command of a verb.
func (a *app) command(v verb) *cobra.Command {
	cmd := document(&cobra.Command{}, v.name)
	if cmd.Hidden = v.group == hidden; !cmd.Hidden {
		cmd.GroupID = v.group
	}
	if _, none := v.options.(interface{ readsNoLog() }); !none && !cmd.Hidden {
		flags.Mention(cmd, "Global flags: -q, --quiet (no warnings or notes), --timezone ZONE (of the log)")
	}
	cmd.Args = func(_ *cobra.Command, args []string) error { return flags.Usage(v.options.args(args)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a.cmd = cmd
		if a.Quiet {
			a.progress.End()
		}
		if err := a.check(v.options, args); err != nil {
			return err
		}
		return a.perform(cmd.Context(), v.options)
	}
	if c, ok := v.options.(interface{ complete(args []string) []string }); ok {
		cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return c.complete(args), cobra.ShellCompDirectiveNoFileComp
		}
	}
	flags.Bind(cmd, v.options)
	return cmd
}

// check checks the options of the running command, in the order documented at action.
func (a *app) check(o action, args []string) error {
	checks := []func() error{func() error { return flags.Check(a.cmd, &a.globalOptions) }, func() error { return a.checkFiles(args) }}
	if b, ok := o.(interface{ begin(*app) error }); ok {
		checks = append(checks, func() error { return b.begin(a) })
	}
	checks = append(checks, func() error { return flags.Check(a.cmd, o) })
	if c, ok := o.(interface{ check(*app) error }); ok {
		checks = append(checks, func() error { return c.check(a) })
	}
	if v, ok := o.(interface{ Validate() error }); ok {
		checks = append(checks, v.Validate)
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// perform runs a command and prints its findings.
func (a *app) perform(ctx context.Context, o action) error {
	found, err := o.run(ctx, a)
	if found == nil {
		return err
	}
	a.tell(found.about, found.remarks)
	if err != nil {
		return err
	}
	if p := opt.Part[plotOptions](o); p != nil && p.Folder != "" && found.plots != nil {
		if err := a.drawAll(*p, found.plots()); err != nil {
			return err
		}
	}
	if found.result.Text != nil {
		if err := a.put(*cmp.Or(opt.Part[resultOptions](o), &found.to), found.result); err != nil {
			return err
		}
	}
	if found.after != nil {
		found.after()
	}
	if found.unmet == nil {
		return nil
	}
	faults, err := found.unmet()
	if err != nil {
		return err
	}
	return thresholds.Unmet(found.about, faults)
}

// given reports whether any of these flags is given.
func (a *app) given(names ...string) bool { return slices.ContainsFunc(names, a.cmd.Flags().Changed) }

// verbs returns all commands.
func verbs() []verb {
	return []verb{
		{"convert", preparing, &convertOptions{}},
		{"describe", mostUsed, &describeOptions{}},
		{"validate", preparing, &validateOptions{}},
		{"lifetimes", modelling, &lifetimesOptions{ComputeOptions: lifetimes.ComputeOptions{Classes: []string{workload.AllJobs}}}},
		{"sample", preparing, &sampleOptions{}},
		{"scale", preparing, &scaleOptions{}},
		{"clean", preparing, &cleanOptions{}},
		{"anonymise", preparing, &anonymiseOptions{}},
		{"split", preparing, &splitOptions{}},
		{"report", mostUsed, &reportOptions{}},
		{"allocate", simulated, &allocateOptions{Options: allocate.DefaultOptions()}},
		{"grid", simulated, newGridOptions()},
		{"simulate", simulated, &simulateOptions{}},
		{"capacity", simulated, &capacityOptions{}},
		{"sweep", simulated, &sweepOptions{}},
		{"runtime", predicted, newRuntimeOptions()},
		{"predict", predicted, newPredictOptions()},
		{"score", predicted, &scoreOptions{}},
		{"compare", modelling, &compareOptions{}},
		{"wait", predicted, &waitOptions{Query: live.DefaultQuery()}},
		{"models", modelling, &modelsOptions{}},
		{"demo", mostUsed, &demoOptions{}},
		{"fit", mostUsed, &fitOptions{}},
		{"generate", mostUsed, &generateOptions{}},
		{"serve", predicted, &serveOptions{Live: live.DefaultOptions()}},
		{"man", "", &manOptions{}},
		{"version", hidden, &versionOptions{}},
		{"options", hidden, &optionsOptions{}},
		{"frame", hidden, &frameOptions{}},
	}
}

// unused returns an error if a flag is given that a mode does not use.
func (a *app) unused(mode string, names ...string) error {
	for _, name := range names {
		if a.given(name) {
			return flags.Usagef("--%s does not go with %s", name, mode)
		}
	}
	return nil
}
