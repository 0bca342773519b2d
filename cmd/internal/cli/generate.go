package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/generate"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload/resample"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type generateOptions struct {
	ModelName string             `opt:"model,m" file:"read" some:"true" common:"true" help:"<model> file, or name of a published model (see 'loadstone help models')"`
	Like      string             `opt:"like" file:"read" common:"true" help:"make a twin of this <log> by resampling its users (default length: the log's)"`
	Make      generate.Options   `without:"load"`
	Load      reshape.LoadTarget `opt:"load" common:"true" help:"offered load, such as 0.9, or 1.2x for 1.2 times the model's or the log's; reached by scaling the arrival rate (default: the model's)"`
	Set       []string           `opt:"set" repeat:"true" help:"<PATH=VALUE> of a field of the model, such as classes[0].run_times.p_slope=-0.01; repeatable"`
	Start     string             `opt:"start" help:"<date> of the first day, such as 2026-03-01, in --timezone (default 2001-01-01, a Monday)"` // date of second 0
	Jobs      jobsOptions

	twin resample.Options
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
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

// check returns an error for flags that do not go together.
func (o *generateOptions) check(a *app) error {
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
	return nil
}

// checkLike returns an error for flags that are only for models. It copies the other options to
// o.twin.
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

var byLoadstone = "loadstone " + version.Number

// startOf returns the time of second 0 of a generated log. By default it is a Monday, so
// that its days are the working days that the models' peak hours assume.
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
	if o.Like != "" {
		return nil, o.resample(ctx, a)
	}
	m, err := a.readModel(o.ModelName, o.Set)
	if err != nil {
		return nil, err
	}
	about := m.Summary()
	a.warnOfCheck(o.ModelName, about.Checked)
	if about.Days == 0 || o.Start != "" { // otherwise the first day is that of the model's log
		if o.Make.Start, err = a.startOf(o.Start); err != nil {
			return nil, err
		}
	}
	o.Make.Times, o.Make.By = o.Load.Times, byLoadstone
	d, err := generate.Draw(ctx, m, o.Make)
	if err != nil {
		return nil, err
	}
	if err := a.putJobs(ctx, o.Jobs, d.Optional, d.Batches, d.Begun, d.Header); err != nil {
		return nil, err
	}
	if d.Made.Jobs == 0 {
		a.warn("no job is submitted in so short a time: the log would be empty")
		return nil, nil
	}
	a.tellLoad(d, about)
	if d.Made.Cut > 0 {
		a.note("%d of %d run times were above the largest estimate, and are cut to it", d.Made.Cut, d.Made.Jobs)
	}
	return nil, nil
}

// warnOfCheck repeats the warning of fit about a model whose jobs wait much longer or shorter than
// the log's.
func (a *app) warnOfCheck(name string, c *model.Check) {
	if c != nil && c.Off() && name != "" {
		a.warn("%s: %s", name, c)
	}
}

// tellLoad reports the load that was reached, and warns if it is not the one requested.
func (a *app) tellLoad(d *generate.Drawn, of model.Summary) {
	reached := d.Made.Load(d.Processors)
	text := fmt.Sprintf("offered load: %s on %d %s", view.Sig(reached), d.Processors, of.Unit)
	switch {
	case math.IsNaN(reached) && d.Load == 0:
		return
	case math.IsNaN(reached):
		a.note("offered load: %s asked for; the generated jobs have no sizes or run times to compute it from", view.Sig(d.Load))
		return
	case !math.IsNaN(of.Load):
		text += "; the log's is " + view.Sig(of.Load)
	case d.Load > 0:
		text += fmt.Sprintf(", by the %d jobs made; %s asked for", d.Made.Jobs, view.Sig(d.Load))
	}
	a.note("%s", text)
	if d.Load > 0 && !(math.Abs(reached/d.Load-1) <= loadTolerance) {
		a.warn("the load is %s, not the %s asked for: few jobs have most of the work, or the last of few would come at an hour without any; ask for more jobs or days", view.Sig(reached), view.Sig(d.Load))
	}
}

// loadTolerance is the largest relative difference from the requested load without a warning.
const loadTolerance = 0.005

// warnOfLoad warns of an offered load above 1, which the machine cannot do, and which may have
// been meant in percent or as a multiple.
func (a *app) warnOfLoad(asked float64) {
	const most = 3 // higher loads are unlikely to be intended
	switch {
	case !(asked > 1) || math.IsInf(asked, 1):
	case asked > most:
		a.warn("--load %g is %g times what the machine can do; for %g %% give --load %g", asked, asked, asked, asked/100)
	default:
		a.warn("--load %g is more than the machine can do, so its queue grows until the last job is submitted; for %g times the log's or the model's load give --load %gx", asked, asked, asked)
	}
}
