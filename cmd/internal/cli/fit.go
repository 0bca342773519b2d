package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The forms of a site's model.
const (
	formPaper = "lublin2003" // distributions of Lublin and Feitelson (2003)
	formUsers = "users"      // the site's users, package population
)

type fitOptions struct {
	oneLog
	site.Options
	Show    string        `opt:"site" default:"brief" group:"The model of the site" common:"true" help:"how much of the site's model to print"`
	Form    string        `opt:"form" common:"true" help:"model that -o writes: of the site's users, their sessions and jobs, or the distributions of Lublin and Feitelson (default users; lublin2003 with flags about distributions)" brief:"model that -o writes: users, or lublin2003 (default: users; lublin2003 with --family, --by, --site or the like)"`
	Combine string        `opt:"combine" help:"with several sites: how to combine their distributions in one model"`
	NoCheck bool          `opt:"no-check" help:"do not compare the waits of jobs drawn from the model with the log's"`
	Output  string        `opt:"output,o" file:"write" group:"The result" common:"true" help:"write the model to this <file>"`
	Result  resultOptions `group:"The result" without:"output"`
	Plots   plotOptions   `group:"The result" of:"the attributes and their fits"`

	formBy   string   // flag that makes -o write the form lublin2003 without --form
	withLaws bool     // with a model of users, print the laws too
	users    string   // when these laws are printed, the file of the model of users
	all      []string // logs and model files
	average  bool     // make one model of several inputs
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (o *fitOptions) Choices(option string) []string {
	switch option {
	case "site":
		return []string{tables.SiteBrief, tables.SiteFull, tables.SiteNone}
	case "form":
		return []string{formPaper, formUsers}
	case "combine":
		return []string{site.MethodAverage, site.MethodSearch}
	}
	return o.Options.Choices(option)
}

func (o *fitOptions) args(args []string) error {
	o.all = args
	if len(args) < 2 {
		return o.oneLog.args(args)
	}
	o.input = args[0]
	if slices.Contains(args, "") {
		return fmt.Errorf("a log's name is empty: want a file, or - for standard input")
	}
	if i := slices.Index(args, "-"); i >= 0 && slices.Contains(args[i+1:], "-") {
		return fmt.Errorf("standard input can be only one of the logs")
	}
	return nil
}

func (o *fitOptions) check(a *app) error {
	for _, check := range []func(*app) error{o.chooseForm, o.checkSeveral} {
		if err := check(a); err != nil {
			return err
		}
	}
	switch {
	case o.SiteReplicates != 0 && o.Show == tables.SiteNone:
		return flags.Usagef("--site-replicates does not go with --site none")
	case o.Output == "-":
		return flags.Usage(errDash)
	case o.Output != "" && strings.ToLower(filepath.Ext(o.Output)) != ".json" && !links.Direct(o.Output):
		return flags.Usagef("-o %s: a model is JSON: want a name that ends in .json", o.Output)
	}
	return nil
}

// chooseForm chooses the form if --form is not given: a model of users if -o is given, unless a
// flag is about laws. It returns an error for flags that do not go with --form users.
func (o *fitOptions) chooseForm(a *app) error {
	ofLaws := ""
	inherited := a.cmd.InheritedFlags()
	a.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "form", "output", "procs", "no-check":
		case "attribute", "format", "plots", "site": // they select the laws printed with a model of users
			o.withLaws = o.withLaws || o.input != "-" // standard input cannot be read twice
			if o.input == "-" && ofLaws == "" {
				ofLaws = f.Name
			}
		default:
			if ofLaws == "" && inherited.Lookup(f.Name) == nil {
				ofLaws = f.Name
			}
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

// checkSeveral decides what to make of several inputs: with --form lublin2003 one model of
// all of them, otherwise a table of their distributions. It returns an error for flags that do not
// go with the number and kind of inputs.
func (o *fitOptions) checkSeveral(a *app) error {
	ofFit := []string{"p-form", "min-gap"} // flags for fitting a site's model to a log
	o.average = len(o.all) > 1 && a.given("form") && o.Form == formPaper
	switch n := len(o.all); {
	case n == 1:
		if err := a.unused("one log", "combine"); err != nil || o.Show != tables.SiteNone || o.Output != "" || o.Plots.Folder != "" {
			return err
		}
		return a.unused("--site none", append(ofFit, "procs")...)
	case !o.average && o.Output != "":
		return flags.Usagef("saw %d logs: a model of users is fitted to a single log; --form %s makes one model of several", n, formPaper)
	case !o.average:
		if i := slices.IndexFunc(o.all, a.isModel); i >= 0 {
			return flags.Usagef("%s: want a log, to which distributions are fitted, not a model; --form %s makes one model of several", o.all[i], formPaper)
		}
		o.Show = tables.SiteNone
		return a.unused("several logs, of which the distributions are shown", append([]string{"site", "site-replicates", "procs", "plots", "combine"}, ofFit...)...)
	}
	if err := a.unused("several logs, to which only the model of each site is fitted", "tests", "subsamples", "replicates", "intervals", "censored",
		"family", "attribute", "components", "site", "site-replicates", "seed", "plots", "no-check"); err != nil {
		return err
	}
	if !slices.ContainsFunc(o.all, func(in string) bool { return !a.isModel(in) }) {
		return a.unused("model files alone, which fits no log", append([]string{"by", "status", "least-jobs"}, ofFit...)...)
	}
	return nil
}

func (o *fitOptions) run(ctx context.Context, a *app) (*findings, error) {
	switch {
	case o.average:
		return o.averageOf(ctx, a)
	case len(o.all) > 1:
		return o.sideBySide(ctx, a)
	case o.Form == formPaper:
		return o.laws(ctx, a)
	case o.withLaws:
		laws := *o
		laws.Form, laws.Output, laws.users, laws.NoCheck = formPaper, "", o.Output, true
		if err := a.perform(ctx, &laws); err != nil {
			return nil, err
		}
	}
	return nil, o.ofUsers(ctx, a)
}

// laws fits laws, and the model of Lublin and Feitelson, to a log.
func (o *fitOptions) laws(ctx context.Context, a *app) (*findings, error) {
	found := &findings{about: o.input}
	r, err := o.fitLog(ctx, a)
	if r != nil {
		found.remarks = view.Warnings(r.Warnings)
	}
	if err == nil && o.Output != "" {
		err = a.writeModel(o.Output, r.Model)
	}
	if err != nil {
		return found, err
	}
	found.remarks = append(found.remarks, tables.ModelRemarks(r)...)
	found.result = tables.Fit(r, o.Show)
	found.plots = func() []figure.Spec { return figure.OfFits(r) }
	found.after = func() {
		if o.Output != "" {
			classes := len(r.Model.Classes)
			a.note("%s: model of %s with %d %s", o.Output, r.Model.Name, classes, words.Plural(classes, "class", "classes"))
			if o.formBy != "" {
				a.warn("%s: it has the form lublin2003, because of --%s; for a model of the site's users run 'loadstone fit %s -o FILE' without it", o.Output, o.formBy, o.input)
			}
			a.noteEstimates(r.Site)
		}
		a.tell(o.input, tables.FitRemarks(r))
		if o.users != "" {
			a.note("note: these distributions are for comparison: %s gets a model of users, which does not use them", o.users)
			return
		}
		a.tell(o.input, tables.LoadRemarks(r))
		a.tell(o.input, tables.CheckRemarks(r.Check))
	}
	return found, nil
}

// fitLog fits laws, and if requested the site's model, to a log. The Result may be valid
// although there is an error: if nothing could be fitted, the error wraps site.ErrNothing,
// and the Result has the warnings and the jobs that were collected.
func (o fitOptions) fitLog(ctx context.Context, a *app) (*site.Result, error) {
	o.Model = o.NoLaws || o.Show != tables.SiteNone || o.Output != "" || o.Plots.Folder != ""
	o.Work = a.progress.Work
	var check evaluate.CheckWaits
	if o.NoCheck = o.NoCheck || !o.Model; !o.NoCheck {
		o.Seen = check.Add
	}
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	r, err := site.Compute(ctx, log, o.Options)
	if err == nil && (o.Output != "" || o.NoLaws) {
		err = r.WhyNoModel
	}
	if err != nil {
		return r, about(o.input, err)
	}
	if r.WhyNoModel == nil && !o.NoCheck {
		r.Check, err = check.Check(ctx, r.Model)
		if err = a.unchecked(o.input, err); err != nil {
			return r, err
		}
		r.Model.Checked = r.Check
	}
	lost := log.Optional()
	for _, c := range r.Model.Classes {
		if at := workload.ColumnIndex(c.Column); at >= 0 { // the model keeps it as its classes
			lost &^= workload.ColumnSetOf(at)
		}
	}
	if lost := lost.Written()[workload.FirstOptional:]; len(lost) > 0 && o.Output != "" && !o.NoLaws {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "left-out-columns", Count: 1,
			Text: fmt.Sprintf("columns of the log that a model of distributions does not have: %s (--form users keeps nodes, GPUs, memory and quality of service)", strings.Join(workload.ColumnNames(lost), ", "))})
	}
	return r, nil
}

// unchecked notes why the waits of a model were not checked. It returns err only if err is an
// interrupt.
func (a *app) unchecked(input string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	a.note("%s: the waits of jobs drawn from the model are not checked: %v", input, err)
	return nil
}

// noteEstimates notes that a model contains requested times of the log, if it does.
func (a *app) noteEstimates(report *site.Report) {
	jobs, times := int64(0), 0
	for _, c := range report.Classes {
		if e := c.Estimates; e != nil {
			jobs, times = jobs+e.Jobs, max(times, e.Distinct)
		}
	}
	if jobs > 0 {
		a.note("the model has the requested times of %d jobs, up to %d different ones a class; 'loadstone generate --estimates none' leaves them out", jobs, times)
	}
}
