package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Streams are what a command reads and writes besides the files it is given.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Standard returns the process's own streams.
func Standard() Streams { return Streams{os.Stdin, os.Stdout, os.Stderr} }

// app is what the subcommands share in one run.
type app struct {
	Streams
	ctx      context.Context // of the run: nothing is put in place once it has ended
	cmd      *cobra.Command  // that runs
	quiet    bool
	timezone string            // IANA name of the zone of local times in logs, or ""
	mapping  flags.Mapping     // of tables of other programs
	waitFrom string            // of workload.WaitsFrom, or ""
	models   map[string][]byte // texts of the models read so far, by name
	unknown  error             // of help that was asked for a command that does not exist

	progress *progress.Line
	expected int64 // jobs to be written; 0 where that is not known before

	outputs output.Files
	args    []string // of the command line
	parts   parts

	// lasting says that the command runs until it is interrupted, which then is no
	// failure, and takes its time to end.
	lasting atomic.Bool
}

// Main runs the command and returns its exit code. An interrupt ends it with
// no output file left half written.
func Main(args []string, s Streams) int {
	// Go ends a program that writes to a pipe without a reader. Without this
	// signal the write fails, and the command cleans up as after any failure.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	return run(ctx, args, s)
}

// endings are the signals that interrupt a command. What is ignored stays
// ignored: nohup and a shell's background jobs rely on it.
func endings() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

func run(ctx context.Context, args []string, s Streams) int {
	a := &app{Streams: s, ctx: ctx, args: args, progress: progress.OnTerminal(s.Err)}
	out := &output.Standard{W: s.Out, Progress: a.progress}
	a.Out = out
	done := make(chan error, 1)
	go func() {
		root := a.root()
		root.SetArgs(args)
		cmd, err := root.ExecuteContextC(ctx)
		done <- a.settle(cmp.Or(out.Fault(), a.unknown, flags.OptionFaultOr(cmd, err)))
	}()
	select {
	case err := <-done:
		return a.finish(ctx, err)
	case <-ctx.Done():
	}
	if a.lasting.Load() {
		return a.finish(ctx, <-done)
	}
	// Streams look at the context once a batch; a read that blocks, on a pipe
	// say, is not waited for.
	select {
	case err := <-done:
		return a.finish(ctx, err)
	case <-time.After(2 * time.Second):
	}
	a.outputs.Abort()
	return a.finish(ctx, ctx.Err())
}

// settle puts a command's files in place, or removes them where it failed. A
// threshold that is not met is a result.
func (a *app) settle(err error) error {
	if a.lasting.Load() { // it has no output files
		return err
	}
	var threshold *thresholds.Error
	if (err == nil || errors.As(err, &threshold)) && a.ctx.Err() == nil {
		return cmp.Or(a.outputs.Put(), err)
	}
	if n := a.outputs.Discard(); n > 0 && !errors.Is(err, output.ErrReaderGone) {
		a.note("nothing is written: %d finished %s discarded", n, present.Plural(n, "file is", "files are"))
	}
	return cmp.Or(err, a.ctx.Err())
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "loadstone",
		Short: "Statistical modelling of batch-computing workloads",
		Long: `Loadstone reads the job log of a batch machine, fits the field's models to it, generates synthetic
workloads from a fit or a published model, and scores predictors of run time and of queue wait.

A FILE's format is found from its content, then from its name; "-" is standard input.
Results go to standard output as a table, or as --format says; -o FILE writes a file.`,
		Annotations: map[string]string{flags.Details: `Files compressed by gzip, zstd, xz and bzip2 are read through. A file that is
written is either whole or not there: all files of a command appear together when
it has succeeded. They replace files of their names without asking, but never a
file that the command reads.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a threshold named by the user
not met, 130 interrupted, 141 nobody reads standard output any more.`},
		Version:                    version.String(),
		Args:                       unknownCommand,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.cmd = cmd
			if a.quiet {
				a.progress.End()
			}
			if err := noEmptyFiles(cmd); err != nil {
				return err
			}
			return outputFault(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return flags.Usage(cmd, flags.ParseFault(cmd, err)) })
	a.addGlobalFlags(root)
	root.AddCommand(
		newConvertCmd(a, runConvert),
		newCleanCmd(a, runClean),
		newDescribeCmd(a, runDescribe),
		newValidateCmd(a, runValidate),
		newFitCmd(a, runFit),
		newLifetimesCmd(a, runLifetimes),
		newModelsCmd(a),
		newAverageCmd(a, runAverage),
		newGenerateCmd(a, runGenerate),
		newSimulateCmd(a, runSimulate),
		newSweepCmd(a, runSweep),
		newAllocateCmd(a, runAllocate),
		newGridCmd(a, runGrid),
		newRuntimeCmd(a, runRuntime),
		newPredictCmd(a, runPredict),
		newScoreCmd(a, runScore),
		newWaitCmd(a, runWait),
		newServeCmd(a, runServe),
		newAnonymiseCmd(a, runAnonymise),
		newSampleCmd(a, runSample),
		newMergeCmd(a, runMerge),
		newSplitCmd(a, runSplit),
		newScaleCmd(a, runScale),
		newCheckCmd(a, runCheck),
		newCompareLogsCmd(a, runCompareLogs),
		newPlotCmd(a, runPlot),
		newReportCmd(a, runReport),
		newDemoCmd(a, runDemo),
		newManCmd(a),
	)
	for _, cmd := range root.Commands() {
		check := cmd.Args
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return flags.Usage(cmd, err)
			}
			return nil
		}
	}
	root.AddCommand(topics()...)
	flags.AddHelp(root)
	a.refuseUnknownHelp(root)
	return root
}

// addGlobalFlags adds the flags of every command.
func (a *app) addGlobalFlags(root *cobra.Command) {
	f := root.PersistentFlags()
	f.BoolVarP(&a.quiet, "quiet", "q", a.quiet, "no warnings or remarks on standard error")
	f.Var((*flags.Zone)(&a.timezone), "timezone", "`zone` of a log that names none, such as Europe/Zurich (default: UTC, with a warning)")
	a.mapping.Add(f)
	flags.Brief(root, map[string]string{
		"map":      "columns of a table, or FILE.json, a mapping of another program's table",
		"timezone": "`zone` of a log that names none, such as Europe/Zurich (default: UTC)",
	})
}

// note says something about the result on standard error.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		a.progress.Aside(func() { io.WriteString(a.Err, present.Message(format+"\n", args...)) })
	}
}

// warn is a note that something may be wrong.
func (a *app) warn(format string, args ...any) {
	a.note("warning: "+format, args...)
}

// tell prints the remarks beside a result. Warnings are about an input; it is empty
// where they name their own.
func (a *app) tell(input string, all []present.Remark) {
	for _, r := range all {
		switch {
		case !r.Warning:
			a.note("note: %s", r.Text)
		case input == "":
			a.warn("%s", r.Text)
		default:
			a.warn("%s: %s", input, r.Text)
		}
	}
}

// warnAll passes on what a reader or an algorithm counted.
func (a *app) warnAll(about string, ws []workload.Warning) {
	for _, w := range ws {
		a.warn("%s: %s", about, w)
	}
}
