package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/survey"
)

// drawers compute a command's result and return its pictures, by the commands.
var drawers = map[string]func(context.Context, *app, plotOptions) ([]figure.Picture, error){
	"describe": describePictures, "fit": fitPictures, "lifetimes": lifetimesPictures, "runtime": runtimePictures, "predict": predictPictures,
	"compare": comparePictures, "allocate": allocatePictures, "grid": gridPictures,
}

// optionsBehind returns the options of a command: as the picture wants them, and as
// the words after -- change them.
func optionsBehind[O any](a *app, o plotOptions, newCmd func(*app, func(context.Context, *app, O) error) *cobra.Command) (O, error) {
	var got O
	cmd := newCmd(a, func(_ context.Context, _ *app, o O) error { got = o; return nil })
	root := &cobra.Command{Use: "loadstone"}
	root.AddCommand(cmd)
	a.addGlobalFlags(root)
	presets := []options{o.kind.preset}
	if least, _ := o.kind.takes(); len(o.logs) == least {
		presets = append(presets, o.kind.drawn)
	}
	for _, preset := range presets {
		for name, value := range preset {
			if err := cmd.Flags().Set(name, value); err != nil {
				panic("cli: picture " + o.kind.name + ": " + err.Error())
			}
			if name == byFlag { // --class alone has classes of its own
				cmd.Flags().Lookup(name).Changed = false
			}
		}
	}
	if err := cmd.ParseFlags(a.renamed(o.kind.command, o.more)); err != nil {
		return got, flags.Usage(cmd, flags.ParseFault(cmd, err))
	}
	if err := noOtherOutput(a.cmd, cmd); err != nil {
		return got, err
	}
	a.cmd = cmd
	logs := slices.Concat(o.logs, cmd.Flags().Args())
	if err := cmd.Args(cmd, logs); err != nil {
		return got, flags.Usage(cmd, err)
	}
	return got, cmd.RunE(cmd, logs)
}

func describePictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newDescribeCmd)
	if err != nil {
		return nil, err
	}
	d, err := describeLog(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return figure.OfDescription(d), nil
}

func fitPictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newFitCmd)
	if err != nil {
		return nil, err
	}
	if o.lifetimes.Classes != nil {
		return lifetimesPicturesOf(ctx, a, o.lifetimes)
	}
	r, err := a.fitLog(ctx, o)
	if err != nil && !errors.Is(err, survey.ErrNothing) {
		return nil, err
	}
	if !p.kind.byClass() {
		return figure.OfFits(r), nil
	}
	picture := figure.OfClasses(r)
	picture.Name = p.kind.name
	return []figure.Picture{picture}, nil
}

func lifetimesPictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newLifetimesCmd)
	if err != nil {
		return nil, err
	}
	return lifetimesPicturesOf(ctx, a, o)
}

func lifetimesPicturesOf(ctx context.Context, a *app, o lifetimesOptions) ([]figure.Picture, error) {
	r, err := a.lifetimes(ctx, o)
	if err != nil {
		return nil, err
	}
	return figure.OfLifetimes(r), nil
}

func runtimePictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newRuntimeCmd)
	if err != nil {
		return nil, err
	}
	r, err := a.scoreRunTimes(ctx, o)
	if err != nil {
		return nil, err
	}
	return figure.OfRunTimes(r), nil
}

func predictPictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newPredictCmd)
	if err != nil {
		return nil, err
	}
	w := o.waits()
	w.Pictures = true
	r, err := a.scoreWaits(ctx, o.input, w, evaluate.Waits)
	if err != nil {
		return nil, err
	}
	return figure.OfWaits(r), nil
}

func comparePictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newCompareLogsCmd)
	if err != nil {
		return nil, err
	}
	o.verdict.Curves = true
	r, err := a.compareLogs(ctx, o)
	if err != nil {
		return nil, err
	}
	return figure.OfCompared(r), nil
}

func allocatePictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newAllocateCmd)
	if err != nil {
		return nil, err
	}
	o.study.Keep = true
	r, err := studyAllocation(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return figure.OfAllocation(r), nil
}

func gridPictures(ctx context.Context, a *app, p plotOptions) ([]figure.Picture, error) {
	o, err := optionsBehind(a, p, newGridCmd)
	if err != nil {
		return nil, err
	}
	r, err := studyGrid(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return figure.OfGrid(r), nil
}

// renamed returns the flags after -- with their names of today. Pictures of
// lifetimes were once drawn by 'fit', which had --lifetimes for --by.
func (a *app) renamed(command string, given []string) []string {
	given = slices.Clone(given)
	for i, flag := range given {
		if value, is := strings.CutPrefix(flag, "--lifetimes"); is && command == "lifetimes" && (value == "" || value[0] == '=') {
			a.deprecated("--lifetimes", "--by")
			given[i] = "--by" + value
		}
	}
	return given
}
