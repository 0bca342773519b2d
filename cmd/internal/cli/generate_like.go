package cli

import (
	"context"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// sharedFlags are those that --like shares with --model.
var sharedFlags = []string{"jobs", "days", "procs", "load", "seed"}

func addLikeFlags(cmd *cobra.Command, o *generateOptions) {
	f := cmd.Flags()
	f.StringVar(&o.like, "like", "", "resample the users of this `log`: a twin of it, as long as the log unless --days or --jobs is given")
	f.Float64Var(&o.twin.UsersFactor, "users-factor", 0, "with --like: load in multiples of the log's, by more or fewer users")
	flags.Enum(cmd, (*string)(&o.twin.Weeks), "weeks", "with --like: busy weeks come when the log's did, or at another time (default shuffled)", resample.WeeksChoices())
}

// checkLike refuses flags that do not go with --like, and takes over those that
// it shares.
func (o *generateOptions) checkLike(cmd *cobra.Command) error {
	for _, name := range append(without(ofModel, sharedFlags), "check") {
		if cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s is for --model, not for --like", name)
		}
	}
	for name, zero := range map[string]bool{"days": o.make.Days == 0, "jobs": o.make.Jobs == 0, "load": o.make.Load == 0, "procs": o.make.Processors == 0, "users-factor": o.twin.UsersFactor == 0} {
		if zero && cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s 0: want a number above 0", name)
		}
	}
	o.twin.Days, o.twin.Jobs, o.twin.Load = o.make.Days, o.make.Jobs, o.make.Load
	o.twin.Processors, o.twin.Seed = o.make.Processors, o.make.Seed
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
	if err := a.notOver([]string{o.like}, o.jobs.output); err != nil {
		return err
	}
	log, err := a.open(o.like)
	if err != nil {
		return err
	}
	defer log.Close()
	o.twin.By = "loadstone " + version.Number
	twin, err := resample.New(ctx, a.progress.Watch(log)(log.Jobs()), log.Header, o.twin)
	if err != nil {
		return about(o.like, err)
	}
	defer twin.Close()
	a.warnAll(o.like, log.Warnings())
	a.warnAll(o.like, twin.Warnings())
	a.expected = o.twin.Jobs
	var made resample.Made
	header := func() workload.Header { return twin.Header(log.Header, filepath.Base(o.like), &made) }
	if err := a.putChanged(ctx, o.jobs, log.Optional(), twin.Counted(ctx, &made), header); err != nil {
		return err
	}
	a.tellTwin(twin, &made, o.twin.Load)
	return nil
}

// tellTwin says what a twin came to.
func (a *app) tellTwin(twin *resample.Twin, made *resample.Made, asked float64) {
	if made.Jobs == 0 {
		a.warn("no job is submitted in so short a time, or at so low a load: the twin is empty")
		return
	}
	if reached := made.Load(twin.Processors()); !math.IsNaN(reached) {
		a.note("offered load: %s on %d processors; the log's is %s", present.Sig(reached), twin.Processors(), present.Sig(twin.Load()))
		if asked > 0 && math.Abs(reached/asked-1) > .01 {
			a.warn("the load is not within 1 %% of the %s asked for: so few jobs, or users, cannot make it; more jobs or days can", present.Sig(asked))
		}
	}
	if r := made.Follows(); !math.IsNaN(r) {
		a.note("work by week: correlation %s with the log's; %s %% of the jobs are at their week and hour in the log", present.Fixed(r, 2), present.Fixed(100*made.Stayed(), 1))
	}
	a.note("the jobs are records of the log's users: anonymise the log before you pass a twin on")
}
