package cli

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// siteOf is the model to generate from.
func (a *app) siteOf(o generateOptions) (model.Site, error) {
	set := o.Set
	if slices.ContainsFunc(stillMissing(o.ModelName, set), func(m model.Missing) bool { return m.Path == "processors" }) && o.Make.Processors > 0 {
		set = append(slices.Clip(set), "processors="+strconv.FormatInt(o.Make.Processors, 10))
	}
	return a.loadEdited(o.ModelName, set)
}

// sharedFlags are those that --like shares with --model.
var sharedFlags = []string{"jobs", "days", "procs", "load", "seed"}

// checkLike refuses flags that do not go with --like, and takes over those that
// it shares.
func (o *generateOptions) checkLike(cmd *cobra.Command) error {
	for _, name := range without(ofModel, sharedFlags) {
		if cmd.Flags().Changed(name) {
			return flags.Usagef("--%s is for --model, not for --like", name)
		}
	}
	o.twin.Days, o.twin.Jobs, o.twin.Load = o.Make.Days, o.Make.Jobs, o.Make.Load
	if o.Load.times > 0 {
		o.twin.UsersFactor = o.Load.times
	}
	o.twin.Processors, o.twin.Seed = o.Make.Processors, o.Make.Seed
	return nil
}

// without returns the names that are not among others.
func without(names, others []string) (left []string) {
	other := map[string]bool{}
	for _, name := range others {
		other[name] = true
	}
	for _, name := range names {
		if !other[name] {
			left = append(left, name)
		}
	}
	return left
}

// runLike makes a twin of a log.
func runLike(ctx context.Context, a *app, o generateOptions) error {
	if err := a.notOver([]string{o.Like}, o.Jobs.Output); err != nil {
		return err
	}
	log, err := a.open(o.Like)
	if err != nil {
		return err
	}
	defer log.Close()
	o.twin.By = "loadstone " + version.Number
	twin, err := resample.New(ctx, a.progress.Watch(log)(log.Jobs()), log.Header, o.twin)
	if err != nil {
		return about(o.Like, err)
	}
	defer twin.Close()
	a.warnAll(o.Like, log.Warnings())
	a.warnAll(o.Like, twin.Warnings())
	a.expected = o.twin.Jobs
	var made resample.Made
	header := func() workload.Header { return twin.Header(log.Header, filepath.Base(o.Like), &made) }
	if err := a.putChanged(ctx, o.Jobs, log.Header, log.Optional(), twin.Counted(ctx, &made), header); err != nil {
		return err
	}
	a.tellTwin(twin, &made, o.twin)
	return nil
}

// tellTwin says what a twin came to.
func (a *app) tellTwin(twin *resample.Twin, made *resample.Made, o resample.Options) {
	if made.Jobs == 0 {
		a.warn("no job is submitted in so short a time, or at so low a load: the twin would be empty")
		return
	}
	if reached := made.Load(twin.Processors()); !math.IsNaN(reached) {
		a.note("offered load: %s on %d processors; the log's is %s", view.Sig(reached), twin.Processors(), view.Sig(twin.Load()))
		if o.Load > 0 && math.Abs(reached/o.Load-1) > loadTolerance {
			a.warn("the load is not within .5 %% of the %s asked for: there are too few jobs or users; ask for more jobs or days", view.Sig(o.Load))
		}
	}
	if rate := twin.AtLogsRate(made); rate > 0 && (o.Days > 0 || o.Jobs > 0 || o.Load > 0 || o.UsersFactor > 0) {
		a.note("jobs: %d in %s days; the log's mean rate gives %s in this time at this load", made.Jobs, view.Sig((made.Last-made.First)/86400), view.Fixed(rate, 0))
	}
	if r := made.Follows(); !math.IsNaN(r) {
		a.note("the correlation of its weekly work with the log's is %s; %s %% of its jobs keep their week and hour", view.Fixed(r, 2), view.Fixed(100*made.Stayed(), 1))
	}
	a.note("the jobs are records of the log's users: anonymise the log before you pass a twin on")
}
