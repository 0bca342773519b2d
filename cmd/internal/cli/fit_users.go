package cli

import (
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	users "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The forms of a site's model.
const (
	formPaper = "lublin2003" // of Lublin and Feitelson (2003)
	formUsers = "users"      // of the site's users, package population
)

// ofUsers are the flags that go with --form users; ofReport those that say which laws
// are shown as well, and how: they do not change what -o writes.
var (
	ofUsers  = []string{"form", "output", "procs", "no-check"}
	ofReport = []string{"attribute", "format", "plots", "site"}
)

// checkForm chooses the form where none is asked for: a model of users, unless a
// flag is about laws. It refuses what does not go with --form users.
func (o *fitOptions) checkForm(cmd *cobra.Command) error {
	ofLaws := ""
	inherited := cmd.InheritedFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case inherited.Lookup(f.Name) != nil || slices.Contains(ofUsers, f.Name):
		case slices.Contains(ofReport, f.Name) && o.input != "-": // which cannot be read twice
			o.withLaws = true
		case ofLaws == "":
			ofLaws = f.Name
		}
	})
	switch {
	case o.Form == "" && (o.Output == "" || ofLaws != ""):
		o.Form, o.formBy = formPaper, ofLaws
	case o.Form == "":
		o.Form = formUsers
	}
	switch {
	case o.Form == formPaper:
	case o.Output == "":
		return flags.Usagef("--form users: want -o, the name of the model file")
	case ofLaws != "":
		return flags.Usagef("--%s does not go with --form users: it is about fitted distributions, which a model of users does not have; leave out one of the two", ofLaws)
	}
	return nil
}

// runFitUsers writes the model of a log's users.
func runFitUsers(ctx context.Context, a *app, o fitOptions) error {
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
	m, warnings, err := users.Fit(ctx, a.progress.Watch(log)(jobs), &log.Header, filepath.Base(o.input), o.Site.Processors)
	if o.withLaws { // whose reading gave the same
		warnings = slices.DeleteFunc(warnings, func(w workload.Warning) bool { return w.Rule == workload.StartsRule })
	} else {
		a.warnAll(o.input, log.Warnings())
	}
	a.tell(o.input, view.UsersRemarks(warnings))
	if err != nil {
		return about(o.input, err)
	}
	if !o.NoCheck {
		m.Check, err = check.Users(ctx, m)
		if err = a.unchecked(o.input, err); err != nil {
			return err
		}
	}
	if err := a.writeFile(o.Output, func(w io.Writer) error { return population.Encode(w, m) }); err != nil {
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
	a.tell(o.Output, view.CheckRemarks(m.Check))
	return nil
}
