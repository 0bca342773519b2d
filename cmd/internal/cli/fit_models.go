package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	users "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// sideBySide fits distributions to each of several logs.
func (o *fitOptions) sideBySide(ctx context.Context, a *app) (*findings, error) {
	var fits []*site.Result
	for _, o.input = range o.all {
		r, err := o.fitLog(ctx, a)
		if r != nil {
			a.tell(o.input, view.Warnings(r.Warnings))
		}
		if err != nil {
			return nil, err
		}
		fits = append(fits, r)
		a.tell(o.input, tables.FitRemarks(r))
	}
	return &findings{result: tables.Fits(fits)}, nil
}

// averageOf makes one model of several logs and model files.
func (o *fitOptions) averageOf(ctx context.Context, a *app) (*findings, error) {
	var sites []site.AveragedSite
	for _, input := range o.all {
		s, err := o.averaged(ctx, a, input)
		if err != nil {
			return nil, err
		}
		sites = append(sites, s)
	}
	name := "representative"
	if o.Output != "" {
		name = printable.Text(site.NameOf(strings.TrimSuffix(filepath.Base(o.Output), filepath.Ext(o.Output))))
	}
	r, err := site.Average(sites, site.AverageOptions{Name: name, Method: o.Combine, Processors: o.Processors})
	if err != nil {
		return nil, err
	}
	found := &findings{result: tables.Average(r)}
	if o.Output != "" {
		err = a.writeModel(o.Output, r.Model.Model.Site)
		found.after = func() { a.note("%s: model of %d sites", o.Output, len(sites)) }
	}
	return found, err
}

// averaged returns the model of one input: read from a model file, or fitted to a log.
func (o fitOptions) averaged(ctx context.Context, a *app, input string) (s site.AveragedSite, err error) {
	s.Input = input
	if a.isModel(input) {
		s.Model.Site, err = a.loadModel(input)
		return s, err
	}
	o.input, o.NoLaws, o.NoCheck = input, true, true
	if o.PForm == site.FormLikeliest {
		o.PForm = site.FormLinear // the paper averages lines fitted to groups
	}
	r, err := o.fitLog(ctx, a)
	if err != nil {
		return s, err
	}
	a.tell(input, append(view.Warnings(r.Warnings), tables.ModelRemarks(r)...))
	s.Model.Site, s.Fit = r.Model, r.Site
	return s, nil
}

// ofUsers writes the model of a log's users.
func (o *fitOptions) ofUsers(ctx context.Context, a *app) error {
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	jobs := log.Jobs()
	var check evaluate.CheckWaits
	if !o.NoCheck {
		jobs = check.Watch(jobs)
	}
	m, warnings, err := users.Fit(ctx, a.progress.Watch(log)(jobs), &log.Header, filepath.Base(o.input), o.Processors)
	if o.withLaws { // fitting the laws has already given the warnings of reading
		warnings = slices.DeleteFunc(warnings, func(w workload.Warning) bool { return w.Rule == workload.StartsRule })
	} else {
		a.tell(o.input, view.Warnings(log.Warnings()))
	}
	a.tell(o.input, tables.UsersRemarks(warnings))
	if err != nil {
		return about(o.input, err)
	}
	if !o.NoCheck {
		m.Checked, err = check.Check(ctx, &m)
		if err = a.unchecked(o.input, err); err != nil {
			return err
		}
	}
	if err := a.writeModel(o.Output, &m); err != nil {
		return err
	}
	n := int64(0)
	for i := range m.Users.Strata {
		n += m.Users.Strata[i].Users
	}
	period := "weeks"
	if m.Log.Days < 21 {
		period = "days"
	}
	days := int(m.Log.Days)
	a.note("%s: model of %s: %d %s in %d %s, load %s on %d %s", o.Output, m.Name,
		n, words.Noun(int(n), "user"), len(m.Users.Strata), words.Plural(len(m.Users.Strata), "stratum", "strata"), view.Sig(m.Log.Load), m.Processors, m.Unit)
	a.note("note: the period is in whole %s, and the number of jobs scaled to match: %d %s, %d %s",
		period, days, words.Noun(days, "day"), m.Log.Jobs, words.Noun(int(m.Log.Jobs), "job"))
	a.tell(o.Output, tables.CheckRemarks(m.Checked))
	return nil
}
