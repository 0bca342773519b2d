package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/resample"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type generateOptions struct {
	ModelName string             `opt:"model,m" file:"read" some:"true" common:"true" help:"<model> file, or name of a published model (see 'loadstone help models')"`
	Like      string             `opt:"like" file:"read" common:"true" help:"make a twin of this <log> by resampling its users (default length: the log's)"` // to resample
	Make      generate.Options   `without:"load"`
	Load      reshape.LoadTarget `opt:"load" common:"true" help:"offered load, such as 0.9, or 1.2x for 1.2 times the model's or the log's; reached by scaling the arrival rate (default: the model's)"`
	Set       []string           `opt:"set" repeat:"true" help:"<PATH=VALUE> of a field of the model, such as classes[0].run_times.p_slope=-0.01; repeatable"`
	Start     string             `opt:"start" help:"<date> of the first day, such as 2026-03-01, in --timezone (default 2001-01-01, a Monday)"` // of second 0
	Jobs      jobsOptions

	twin  resample.Options
	users *population.Model // what --model is, where it is a model of users
}

// Choices are the values of options that take one of some.
func (o *generateOptions) Choices(option string) []string {
	if option == "model" {
		return publishedNames()
	}
	return nil
}

func (o *generateOptions) args(args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case isFile(args[0]):
		return fmt.Errorf("%q is a file: want --like %s for a twin of a log, or --model %s for a model", args[0], args[0], args[0])
	}
	return fmt.Errorf("saw %q, want a model by --model or a log by --like", args)
}

// check refuses flags that do not go together.
func (o *generateOptions) check(a *app) (err error) {
	o.Make.Load = o.Load.Load
	published := publishedNames()
	switch model, like := a.given("model"), a.given("like"); {
	case !model && !like:
		return flags.Usagef("--model is missing: want a model file, or one of %s; --like LOG makes jobs like those of a log", strings.Join(published, ", "))
	case model && like:
		return flags.Usagef("want one of --model and --like")
	case like:
		return o.checkLike(a)
	}
	o.ModelName = publishedName(o.ModelName)
	if o.users, err = a.modelOfUsers(o.ModelName, o.Set); err != nil {
		return err
	}
	switch {
	case o.users != nil:
		return o.checkUsers(a)
	case a.given("jobs") == a.given("days"):
		// A model of users needs neither, so that a file which is no model is reported first.
		if o.ModelName != "-" && !slices.Contains(published, o.ModelName) {
			if _, err := a.loadEdited(o.ModelName, o.Set); err != nil {
				return err
			}
		}
		if a.given("days") {
			return flags.Usagef("--jobs and --days: give one of them, not both")
		}
		return flags.Usagef("the length is missing: give --jobs or --days")
	}
	return nil
}

// checkLike refuses flags that are for models alone, and takes over the others.
func (o *generateOptions) checkLike(a *app) error {
	for _, name := range []string{"set", "start", "method", "estimates", "max-estimate"} {
		if a.given(name) {
			return flags.Usagef("--%s is for --model, not for --like", name)
		}
	}
	o.twin = resample.Options{Days: o.Make.Days, Jobs: o.Make.Jobs, Load: o.Make.Load, UsersFactor: o.Load.Times,
		Processors: o.Make.Processors, Seed: o.Make.Seed, By: byLoadstone}
	return nil
}

// checkUsers refuses flags that do not go with a model of users.
func (o *generateOptions) checkUsers(a *app) error {
	for _, name := range []string{"method", "estimates", "max-estimate"} {
		if !a.given(name) {
			continue
		}
		instead := "'loadstone fit LOG --form lublin2003' makes a model that it goes with"
		if name == "estimates" {
			instead = "the model has the estimates of the log's users; take the part estimates out for none"
		}
		return flags.Usagef("--%s does not go with %s, a model of users: %s", name, o.ModelName, instead)
	}
	return nil
}

var byLoadstone = "loadstone " + version.Number

// startOf is second 0 of a generated log: by default a Monday, so that its
// days are the working days that the models' peak hours mean.
func (a *app) startOf(date string) (time.Time, error) {
	zone := time.UTC
	if string(a.Timezone) != "" {
		var err error
		if zone, err = time.LoadLocation(string(a.Timezone)); err != nil {
			return time.Time{}, err
		}
	}
	if date == "" {
		return time.Date(2001, time.January, 1, 0, 0, 0, 0, zone), nil
	}
	t, err := time.ParseInLocation("2006-01-02", date, zone)
	if err != nil {
		return t, flags.Usagef("--start: saw %q, want a date such as 2026-03-01", date)
	}
	if t.Format("2006-01-02 15:04") != date+" 00:00" {
		return t, flags.Usagef("--start %s: in %s a clock change skips midnight of that day: want another day", date, zone)
	}
	return t, nil
}

func (o *generateOptions) run(ctx context.Context, a *app) (*findings, error) {
	a.warnOfLoad(o.Load.Load)
	a.expected = o.Make.Jobs
	switch {
	case o.Like != "":
		return nil, o.resample(ctx, a)
	case o.users != nil:
		return nil, o.ofUsers(ctx, a)
	}
	var err error
	if o.Make.Start, err = a.startOf(o.Start); err != nil {
		return nil, err
	}
	set := o.Set
	if o.Make.Processors > 0 && slices.ContainsFunc(stillMissing(o.ModelName, set), func(m model.Missing) bool { return m.Path == "processors" }) {
		set = append(slices.Clip(set), "processors="+strconv.FormatInt(o.Make.Processors, 10))
	}
	site, err := a.loadEdited(o.ModelName, set)
	if err != nil {
		return nil, err
	}
	a.warnOfCheck(o.ModelName, site.Checked)
	o.Make.By = byLoadstone
	w, err := generate.New(site, o.Make)
	if err == nil && o.Load.Times > 0 {
		o.Make.Load = o.Load.Times * w.Site.OfferedLoad()
		w, err = generate.New(site, o.Make)
	}
	if err != nil {
		return nil, err
	}
	var made generate.Made
	if err := a.putJobs(ctx, o.Jobs, w.Optional(), w.Counted(&made), w.Header, nil); err != nil {
		return nil, err
	}
	a.tellLoad(w, made, o.Make.Load)
	a.warnOfNone(made.Jobs)
	if made.Cut > 0 {
		a.note("%d of %d run times were above the largest estimate, and are cut to it", made.Cut, made.Jobs)
	}
	return nil, nil
}

// warnOfNone warns of a log without jobs.
func (a *app) warnOfNone(jobs int64) {
	if jobs == 0 {
		a.warn("no job is submitted in so short a time: the log would be empty")
	}
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
		a.note("offered load: %s on %d processors", view.Sig(reached), w.Site.Processors)
		return
	case math.IsNaN(reached):
		a.note("offered load: %s asked for; the generated jobs have no sizes or run times to compute it from", view.Sig(asked))
		return
	}
	a.note("offered load: %s on %d processors, by the %d jobs made; %s asked for", view.Sig(reached), w.Site.Processors, made.Jobs, view.Sig(asked))
	switch {
	case math.Abs(reached/asked-1) <= loadTolerance:
	default:
		a.warn("the load is %s, not the %s asked for: the last of so few jobs would come at an hour without any, or at the second of the first; ask for more jobs or days", view.Sig(reached), view.Sig(asked))
	}
}

// loadTolerance is how far from the load asked for, as a share of it, a workload may be
// without a warning.
const loadTolerance = 0.005
