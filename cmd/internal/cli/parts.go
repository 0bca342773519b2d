package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/internal/part"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
)

// parts are how a command's work is divided: into the part that --part names, or, in
// `loadstone merge`, the files of all parts.
type parts struct {
	share  string // as given; "" without --part
	whole  bool   // predictors are divided, each part reads the whole log
	output string // the part file
	files  []string
	task   part.Task // of files
}

const (
	partFlag = "part"
	partExt  = ".part"
)

// addPart adds --part to a command whose -o sets output. whole says that its predictors
// are divided, and not the log.
func (a *app) addPart(cmd *cobra.Command, output *string, whole bool) {
	cmd.Flags().StringVar(&a.parts.share, partFlag, "", "compute part `i/n` into -o FILE.part, for merge")
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if a.parts.share == "" {
			if before == nil {
				return nil
			}
			return before(cmd, args)
		}
		share, err := workload.ParseShare(a.parts.share)
		if err != nil {
			return err
		}
		a.parts.share, a.parts.whole = share.String(), whole
		if whole && cmd.Flags().NArg() > 1 {
			return flags.Usagef(cmd, "--part: saw %d logs, want one: a log of a scoreboard can be a task of its own", cmd.Flags().NArg())
		}
		for _, name := range []string{"format", "plots", "predictions", "baseline", "require"} {
			if f := cmd.Flag(name); f != nil && f.Changed {
				return flags.Usagef(cmd, "--%s is of the whole result: give it to loadstone merge, or to a run without --part", name)
			}
		}
		if filepath.Ext(*output) != partExt {
			return flags.Usagef(cmd, "--part: want -o FILE%s, saw %q", partExt, *output)
		}
		a.parts.output, *output = *output, ""
		return nil
	}
}

// statistics are what a command gathers of a log: those of its parts, merged in their
// order, are those of the log. S is a pointer.
type statistics[S any] interface {
	Read(context.Context, *workload.Log) error
	Merge(S) error
}

// errPart says that a command has written its part, and that there is nothing to present.
var errPart = errors.New("a part is written")

// gather returns a log's statistics and the log, closed, with what it said of itself: by
// reading it, or its parts in loadstone merge. With --part it writes those of the share
// and returns errPart. begin makes empty statistics.
func gather[S statistics[S]](ctx context.Context, a *app, input string, begin func(*workload.Log) (S, error)) (S, *workload.Log, error) {
	if a.parts.files != nil {
		return merged(a, begin)
	}
	var none S
	var p part.Part
	if a.parts.share != "" {
		var err error
		if p.Task, err = a.task(input); err != nil {
			return none, nil, about(input, err)
		}
	}
	log, err := a.open(input)
	if err != nil {
		return none, nil, err
	}
	defer log.Close()
	opened := slices.Clone(log.Warnings())
	s, err := begin(log)
	if err != nil {
		return none, nil, about(input, err)
	}
	if err := s.Read(ctx, log); err != nil {
		return none, nil, about(input, err)
	}
	if a.parts.share == "" {
		return s, log, nil
	}
	return none, nil, a.writePart(&p, log.State(opened), s)
}

// writePart writes a part's statistics, and returns errPart.
func (a *app) writePart(p *part.Part, reading workload.LogState, s any) error {
	p.Reading = reading
	p.Set(s)
	return cmp.Or(a.writeFile(a.parts.output, p.Write), errPart)
}

// taped is the result of a log of which the predictors are divided: with --part record
// makes what a share of them says, and errPart is returned; in loadstone merge play makes
// the result of what all have said and of the log, which has to be as it was.
func taped[T, R any](a *app, input string, log *workload.Log, record func(workload.Share) (*T, error), play func([]*T) (R, error)) (r R, err error) {
	if a.parts.files == nil {
		p := part.Part{}
		if p.Task, err = a.task(input); err != nil {
			return r, err
		}
		t, err := record(p.Share)
		if err != nil {
			return r, err
		}
		return r, a.writePart(&p, workload.LogState{}, t)
	}
	now, err := part.NewLog(input)
	if err != nil {
		return r, err
	}
	if was := a.parts.task.Log; now != was {
		return r, fmt.Errorf("saw %d bytes with the checksum %s, want the log that the parts are of, of %d bytes with %s", now.Bytes, now.Digest, was.Bytes, was.Digest)
	}
	var all []*T
	for _, path := range a.parts.files {
		p, err := part.Read(path)
		if err != nil {
			return r, err
		}
		t := new(T)
		if err := p.Get(t); err != nil {
			return r, about(path, err)
		}
		all = append(all, t)
	}
	return play(all)
}

// merged puts the parts together.
func merged[S statistics[S]](a *app, begin func(*workload.Log) (S, error)) (all S, log *workload.Log, err error) {
	var readings []workload.LogState
	for i, path := range a.parts.files {
		p, err := part.Read(path)
		if err != nil {
			return all, nil, err
		}
		readings = append(readings, p.Reading)
		if err := addPart(&all, i == 0, p, begin); err != nil {
			return all, nil, about(path, err)
		}
	}
	readings[0].Name = a.parts.task.Log.Name
	return all, workload.JoinLogs(readings), nil
}

// addPart adds a part to those before. A file that somebody made, with a checksum, can
// hold statistics that contradict each other: where that is met it is damage.
func addPart[S statistics[S]](all *S, first bool, p *part.Part, begin func(*workload.Log) (S, error)) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged statistics: %v", r)
		}
	}()
	s, err := begin(workload.JoinLogs([]workload.LogState{p.Reading}))
	if err != nil {
		return err
	}
	if err := p.Get(s); err != nil {
		return err
	}
	if first {
		*all = s
		return nil
	}
	return (*all).Merge(s)
}

// task is what the part that is asked for is of.
func (a *app) task(input string) (t part.Task, err error) {
	t = part.Task{Command: a.cmd.Name(), Program: version.String(), Flags: a.given()}
	if t.Share, err = workload.ParseShare(a.parts.share); err != nil {
		return t, err
	}
	t.Log, err = part.NewLog(input)
	return t, err
}

// given are the flags of the command line on which the result depends.
func (a *app) given() []string {
	_, args, err := a.cmd.Root().Find(a.args)
	if err != nil {
		return nil
	}
	var given []string
	a.cmd.Flags().ParseAll(args, func(f *pflag.Flag, value string) error {
		switch f.Name {
		case partFlag, "output", "quiet":
		default:
			given = append(given, "--"+f.Name+"="+value)
		}
		return nil
	})
	return given
}

type mergeOptions struct {
	files  []string
	result resultOptions
}

func newMergeCmd(a *app, run func(context.Context, *app, mergeOptions) error) *cobra.Command {
	var o mergeOptions
	cmd := &cobra.Command{
		Use:   "merge PART...",
		Short: "Put the parts of a computation together",
		Long: `Reads the part files that a command with --part has written, in any order, and
gives what one run of the command gives, to the byte: the report on standard
output, and the file of -o. The log itself is not needed.

Every part from 1 to n has to be there once, of the same command, options, log
and version of the program. One that is missing, there twice, damaged or of
something else is an error that names it.`,
		Example: `  loadstone describe lcg.parquet --part 1/16 -o lcg.1.part
  loadstone merge lcg.*.part
  loadstone merge lcg.*.part -o lcg.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("the parts are missing: want the files that --part has written")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.files = args
			return run(cmd.Context(), a, o)
		},
	}
	flags.Enum(cmd, &o.result.format, "format", "form of the result on standard output (default table)", []string{"table", "json", "csv"})
	cmd.Flags().StringVarP(&o.result.output, "output", "o", "", "write the result to this file, as the command itself does")
	return cmd
}

// runMerge runs the command that the parts are of, with the parts in place of the log.
func runMerge(ctx context.Context, a *app, o mergeOptions) error {
	if err := a.notOver(o.files, o.result.output); err != nil {
		return err
	}
	files, task, err := part.Paths(o.files)
	if err != nil {
		return err
	}
	args := append([]string{task.Command, task.Log.Name}, task.Flags...)
	if o.result.format != "" {
		args = append(args, "--format="+o.result.format)
	}
	if o.result.output != "" {
		args = append(args, "--output="+o.result.output)
	}
	a.parts = parts{files: files, task: task}
	root := a.root()
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}
