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

	_ "github.com/loadstone-hpc/loadstone/cmd/internal/descriptors" // checks their number first
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/cmd/internal/thresholds"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Streams are what a command reads and writes besides the files it is given.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Standard returns the process's own streams.
func Standard() Streams { return Streams{os.Stdin, os.Stdout, os.Stderr} }

// globalOptions are those of every command.
type globalOptions struct {
	Quiet    bool       `opt:"quiet,q" help:"print no warnings or notes on standard error"`
	Timezone flags.Zone `opt:"timezone" help:"time <zone> of a log that names none, such as Europe/Zurich (default: UTC, with a warning)"`
	Mapping  flags.Mapping
}

// app is what the subcommands share in one run.
type app struct {
	Streams
	ctx context.Context // of the run: nothing is put in place once it has ended
	cmd *cobra.Command  // that runs
	globalOptions
	models  map[string][]byte // texts of the models read so far, by name
	unknown error             // of help that was asked for a command that does not exist
	warned  map[string]bool   // warnings not to repeat, of the earlier steps of a demo; nil: none

	progress *progress.Line
	expected int64 // jobs to be written; 0 where that is not known before

	outputs output.Files
	args    []string // of the command line

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
		if cmd.HasAvailableSubCommands() { // a word before the flag is no command
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

// note says something about the result on standard error.
func (a *app) note(format string, args ...any) {
	if !a.Quiet {
		a.say(format, args...)
	}
}

// say is a note even with --quiet.
func (a *app) say(format string, args ...any) {
	a.progress.Aside(func() { io.WriteString(a.Err, view.Message(format+"\n", args...)) })
}

// warn is a note that something may be wrong.
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

// tell prints the remarks beside a result. Warnings are about an input; it is empty
// where they name their own.
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

// warnWhyNoJobs prints a log's warnings if an error says that it has no job that can
// be used: they may say why.
func (a *app) warnWhyNoJobs(input string, log *workload.Log, err error) {
	if errors.Is(err, workload.ErrNoJobs) {
		a.tell(input, view.Warnings(log.Warnings()))
	}
}
