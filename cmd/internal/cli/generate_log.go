package cli

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

// readFrom takes the options from the header of a log that generate made.
func (a *app) readFrom(cmd *cobra.Command, o *generateOptions) error {
	log, err := a.open(o.from)
	if err != nil {
		return err
	}
	header := log.Header.Clone()
	if err := log.Close(); err != nil {
		return err
	}
	recipe, err := generate.ReadRecipe(header)
	if err != nil {
		return about(o.from, fmt.Errorf("%w; 'loadstone generate' writes both with models of distributions, and convert keeps them", err))
	}
	if err := readRecipe(cmd, recipe.Flags); err != nil {
		return fmt.Errorf("%s: its header says that it was made with %q, which this version does not know: %w", o.from, recipe.Flags, err)
	}
	o.make.Start, o.make.By = recipe.Start, recipe.By
	o.recipe = &recipe.Site
	if by := "loadstone " + version.Number; recipe.By != by {
		o.make.By = recipe.By
		a.warn("%s: made by %s, and this is %s: the jobs may not be the same", o.from, orUnknown(recipe.By), by)
	}
	return nil
}

// recipeFlags are the flags that a header may hold: those that generate writes
// there. A header is input: it names no file and chooses no output.
var recipeFlags = []string{
	"jobs", "days", "procs", "load", "method", "cycle", "week", "bursts", "bag-size", "users", "sessions",
	"estimates", "estimate-factor", "max-estimate", "seed",
}

// readRecipe sets the flags of a header, each of which is one of recipeFlags and
// stands there once.
func readRecipe(cmd *cobra.Command, words []string) error {
	seen := map[string]bool{}
	for i := 0; i < len(words); i++ {
		name, ok := strings.CutPrefix(words[i], "--")
		if !ok || !slices.Contains(recipeFlags, name) {
			return fmt.Errorf("saw %q, want one of --%s", words[i], strings.Join(recipeFlags, ", --"))
		}
		if seen[name] {
			return fmt.Errorf("saw --%s twice", name)
		}
		seen[name] = true
		value := "true"
		if name != "sessions" {
			if i++; i == len(words) {
				return fmt.Errorf("--%s has no value", name)
			}
			value = words[i]
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

func orUnknown(by string) string {
	if by == "" {
		return "a version that its header does not name"
	}
	return by
}

// siteOf is the model to generate from.
func (a *app) siteOf(o generateOptions) (model.Site, error) {
	if o.recipe != nil {
		return *o.recipe, nil
	}
	set := o.set
	if slices.ContainsFunc(stillMissing(o.model, set), func(m model.Missing) bool { return m.Path == "processors" }) && o.make.Processors > 0 {
		set = append(slices.Clip(set), "processors="+strconv.FormatInt(o.make.Processors, 10))
	}
	return a.loadEdited(o.model, set)
}

// sharedFlags are those that --like shares with --model.
var sharedFlags = []string{"jobs", "days", "procs", "load", "seed"}

func addLikeFlags(cmd *cobra.Command, o *generateOptions) {
	f := cmd.Flags()
	f.StringVar(&o.like, "like", "", "make a twin of this `log` by resampling its users (default length: the log's)")
	f.Float64Var(&o.twin.UsersFactor, "users-factor", 0, "with --like: load in multiples of the log's, by more or fewer users")
	flags.Enum(cmd, (*string)(&o.twin.Weeks), "weeks", "with --like: busy weeks come when the log's did, or at another time (default shuffled)", resample.WeeksChoices())
}

// checkLike refuses flags that do not go with --like, and takes over those that
// it shares.
func (o *generateOptions) checkLike(cmd *cobra.Command) error {
	for _, name := range without(ofModel, sharedFlags) {
		if cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s is for --model, not for --like", name)
		}
	}
	for name, zero := range map[string]bool{"days": o.make.Days == 0, "jobs": o.make.Jobs == 0, "load": o.load.zero(), "procs": o.make.Processors == 0, "users-factor": o.twin.UsersFactor == 0} {
		if zero && cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s 0: want a number above 0", name)
		}
	}
	o.twin.Days, o.twin.Jobs, o.twin.Load = o.make.Days, o.make.Jobs, o.make.Load
	if o.load.times > 0 {
		if o.twin.UsersFactor != 0 {
			return flags.Usagef(cmd, "--load %s and --users-factor %g: want one of them, they mean the same", &o.load, o.twin.UsersFactor)
		}
		o.twin.UsersFactor = o.load.times
	}
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
	if err := a.putChanged(ctx, o.jobs, log.Header, log.Optional(), twin.Counted(ctx, &made), header); err != nil {
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
		a.note("offered load: %s on %d processors; the log's is %s", present.Sig(reached), twin.Processors(), present.Sig(twin.Load()))
		if o.Load > 0 && math.Abs(reached/o.Load-1) > loadTolerance {
			a.warn("the load is not within .5 %% of the %s asked for: there are too few jobs or users; ask for more jobs or days", present.Sig(o.Load))
		}
	}
	if rate := twin.AtLogsRate(made); rate > 0 && (o.Days > 0 || o.Jobs > 0 || o.Load > 0 || o.UsersFactor > 0) {
		a.note("jobs: %d in %s days; the log's mean rate gives %s in this time at this load", made.Jobs, present.Sig((made.Last-made.First)/86400), present.Fixed(rate, 0))
	}
	if r := made.Follows(); !math.IsNaN(r) {
		a.note("the correlation of its weekly work with the log's is %s; %s %% of its jobs keep their week and hour", present.Fixed(r, 2), present.Fixed(100*made.Stayed(), 1))
	}
	a.note("the jobs are records of the log's users: anonymise the log before you pass a twin on")
}
