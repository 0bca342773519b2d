package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/resample"
)

type generateOptions struct {
	model string
	set   []string // fields of the model: "path=value"
	like  string   // a log to resample
	twin  resample.Options
	users *population.Model // what --model is, where it is a model of users

	start string // date of second 0
	make  generate.Options
	load  loadFlag // of make
	jobs  jobsOptions
}

func newGenerateCmd(a *app, run func(context.Context, *app, generateOptions) error) *cobra.Command {
	var o generateOptions
	cmd := &cobra.Command{
		Use:   "generate {--model MODEL | --like LOG} [-o OUT]",
		Short: "Generate a synthetic workload",
		Long: `Draws jobs from a model: a file that 'loadstone fit -o' wrote, or a published
model ('loadstone models list'). The same seed gives the same bytes on any
number of cores.

--like makes a twin of a log without a model: each user works as in the log, but
in other weeks. A twin can have any length, and more users for a higher load.

The jobs have no waits, which depend on the machine and its scheduler:
'loadstone simulate' computes them.`,
		Example: `  loadstone generate --model site.json --days 30 -o month.swf
  loadstone generate --model lublin1999 --jobs 100000 --seed 7 -o lublin.swf
  loadstone generate --like site.swf --days 365 --load 0.9 -o twin.swf
  loadstone generate --model lublin2003 --jobs 50000 --estimates uniform \
      -o estimates.swf`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return nil
			case isFile(args[0]):
				return fmt.Errorf("%q is a file: want --like %s for a twin of a log, or --model %s for a model", args[0], args[0], args[0])
			}
			return fmt.Errorf("saw %q, want a model by --model or a log by --like", args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(a, cmd); err != nil {
				return err
			}
			a.warnOfLoad(o.make.Load)
			return run(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.model, "model", "m", "", "`model` file, or name of a published model (see 'loadstone help models')")
	flags.Complete(cmd, "model", publishedNames())
	f.StringArrayVar(&o.set, "set", nil, "`PATH=VALUE` of a field of the model, such as classes[0].run_times.p_slope=-0.01; repeatable")
	f.Int64Var(&o.make.Jobs, "jobs", 0, "number of jobs")
	f.Float64Var(&o.make.Days, "days", 0, "length in days (default: the log's, with --like or a model of users; other models need --days or --jobs)")
	f.Int64Var(&o.make.Processors, "procs", 0, "processors of the machine (default: the model's)")
	o.load.load = &o.make.Load
	f.Var(&o.load, "load", "offered load, such as 0.9, or 1.2x for 1.2 times the model's or the log's; reached by scaling the arrival rate (default: the model's)")
	f.Uint64Var(&o.make.Seed, "seed", 1, "seed of the random numbers")
	f.StringVar(&o.start, "start", "", "`date` of the first day, such as 2026-03-01, in --timezone (default 2001-01-01, a Monday)")
	flags.Enum(cmd, (*string)(&o.make.Method), "method", "how the daily cycle shapes the arrivals; the two expected- methods also change the rate, unless --load is given; stationary leaves the cycle out (default: the model's)", methodNames())
	flags.Enum(cmd, (*string)(&o.make.Estimates), "estimates", "run times that users request (default: the model's, or none)", generate.EstimateChoices())
	f.Float64Var(&o.make.MaxEstimate, "max-estimate", 0, "largest estimate of --estimates tsafrir, in seconds; longer run times are cut to it (default: the model's)")
	f.StringVar(&o.like, "like", "", "make a twin of this `log` by resampling its users (default length: the log's)")
	addJobsFlags(cmd, &o.jobs)
	flags.Common(cmd, "model", "like", "days", "jobs", "load", "procs", "estimates", "seed", "output")
	return cmd
}

func methodNames() []string {
	var names []string
	for _, m := range model.Methods() {
		names = append(names, string(m))
	}
	return names
}

// check refuses flags that do not go together.
func (o *generateOptions) check(a *app, cmd *cobra.Command) error {
	switch model, like := cmd.Flags().Changed("model"), cmd.Flags().Changed("like"); {
	case !model && !like:
		return flags.Usagef(cmd, "--model is missing: want a model file, or one of %s; --like LOG makes jobs like those of a log", strings.Join(publishedNames(), ", "))
	case model && like:
		return flags.Usagef(cmd, "want one of --model and --like")
	case like:
		return o.checkLike(cmd)
	}
	var err error
	o.model = publishedName(o.model)
	if o.users, err = a.modelOfUsers(o.model, o.set); err != nil {
		return err
	}
	switch {
	case o.users != nil:
		return o.checkUsers(cmd)
	case o.model == "":
		return flags.Usagef(cmd, "--model is missing: want a model file, or one of %s", strings.Join(publishedNames(), ", "))
	case cmd.Flags().Changed("jobs") == cmd.Flags().Changed("days"):
		// A model of users needs neither, so that a file which is no model is reported first.
		if o.model != "-" && !slices.Contains(publishedNames(), o.model) {
			if _, err := a.loadEdited(o.model, o.set); err != nil {
				return err
			}
		}
		if cmd.Flags().Changed("days") {
			return flags.Usagef(cmd, "--jobs and --days: give one of them, not both")
		}
		return flags.Usagef(cmd, "the length is missing: give --jobs or --days")
	}
	for name, zero := range map[string]bool{"days": o.make.Days == 0, "load": o.load.zero(), "max-estimate": o.make.MaxEstimate == 0, "procs": o.make.Processors == 0} {
		if zero && cmd.Flags().Changed(name) {
			return flags.Usagef(cmd, "--%s 0: want a number above 0", name)
		}
	}
	if cmd.Flags().Changed("jobs") && o.make.Jobs < 1 {
		return flags.Usagef(cmd, "--jobs %d: want 1 or more", o.make.Jobs)
	}
	if o.make.Load < 0 {
		return flags.Usagef(cmd, "--load %g: want a number above 0, at most 100", o.make.Load)
	}
	return nil
}

// ofModel are the flags that say what to make of a model.
var ofModel = []string{"set", "jobs", "days", "procs", "load", "seed", "start", "method", "estimates", "max-estimate"}

// startOf is second 0 of a generated log: by default a Monday, so that its
// days are the working days that the models' peak hours mean.
func (a *app) startOf(date string) (time.Time, error) {
	zone := time.UTC
	if a.timezone != "" {
		var err error
		if zone, err = time.LoadLocation(a.timezone); err != nil {
			return time.Time{}, err
		}
	}
	if date == "" {
		return time.Date(2001, time.January, 1, 0, 0, 0, 0, zone), nil
	}
	t, err := time.ParseInLocation("2006-01-02", date, zone)
	if err != nil {
		return t, flags.Usagef(a.cmd, "--start: saw %q, want a date such as 2026-03-01", date)
	}
	if t.Format("2006-01-02 15:04") != date+" 00:00" {
		return t, flags.Usagef(a.cmd, "--start %s: in %s a clock change skips midnight of that day: want another day", date, zone)
	}
	return t, nil
}

func runGenerate(ctx context.Context, a *app, o generateOptions) error {
	switch {
	case o.like != "":
		return runLike(ctx, a, o)
	case o.users != nil:
		return runUsers(ctx, a, o)
	}
	var err error
	if o.make.Start, err = a.startOf(o.start); err != nil {
		return err
	}
	site, err := a.siteOf(o)
	if err != nil {
		return err
	}
	a.warnOfCheck(o.model, site.Check)
	o.make.By = "loadstone " + version.Number
	w, err := generate.New(site, o.make)
	if err != nil {
		return err
	}
	if o.load.times > 0 {
		o.make.Load = o.load.times * w.Site.OfferedLoad()
		if w, err = generate.New(site, o.make); err != nil {
			return err
		}
	}
	a.expected = o.make.Jobs
	var made generate.Made
	if err := a.putJobs(ctx, o.jobs, w.Optional(), w.Header, w.Counted(&made)); err != nil {
		return err
	}
	a.tellLoad(w, made, o.make.Load)
	if made.Jobs == 0 {
		a.warn("no job is submitted in so short a time: the log would be empty")
	}
	if made.Cut > 0 {
		a.note("%d of %d run times were above the largest estimate, and are cut to it", made.Cut, made.Jobs)
	}
	return nil
}

// warnOfCheck repeats what fit found of a model whose jobs do not wait as the log's do.
func (a *app) warnOfCheck(name string, c *model.Check) {
	if c != nil && c.Off() && name != "" {
		a.warn("%s: %s", name, c)
	}
}

// tellLoad says what load was reached, and why it is not the one asked for; asked
// is 0 for the model's own.
func (a *app) tellLoad(w *generate.Workload, made generate.Made, asked float64) {
	reached := made.Load(w.Site.Processors)
	switch {
	case asked == 0 && (made.Jobs < 2 || math.IsNaN(reached)):
		return
	case asked == 0:
		a.note("offered load: %s on %d processors", present.Sig(reached), w.Site.Processors)
		return
	case math.IsNaN(reached):
		a.note("offered load: %s asked for; the generated jobs have no sizes or run times to compute it from", present.Sig(asked))
		return
	}
	a.note("offered load: %s on %d processors, by the %d jobs made; %s asked for", present.Sig(reached), w.Site.Processors, made.Jobs, present.Sig(asked))
	switch {
	case math.Abs(reached/asked-1) <= loadTolerance:
	default:
		a.warn("the load is %s, not the %s asked for: the last of so few jobs would come at an hour without any, or at the second of the first; ask for more jobs or days", present.Sig(reached), present.Sig(asked))
	}
}

// loadTolerance is how far from the load asked for, as a share of it, a workload may be
// without a warning.
const loadTolerance = 0.005
