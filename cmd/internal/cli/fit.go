package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

type fitOptions struct {
	survey.Options
	Components      string        `opt:"components" default:"2" group:"Distributions" help:"mixtures: <number> of components, 2 to 8, or auto for the lowest BIC"`
	InteractiveJobs string        `opt:"interactive" group:"What is fitted" help:"fit interactive and batch jobs separately: <column=value,...> of the interactive jobs, such as queue_id=0 or partition_id=interactive"`
	Show            string        `opt:"site" default:"brief" group:"The model of the site" common:"true" help:"how much of the site's model to print"`
	Form            string        `opt:"form" common:"true" help:"model that -o writes: of the site's users, their sessions and jobs, or the distributions of Lublin and Feitelson (default users; lublin2003 with flags about distributions)" brief:"model that -o writes: users, or lublin2003 (default: users; lublin2003 with --family, --by, --site or the like)"`
	Peaks           []string      `opt:"automatic-peak" help:"<times> of day at which a program submits, left out of the daily cycle: such as 3:00-4:00"`
	SizeRanges      string        `opt:"size-ranges" help:"<ranges> of sizes whose run times and work are fitted separately, such as 1-4,5-100 (default: up to three of about equal numbers of jobs)"`
	Combine         string        `opt:"combine" help:"of several sites: how their distributions make those of one model"`
	NoCheck         bool          `opt:"no-check" help:"do not compare how jobs drawn from the model wait with how the log's do"`
	Output          string        `opt:"output,o" file:"write" group:"The result" common:"true" help:"write the model to this <file>"`
	Result          resultOptions `group:"The result" without:"output"`
	Plots           plotOptions   `group:"The result" of:"the attributes and their fits"`

	input    string
	formBy   string   // flag that makes -o write the form lublin2003, where --form is not given
	withLaws bool     // with a model of users: the laws are shown too
	users    string   // with withLaws: the file of the model of users
	more     []string // logs and model files after the first
	average  bool     // one model of several
}

// Choices are the values of options that take one of some.
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

func newFitCmd(a *app, run func(context.Context, *app, fitOptions) error) *cobra.Command {
	var o fitOptions
	cmd := &cobra.Command{
		Use:   "fit LOG... [-o model.json]",
		Short: "Fit distributions and a workload model to a log",
		Long: `Fits distributions to the run times (or another --attribute), best first by BIC,
and a model to the whole site. -o writes a model file for 'loadstone generate':
by default a model of the site's users, their sessions and their jobs.
--form lublin2003 writes the model of Lublin and Feitelson instead: independent
distributions of size, run time and interarrival time, and the daily cycle.
Of several logs it shows the distributions side by side; with --form lublin2003
it makes one model of them all.`,
		Annotations: map[string]string{flags.Details: `The fits use all jobs whose attribute is known and positive; what is left out is
reported. D is the Kolmogorov-Smirnov distance. Its p-value (--replicates) is
from a parametric bootstrap that refits every replicate, because standard tables
of D do not hold for fitted parameters. All families are fitted to the jobs that
each of them can use: a distribution of the logarithm leaves out run times up to
a second. The table marks the distribution that is in the site's model.

A model of users keeps the log's load and, on most logs, its waits. Without
--form, a flag about distributions, such as --family or --by, makes -o write the
model of Lublin and Feitelson, with a warning; --attribute, --site, --plots and
--format do not. Both files can be edited.

--by kind fits interactive and batch jobs separately, as well as all jobs
together. The header's names of partitions and queues, or --interactive, tell
which is which. --site full prints everything that is fitted of a site: the
distributions of sizes, those of run times and total work by size, the forms of
p(size), the cycles, and the parameters of the three ways to shape arrivals by
the cycle.

The site's table has a row for each class: the share of serial jobs and, of the
others, that of powers of two; the two-stage uniform distribution of log2 of
their sizes (low, mid, high; share below mid) and its distance D after rounding;
p(size), the share of the first Gamma of run times at a size; the Gamma (shape,
scale) of ln of the interarrival times at peak hours; in JSON, ARAR, the mean of
ln of all interarrival times over that at peak; the Gamma of the daily cycle
over half hours; the longest run time. --site-replicates resamples the log's
weeks for intervals of these numbers.

One model of several sites is made class by class, as Lublin and Feitelson (2003)
did for four logs. Each input is a log, to which a model is fitted first (with
the paper's --p-form linear), a file from 'loadstone fit --form lublin2003 -o',
or the name of a published model. Shares are arithmetic means. The parameters of
arrivals are geometric means, and so are those of run times and work with
--combine average. --combine search takes, from a grid of parameters, the
distribution closest to the middle of the sites' densities.

Related: 'loadstone lifetimes' fits run times class by class.`},
		Example: `  loadstone fit KTH-SP2-1996.swf.gz
  loadstone fit KTH-SP2-1996.swf.gz -o kth.json
  loadstone fit kth.parquet --attribute run_time,size,interarrival
  loadstone fit kth.parquet --family hyper-gamma,log-normal --replicates 199
  loadstone fit kth.swf sdsc.swf --family hyper-gamma
  loadstone fit kth.swf sdsc.swf ctc.json --form lublin2003 -o average.json`,
		Args: someLogs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input, o.more = args[0], args[1:]
			if err := o.read(cmd); err != nil {
				return err
			}
			if err := o.checkForm(cmd); err != nil {
				return err
			}
			if err := o.checkSeveral(cmd, a); err != nil {
				return err
			}
			if err := o.checkOutput(cmd); err != nil {
				return err
			}
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

// checkOutput says whether the output is the name of a model file.
func (o *fitOptions) checkOutput(cmd *cobra.Command) error {
	switch {
	case o.Output == "-":
		return flags.Usage(errDash)
	case o.Output != "" && strings.ToLower(filepath.Ext(o.Output)) != ".json" && !links.Direct(o.Output):
		return flags.Usagef("-o %s: a model is JSON: want a name that ends in .json", o.Output)
	}
	return nil
}

func runFit(ctx context.Context, a *app, o fitOptions) error {
	if err := a.notOver([]string{o.input}, o.Output); err != nil {
		return err
	}
	switch {
	case o.average:
		return runAverage(ctx, a, o)
	case len(o.more) > 0:
		return runFitSeveral(ctx, a, o)
	case o.Form == formUsers && o.withLaws:
		laws := o
		laws.Form, laws.Output, laws.users, laws.NoCheck = formPaper, "", o.Output, true
		if err := runFit(ctx, a, laws); err != nil {
			return err
		}
		return runFitUsers(ctx, a, o)
	case o.Form == formUsers:
		return runFitUsers(ctx, a, o)
	}
	r, err := a.fitLog(ctx, o)
	if r != nil {
		a.warnAll(o.input, r.Warnings)
	}
	if err != nil {
		return err
	}
	a.tell(o.input, view.ModelRemarks(r))
	finish := func() error {
		if err := a.put(o.Result, tables.Fit(r, o.Show)); err != nil || o.Plots.Folder == "" {
			return err
		}
		return a.drawAll(o.Plots, figure.OfFits(r))
	}
	if o.Output == "" {
		err = finish()
	} else {
		err = a.writeFile(o.Output, func(w io.Writer) error {
			if err := model.Encode(w, r.Model); err != nil {
				return err
			}
			return finish()
		})
	}
	if err != nil {
		return err
	}
	if o.Output != "" {
		a.note("%s: model of %s with %d %s", o.Output, r.Model.Name, len(r.Model.Classes), words.Plural(len(r.Model.Classes), "class", "classes"))
		if o.formBy != "" {
			a.warn("%s: it has the form lublin2003, because of --%s; for a model of the site's users run 'loadstone fit %s -o FILE' without it", o.Output, o.formBy, o.input)
		}
		a.noteEstimates(r.Site)
	}
	a.tell(o.input, view.FitRemarks(r))
	if o.users != "" {
		a.note("note: these distributions are for comparison: %s gets a model of users, which does not use them", o.users)
		return nil
	}
	a.tell(o.input, view.LoadRemarks(r))
	a.tell(o.input, view.CheckRemarks(r.Check))
	return nil
}

// unchecked notes why the waits of a model were not checked. It returns err where that stops
// the command.
func (a *app) unchecked(input string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	a.note("%s: how jobs drawn from the model wait is not checked: %v", input, err)
	return nil
}

// fitLog fits laws, and the site's model where it is asked for, to a log. Of a log
// that determines nothing there are pictures all the same: the error wraps
// survey.ErrNothing, and the Result has its jobs.
func (a *app) fitLog(ctx context.Context, o fitOptions) (*survey.Result, error) {
	o.Model = o.Show != tables.SiteNone || o.Output != "" || o.Plots.Folder != ""
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
	r, err := survey.Compute(ctx, log, o.Options)
	if err != nil {
		return r, about(o.input, err)
	}
	if r.WhyNoModel != nil && o.Output != "" {
		return r, about(o.input, r.WhyNoModel)
	}
	if r.WhyNoModel == nil && !o.NoCheck {
		r.Check, err = check.Site(ctx, r.Model)
		if err = a.unchecked(o.input, err); err != nil {
			return r, err
		}
		r.Model.Check = r.Check
	}
	lost := log.Optional()
	for _, c := range r.Model.Classes {
		if at := workload.ColumnIndex(c.Column); at >= 0 { // which tells the classes
			lost &^= workload.ColumnSetOf(at)
		}
	}
	if lost := lost.Written()[workload.FirstOptional:]; len(lost) > 0 && o.Output != "" {
		r.Warnings = append(r.Warnings, workload.Warning{Rule: "left-out-columns", Count: 1,
			Text: fmt.Sprintf("columns of the log that a model of distributions does not have: %s (--form users keeps nodes, GPUs, memory and quality of service)", strings.Join(workload.ColumnNames(lost), ", "))})
	}
	return r, nil
}
