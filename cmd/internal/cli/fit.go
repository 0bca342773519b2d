package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

type fitOptions struct {
	input      string
	output     string // the model file
	families   []string
	attributes []string
	status     []int64
	by         string
	processors int64
	plots      string
	fit        fit.Options
	rank       fit.Criterion // "" is BIC
	compare    compareOptions
	lifetimes  lifetimeOptions
	site       siteFlags
	more       []string // logs and model files after the first, with --representative
	result     resultOptions
}

func attributeNames() []string {
	var names []string
	for _, a := range fit.Attributes() {
		names = append(names, string(a))
	}
	return names
}

func newFitCmd(a *app, run func(context.Context, *app, fitOptions) error) *cobra.Command {
	o := fitOptions{families: fit.Families(), attributes: []string{string(fit.RunTime)}}
	var (
		status []int
		typed  fitFlags
	)
	cmd := &cobra.Command{
		Use:   "fit IN... [-o model.json]",
		Short: "Fit laws and a whole site's model to a log",
		Long: `Fits every family of laws to an attribute of the jobs, and the model of Lublin
and Feitelson to the whole site: sizes, run times and how they depend on the
size, interarrival times at peak hours, the daily cycle. -o writes that model to
a file that 'loadstone generate --model' takes and that can be edited.

All jobs count whose attribute is known and positive; what is left out is said.
D is the Kolmogorov-Smirnov distance. --replicates adds its p-value, from a
parametric bootstrap that refits every replicate; tables of D do not hold for a
fitted law. All families are fitted to the jobs that each of them can use, since
a law of the logarithm leaves out run times up to a second, and stand in the
order of BIC, or of --rank. The table marks the law that the site's model has.

--compare holds the log against another, --compare-at the time before a moment
against the time after it: parameter by parameter, with intervals and a test of
change that know that neighbouring jobs are alike. --lifetimes is Downey's side:
a law of the run times for each class, how much classes overlap, how long jobs
of some age still last and, with --months or --periods, how the laws drift.

--by kind fits interactive and batch jobs apart, told by the header's names of
partitions and queues or by --interactive, and all jobs beside them. --site full
prints all that is fitted of a site: the laws of sizes, those of run times and
total work by size, the forms of p(size), the cycles, the parameters of the three
ways to bring the cycle into the arrivals. --representative makes one model of
several logs or model files, as the paper does of four.

The site's table has a row a class: the share of serial jobs and, of the others,
that of powers of two; the two-stage uniform law of log2 of their sizes (low,
mid, high; share below mid) and its distance D after rounding; p(size), the
share of the first Gamma of run times at a size; the Gamma (shape, scale) of ln
of the interarrival times at peak hours; ARAR, the mean of ln of all
interarrival times over that at peak; the Gamma of the daily cycle over half
hours; the longest run time. --site-replicates draws the log's weeks again and
again for intervals of these numbers. See docs/models.md.`,
		Example: `  loadstone fit KTH-SP2-1996.swf.gz -o kth.json
  loadstone fit kth.parquet --family hyper-gamma --replicates 199 --intervals 0.95 --tests
  loadstone fit kth.parquet --site full --site-replicates 199
  loadstone fit kth.parquet --rank bic --attribute run_time,size,interarrival
  loadstone fit june.swf --compare july.swf
  loadstone fit kth.parquet --lifetimes queue_id,size --months 4
  loadstone fit sdsc.parquet --by partition_id --plots pictures
  loadstone fit sdsc.parquet --by kind --site full --size-ranges 1-8,9-16,17-320
  loadstone fit kth.json sdsc.parquet --representative average -o average.json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.site.representative != "" {
				return someLogs(args)
			}
			return oneLog(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input, o.more = args[0], args[1:]
			for _, code := range status {
				o.status = append(o.status, int64(code))
			}
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			if err := checkFitFlags(cmd, typed, &o.fit); err != nil {
				return err
			}
			o.rank = fit.Criterion(typed.rank)
			if err := o.checkModes(cmd); err != nil {
				return err
			}
			switch {
			case o.output == "-":
				return &usageError{cmd, errDash}
			case o.output != "" && strings.ToLower(filepath.Ext(o.output)) != ".json":
				return usagef(cmd, "-o %s: a model is JSON: want a name that ends in .json", o.output)
			case o.by != "" && !slices.Contains(fitColumns(), o.by):
				return usagef(cmd, "--by %s: want one of %s", o.by, strings.Join(fitColumns(), ", "))
			}
			if err := o.site.check(cmd, o.by); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the site's model to this file")
	enumsFlag(cmd, &o.families, "family", "families of laws", fit.Families())
	enumsFlag(cmd, &o.attributes, "attribute", "what the laws are fitted to", attributeNames())
	cmd.Flags().StringVar(&o.by, "by", "", "fit each value of this column on its own, or interactive and batch jobs by the header's names of partitions and queues: "+strings.Join(fitColumns(), ", "))
	complete(cmd, "by", fitColumns())
	cmd.Flags().IntSliceVar(&status, "status", nil, "only jobs with these status codes, such as 1 for completed")
	procsFlag(cmd, &o.processors, "processors of the machine (default: the header's)")
	addFitFlags(cmd, &typed, &o.fit)
	addCompareFlags(cmd, &o.compare)
	addLifetimeFlags(cmd, &o.lifetimes)
	addSiteFlags(cmd, &o.site)
	cmd.Flags().StringVar(&o.plots, "plots", "", "draw the attributes and their fits into this folder, as SVG")
	addResultFlags(cmd, &o.result, false)
	groupFlags(cmd,
		flagGroup{"What is fitted", []string{"attribute", "family", "by", "interactive", "status", "least-jobs", "procs", "output", "format", "plots"}},
		flagGroup{"How laws are fitted", []string{"components", "stages", "trim", "method", "rounding", "max", "censored"}},
		flagGroup{"What a fit is worth", []string{"rank", "replicates", "intervals", "sequential", "tests", "sampled-test", "subsamples", "folds", "seed"}},
		flagGroup{"The model of the site", []string{"site", "p-form", "size-ranges", "automatic-peak", "min-gap", "max-gap", "short-gap", "site-replicates", "representative"}},
		flagGroup{"Two logs or times", []string{"compare", "compare-at"}},
		flagGroup{"Lifetimes by class", []string{"lifetimes", "months", "periods"}},
	)
	return cmd
}

func runFit(ctx context.Context, a *app, o fitOptions) error {
	if err := a.notOver([]string{o.input, o.compare.with}, o.output); err != nil {
		return err
	}
	switch {
	case o.compare.asked():
		return runCompare(ctx, a, o)
	case o.lifetimes.asked():
		return runLifetimes(ctx, a, o)
	case o.site.representative != "":
		return runRepresentative(ctx, a, o)
	}
	fitted, err := fitLog(ctx, a, o)
	if err != nil {
		return err
	}
	jobs, reports, f := fitted.jobs, fitted.reports, fitted.site
	finish := func() error {
		if err := a.put(o.result, fitResult(workload.Summary{Name: fitted.log.Name, Jobs: int(jobs.seen.jobs)}, o, reports, f)); err != nil {
			return err
		}
		if o.plots == "" {
			return nil
		}
		return a.drawAll(o.plots, fitted.pictures(o))
	}
	if o.output == "" {
		err = finish()
	} else {
		err = a.writeFile(o.output, func(w io.Writer) error {
			if err := model.Encode(w, f.site); err != nil {
				return err
			}
			return finish()
		})
	}
	if err != nil {
		return err
	}
	if o.output != "" {
		a.note("%s: model of %s with %d %s", o.output, f.site.Name, len(f.site.Classes), present.Plural(len(f.site.Classes), "class", "classes"))
		a.noteEstimates(f.report)
	}
	if (o.fit.Method == fit.MethodLeastD || o.fit.Method == fit.MethodMoments) && o.output != "" {
		a.warn("%s: the model's laws are by the paper's estimators, not by %s", o.output, o.fit.Method)
	}
	a.noteFits(reports)
	a.compareLoads(o.input, f.site, jobs)
	return nil
}

// fittedLog is what is fitted to a log.
type fittedLog struct {
	log     *workload.Log
	jobs    fitJobs
	reports []fit.Report
	site    siteFit
	noSite  string // why the site's model could not be fitted
}

// pictures are those of the laws and of the site's model.
func (f *fittedLog) pictures(o fitOptions) []figure.Picture {
	of := figure.Fits{Log: f.log.Name, By: o.by, Classes: f.jobs.classes, Reports: f.reports, Sites: []*site.Report{f.site.allReport, &f.site.report}, NoSite: f.noSite}
	for _, attribute := range o.attributes {
		of.Attributes = append(of.Attributes, fit.Attribute(attribute))
	}
	return figure.OfFits(of)
}

// errNothingFitted is of a log of which pictures can be drawn all the same.
var errNothingFitted = errors.New("nothing could be fitted")

// fitLog fits laws, and the site's model where it is asked for, to a log, which
// it closes.
func fitLog(ctx context.Context, a *app, o fitOptions) (all fittedLog, err error) {
	log, err := a.open(o.input)
	if err != nil {
		return all, err
	}
	defer log.Close()
	all.log = log
	clock, note := log.Header.Clock()
	if all.jobs, err = collectFit(ctx, a, o, log, clock); err != nil {
		return all, err
	}
	if note != "" {
		a.warn("%s: %s", o.input, note)
	}
	if all.reports, err = fitLaws(ctx, a, o, all.jobs.classes); err != nil {
		return all, err
	}
	if o.site.show != siteNone || o.output != "" || o.plots != "" {
		if all.site, err = fitSite(a, o, log, clock, all.jobs); err != nil {
			all.noSite = err.Error() + " (--least-jobs is how many)"
		}
		switch {
		case err != nil && o.output != "":
			return all, fmt.Errorf("%s: %w", o.input, err)
		case err != nil && len(all.reports) == 0:
			return all, fmt.Errorf("%s: %w: %w", o.input, errNothingFitted, err)
		case err != nil:
			a.warn("%s: no model of the site: %v", o.input, err)
		}
		markModel(all.reports, all.site)
		a.warnSite(o.input, all.site)
	} else if len(all.reports) == 0 {
		return all, fmt.Errorf("%s: %w", o.input, errNothingFitted)
	}
	return all, nil
}

// fitLaws fits every family to every attribute of every class with enough
// jobs. What the data do not determine is a warning, as long as something else
// could be fitted.
func fitLaws(ctx context.Context, a *app, o fitOptions, classes []fit.Class) ([]fit.Report, error) {
	var (
		reports    []fit.Report
		degenerate degenerateFits
		small      []fit.SkippedClass
	)
	for _, class := range classes {
		if class.Column != "" && class.Jobs() < o.lifetimes.least {
			small = append(small, fit.SkippedClass{Label: class.Label(), Jobs: class.Jobs(), Why: fmt.Sprintf("%d jobs, want at least %d", class.Jobs(), o.lifetimes.least)})
			continue
		}
		for _, attribute := range o.attributes {
			options := o.fit
			options.By = class.Label()
			sample, err := fit.CommonSample(o.families, fit.Attribute(attribute), class.Sample(fit.Attribute(attribute)), options)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", o.input, err)
			}
			var own []fit.Report
			for _, family := range o.families {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				r, err := a.fitted(family, fit.Attribute(attribute), sample, options)
				var failed *fit.DegenerateError
				if errors.As(err, &failed) {
					degenerate.add(failed)
					continue
				}
				if err != nil {
					return nil, fmt.Errorf("%s: %w", o.input, err)
				}
				own = append(own, r)
			}
			ranked, err := fit.Rank(own, o.criterion())
			if err != nil {
				return nil, err
			}
			for _, r := range ranked {
				reports = append(reports, r.Report)
			}
			a.warnLeader(o.input, ranked)
		}
	}
	degenerate.warn(a, o.input)
	if o.site.show == siteNone {
		a.warnSkipped(o.input, small) // the site's fit says it else
	}
	return reports, nil
}

// fitted is fit.Fit, with its replicates counted.
func (a *app) fitted(family string, attribute fit.Attribute, sample fit.Sample, o fit.Options) (fit.Report, error) {
	if o.Replicates > 0 {
		var end func()
		o.Replicated, end = a.work(family+" of "+string(attribute)+", "+o.By, "replicates", o.Replicates)
		defer end()
	}
	return fit.Fit(family, attribute, sample, o)
}

// degenerateFits are the fits that the data do not determine, by what is the
// matter: many families fail for one reason.
type degenerateFits struct {
	why      []fit.DegenerateError // Family is empty
	families [][]string
}

func (d *degenerateFits) add(err *fit.DegenerateError) {
	e := *err
	e.Family = ""
	i := slices.Index(d.why, e)
	if i < 0 {
		i = len(d.why)
		d.why, d.families = append(d.why, e), append(d.families, nil)
	}
	d.families[i] = append(d.families[i], err.Family)
}

func (d *degenerateFits) warn(a *app, input string) {
	for i, e := range d.why {
		e.Family = strings.Join(d.families[i], ", ")
		a.warn("%s: %v", input, &e)
	}
}

// logBase is a log's name without folder and extensions.
func logBase(name string) string {
	base := filepath.Base(name)
	for _, ext := range []string{".gz", ".zst", ".xz", ".bz2", ".swf", ".parquet", ".arrow", ".csv"} {
		base = strings.TrimSuffix(base, ext)
	}
	if base == "-" || base == "" {
		return "site"
	}
	return base
}

// parameterText writes a law's parameters in one cell.
func parameterText(r fit.Report) string {
	var parts []string
	for _, p := range r.Parameters {
		text := p.Name + " " + present.Sig(p.Value)
		if i, ok := intervalOf(r, p.Name); ok {
			text += " [" + present.Sig(i.Low) + ", " + present.Sig(i.High) + "]"
		}
		parts = append(parts, text)
	}
	const most = 8
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most:most], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, ", ")
}

func jobsText(n int64) string { return strconv.FormatInt(n, 10) }
