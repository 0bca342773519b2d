package cli

import (
	"cmp"
	"errors"
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
	byLog  bool   // the log is divided
	output string // the part file
	files  []string
	task   part.Task // of files
}

const (
	partFlag = "part"
	partExt  = ".part"
)

// division is what a command divides: the zero value is the log.
type division struct {
	predictors bool   // in place of the log, which each part reads whole
	gathered   string // a flag of the result that the parts need too
}

// addPart adds --part to a command whose -o sets output.
func (a *app) addPart(cmd *cobra.Command, output *string, d division) {
	cmd.Flags().StringVar(&a.parts.share, partFlag, "", "compute part `i/n` into -o FILE.part, for merge")
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		var err error
		switch {
		case cmd.Flags().Changed(partFlag):
			err = a.checkPart(cmd, output, d)
		case a.parts.files != nil:
			err = a.checkMerge(cmd, d)
		}
		if err != nil || before == nil {
			return err
		}
		return before(cmd, args)
	}
}

// checkPart checks a command with --part, and has its output be the part file.
func (a *app) checkPart(cmd *cobra.Command, output *string, d division) error {
	share, err := workload.ParseShare(a.parts.share)
	if err != nil {
		return err
	}
	if slices.Contains(cmd.Flags().Args(), "-") {
		return flags.Usagef(cmd, "--part: standard input cannot be divided: save the log to a file, and give its name")
	}
	a.parts.share, a.parts.byLog = share.String(), !d.predictors
	if n := cmd.Flags().NArg(); d.predictors && n > 1 {
		return flags.Usagef(cmd, "--part: saw %d logs, want one: run one task for each log of a scoreboard", n)
	}
	for _, name := range mergeFlags {
		if f := cmd.Flag(name); f != nil && f.Changed && name != "output" && name != d.gathered {
			return flags.Usagef(cmd, "--%s applies to the whole result: give it to loadstone merge, or to a run without --part", name)
		}
	}
	if filepath.Ext(*output) != partExt {
		return flags.Usagef(cmd, "--part: want -o FILE%s, saw %q", partExt, *output)
	}
	a.parts.output, *output = *output, ""
	return nil
}

// inParts says whether the command writes a part, or merges parts.
func (a *app) inParts() bool { return a.parts.share != "" || a.parts.files != nil }

// errPart says that a command has written its part, and that there is nothing to present.
var errPart = errors.New("a part is written")

// writePart writes a part's statistics, and returns errPart.
func (a *app) writePart(p *part.Part, reading workload.LogState, s any) error {
	if now, err := part.NewLog(p.Log.Name); err != nil || now != p.Log {
		return about(p.Log.Name, cmp.Or(err, errors.New("the log changed while it was read: compute the part again when nothing writes to the log")))
	}
	p.Reading = reading
	p.Set(s)
	return cmp.Or(a.writeNamed(a.parts.output, p.Write), errPart)
}

// task is what the part that is asked for is of.
func (a *app) task(input string) (t part.Task, err error) {
	t = part.Task{Command: a.cmd.Name(), Program: version.String(), Flags: a.given()}
	if err := a.notOver([]string{input}, a.parts.output); err != nil {
		return t, err
	}
	if t.Share, err = workload.ParseShare(a.parts.share); err != nil {
		return t, err
	}
	t.Log, err = part.NewLog(input)
	return t, err
}

// given are the flags of the command line on which the result depends, with the classes
// that a file had when it was read.
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
			if f.Name == "class" && len(flags.ClassTexts(a.cmd)) > 0 {
				break
			}
			given = append(given, "--"+f.Name+"="+value)
		}
		return nil
	})
	for _, text := range flags.ClassTexts(a.cmd) {
		given = append(given, "--class="+text)
	}
	return given
}
