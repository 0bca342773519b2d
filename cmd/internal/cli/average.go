package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// newAverageCmd makes one model of several model files and logs, which are fitted
// first: its options are those of fit.
func newAverageCmd(a *app, run func(context.Context, *app, fitOptions) error) *cobra.Command {
	o := fitOptions{representative: site.MethodAverage}
	var typed fitFlags
	cmd := &cobra.Command{
		Use:   "average MODEL... [-o model.json]",
		Short: "Combine the models of several sites into one",
		Long: `Makes one model of several, class by class, as Lublin and Feitelson (2003) did
for three logs. Each MODEL is a file from 'loadstone fit --form lublin2003 -o',
the name of a published model, or a job log, to which a model is fitted first.`,
		Annotations: map[string]string{flags.Details: `Shares are arithmetic means. The parameters of arrivals are geometric means, and
so are those of run times and work with --method average. --method search takes,
from a grid of parameters, the distribution closest to the middle of the sites'
densities. -o writes the model to a file for 'loadstone generate --model'.`},
		Example: `  loadstone average kth-laws.json sdsc-laws.json ctc-laws.json -o average.json
  loadstone average kth-laws.json SDSC-SP2-1998.swf.gz --method search`,
		Args: func(_ *cobra.Command, args []string) error { return someLogs(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input, o.more = args[0], args[1:]
			for _, code := range typed.status {
				o.Status = append(o.Status, int64(code))
			}
			if err := flags.CheckProcs(cmd, o.Site.Processors); err != nil {
				return err
			}
			if err := typed.readSite(cmd, &o); err != nil {
				return err
			}
			if err := o.checkModelFiles(cmd, a, "model files alone, which fits no log"); err != nil {
				return err
			}
			if err := o.checkOutput(cmd); err != nil {
				return err
			}
			if err := o.Validate(); err != nil {
				return flags.OptionFault(cmd, err)
			}
			return run(cmd.Context(), a, o)
		},
	}
	set := cmd.Flags()
	set.StringVarP(&o.output, "output", "o", "", "write the model to this `file`")
	flags.Enum(cmd, &o.representative, "method", "how distributions are combined", []string{site.MethodAverage, site.MethodSearch})
	flags.Procs(cmd, &o.Site.Processors, "processors of the machine (default: the largest of the sites)")
	addByFlag(cmd, &o)
	addClassLimits(cmd, &typed, &o.LeastJobs)
	addSiteFitFlags(cmd, &typed, &o)
	addResultFlags(cmd, &o.result, false)
	flags.Groups(cmd,
		flags.Group("The model", "method", "procs", "output", "format"),
		flags.Group("How logs are fitted, as by 'loadstone fit'", append([]string{"by", "status", "least-jobs"}, siteFitFlags...)...),
	)
	flags.Common(cmd, "method", "procs", "by", "format", "output")
	return cmd
}

// someLogs is the arguments of a model of several logs.
func someLogs(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("want two or more model files or logs to average")
	}
	stdin := 0
	for _, name := range args {
		switch name {
		case "":
			return fmt.Errorf("a log's name is empty: want a file, or - for standard input")
		case "-":
			stdin++
		}
	}
	if stdin > 1 {
		return fmt.Errorf("standard input can be only one of the logs")
	}
	return nil
}

// checkModelFiles refuses what changes the fit of a log where there is none.
func (o *fitOptions) checkModelFiles(cmd *cobra.Command, a *app, what string) error {
	if slices.ContainsFunc(append([]string{o.input}, o.more...), func(in string) bool { return !a.isModel(in) }) {
		return nil
	}
	return flags.Unused(cmd, what, append([]string{"by", "status", "rounding", "max", "least-jobs"}, siteFitFlags...)...)
}

// runAverage makes one model of several logs and model files.
func runAverage(ctx context.Context, a *app, o fitOptions) error {
	inputs := append([]string{o.input}, o.more...)
	if err := a.notOver(inputs, o.output); err != nil {
		return err
	}
	var sites []survey.AveragedSite
	for _, input := range inputs {
		s, err := a.averaged(ctx, o, input)
		if err != nil {
			return err
		}
		sites = append(sites, s)
	}
	name := "representative"
	if o.output != "" {
		name = survey.ModelLine(survey.NameOf(strings.TrimSuffix(filepath.Base(o.output), filepath.Ext(o.output))))
	}
	r, err := survey.Average(sites, site.RepresentativeOptions{Name: name, Method: o.representative, Processors: o.Site.Processors})
	if err != nil {
		return err
	}
	if o.output == "" {
		return a.put(o.result, tables.Average(r))
	}
	err = a.writeFile(o.output, func(w io.Writer) error {
		if err := model.Encode(w, r.Model.Model.Site); err != nil {
			return err
		}
		return a.put(o.result, tables.Average(r))
	})
	if err == nil {
		a.note("%s: model of %d sites", o.output, len(sites))
	}
	return err
}

// averaged is the model of one input: a file, or fitted to a log.
func (a *app) averaged(ctx context.Context, o fitOptions, input string) (survey.AveragedSite, error) {
	s := survey.AveragedSite{Input: input}
	if a.isModel(input) {
		m, err := a.loadModel(input)
		s.Model = survey.ModelFile{Site: m}
		return s, err
	}
	o.input = input
	if o.Site.PForm == site.FormLikeliest {
		o.Site.PForm = site.FormLinear // the paper averages the lines through groups
	}
	r, err := a.fitModel(ctx, o)
	if err != nil {
		return s, err
	}
	s.Model, s.Fit = survey.ModelFile{Site: r.Model}, r.Site
	return s, nil
}

// fitModel fits the model of the site alone to a log.
func (a *app) fitModel(ctx context.Context, o fitOptions) (*survey.Result, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	o.Model, o.NoLaws = true, true
	r, err := survey.Compute(ctx, log, o.Options)
	if err == nil {
		err = r.WhyNoModel
	}
	if err != nil {
		return nil, about(o.input, err)
	}
	a.warnAll(o.input, r.Warnings)
	a.tell(o.input, present.ModelRemarks(r))
	return r, nil
}

// noteEstimates says that a model has the log's requested times.
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
