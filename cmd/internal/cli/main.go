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

	_ "github.com/loadstone-hpc/loadstone/cmd/internal/descriptors" // checks the limit of open files first
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Standard returns the process's own streams.
func Standard() Streams { return Streams{os.Stdin, os.Stdout, os.Stderr} }

// globalOptions are the options of every command.
type globalOptions struct {
	Quiet    bool       `opt:"quiet,q" help:"print no warnings or notes on standard error"`
	Timezone flags.Zone `opt:"timezone" help:"time <zone> of a log that names none, such as Europe/Zurich (default: UTC, with a warning)"`
	Mapping  flags.Mapping
}

// app is the state that subcommands share in one run.
type app struct {
	Streams
	ctx context.Context // of the run; no file is put in place once it is done
	cmd *cobra.Command  // the running command
	globalOptions
	models  map[string][]byte // texts of the models read so far, by name
	unknown error             // of a request for help on a command that does not exist
	warned  map[string]bool   // warnings of a demo's earlier steps, not to be repeated; nil to repeat

	progress *progress.Line
	expected int64 // jobs to be written; 0 if unknown

	outputs output.Files
	args    []string // of the command line

	// lasting is set if the command runs until it is interrupted: an interrupt then is
	// no failure, and the command has time to finish.
	lasting atomic.Bool
}

// Main runs the command and returns its exit code. An interrupt leaves no incomplete
// output file.
func Main(args []string, s Streams) int {
	// By default SIGPIPE ends a program that writes to a pipe without a reader. If it is
	// ignored, the write fails, and the command cleans up as after any failure.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	return run(ctx, args, s)
}

// endings returns the signals that interrupt a command. Signals that are ignored at the
// start stay ignored: nohup and the background jobs of a shell rely on it.
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
		err = cmp.Or(out.Fault(), a.unknown, flags.OptionFaultOr(err))
		if wrong := new(flags.UsageError); errors.As(err, &wrong) && wrong.Cmd == nil {
			wrong.Cmd = cmd
		}
		done <- a.settle(err)
	}()
	select {
	case err := <-done:
		return a.finish(ctx, err)
	case <-ctx.Done():
	}
	if a.lasting.Load() {
		return a.finish(ctx, <-done)
	}
	// Streams of jobs check the context once per batch. A read that blocks, for example
	// on a pipe, is not awaited.
	select {
	case err := <-done:
		return a.finish(ctx, err)
	case <-time.After(2 * time.Second):
	}
	a.outputs.Abort()
	return a.finish(ctx, ctx.Err())
}

// settle puts a command's files in place, or removes them if the command failed. An
// unmet threshold is not a failure.
func (a *app) settle(err error) error {
	if a.lasting.Load() { // it has no output files
		return err
	}
	var threshold *thresholds.Error
	if (err == nil || errors.As(err, &threshold)) && a.ctx.Err() == nil {
		return cmp.Or(a.outputs.Put(), err)
	}
	if n := a.outputs.Discard(); n > 0 && !errors.Is(err, output.ErrReaderGone) {
		a.note("no output was written: %d finished %s discarded", n, words.Plural(n, "file is", "files are"))
	}
	return cmp.Or(err, a.ctx.Err())
}

func (a *app) root() *cobra.Command {
	root := document(&cobra.Command{
		Version:                    version.String(),
		Args:                       unknownCommand,
		SilenceErrors:              true,
		SuggestionsMinimumDistance: 2,
		SilenceUsage:               true,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}, "loadstone")
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd.HasAvailableSubCommands() { // report a word before the flag that is not a command
			if unknown := unknownCommand(cmd, cmd.Flags().Args()); unknown != nil {
				return unknown
			}
		}
		return flags.Usage(flags.ParseFault(cmd, err))
	})
	flags.BindGlobal(root, &a.globalOptions)
	for _, title := range []string{mostUsed, preparing, modelling, simulated, predicted} {
		root.AddGroup(&cobra.Group{ID: title, Title: title})
	}
	for _, v := range verbs() {
		root.AddCommand(a.command(v))
	}
	for _, topic := range []string{"formats", flags.SourcesTopic, "predictors"} {
		root.AddCommand(document(&cobra.Command{}, topic))
	}
	flags.AddHelp(root, filled)
	describeCobras(root)
	a.refuseUnknownHelp(root)
	return root
}

// note prints a remark on standard error, unless --quiet is given.
func (a *app) note(format string, args ...any) {
	if !a.Quiet {
		a.say(format, args...)
	}
}

// say prints a remark on standard error, even with --quiet.
func (a *app) say(format string, args ...any) {
	a.progress.Aside(func() { io.WriteString(a.Err, view.Message(format+"\n", args...)) })
}

// warn prints a warning, as note does.
func (a *app) warn(format string, args ...any) {
	if a.warned != nil {
		text := view.Message(format, args...)
		if a.warned[text] {
			return
		}
		a.warned[text] = true
	}
	a.note("warning: "+format, args...)
}

// tell prints the remarks on a result. input is the name of the input that warnings are about, or
// "" if they name it themselves.
func (a *app) tell(input string, all []view.Remark) {
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

// warnWhyNoJobs prints a log's warnings if err is that it has no usable jobs: the warnings may
// explain it.
func (a *app) warnWhyNoJobs(input string, log *workload.Log, err error) {
	if errors.Is(err, workload.ErrNoJobs) {
		a.tell(input, view.Warnings(log.Warnings()))
	}
}
