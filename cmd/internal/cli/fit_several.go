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
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/model"
)

// checkSeveral reads what is asked of several inputs: with --form lublin2003 one model of
// them all, else their distributions side by side.
func (o *fitOptions) checkSeveral(cmd *cobra.Command, a *app) error {
	inputs := o.inputs()
	if len(inputs) == 1 {
		if err := flags.Unused(cmd, "one log", "combine"); err != nil || o.Show != tables.SiteNone || o.Output != "" || o.Plots.Folder != "" {
			return err
		}
		return flags.Unused(cmd, "--site none", append(siteFitFlags, "procs")...)
	}
	lawsOfOne := []string{"tests", "subsamples", "replicates", "intervals", "censored", "family", "attribute", "components"}
	if o.average = cmd.Flags().Changed("form") && o.Form == formPaper; !o.average {
		if o.Output != "" {
			return flags.Usagef("%d logs: a model of users is of one: want --form %s for one model of several", len(inputs), formPaper)
		}
		for _, input := range inputs {
			if a.isModel(input) {
				return flags.Usagef("%s: want a log, to which distributions are fitted, not a model; --form %s makes one model of several", input, formPaper)
			}
		}
		o.Show = tables.SiteNone
		return flags.Unused(cmd, "several logs, of which the distributions are shown", append(siteFlagNames(), "procs", "plots", "combine")...)
	}
	if err := flags.Unused(cmd, "several logs, to which only the model of each site is fitted", append(lawsOfOne, "site", "site-replicates", "seed", "plots", "no-check")...); err != nil {
		return err
	}
	if slices.ContainsFunc(inputs, func(in string) bool { return !a.isModel(in) }) {
		return nil
	}
	return flags.Unused(cmd, "model files alone, which fits no log", append([]string{"by", "status", "least-jobs"}, siteFitFlags...)...)
}

// inputs are all logs and model files.
func (o *fitOptions) inputs() []string { return append([]string{o.input}, o.more...) }

// someLogs checks that there is a log, or several.
func someLogs(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return new(oneLog).args(args)
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

// runFitSeveral fits distributions to each of several logs.
func runFitSeveral(ctx context.Context, a *app, o fitOptions) error {
	var fits []*survey.Result
	for _, input := range o.inputs() {
		o.input = input
		r, err := a.fitLog(ctx, o)
		if r != nil {
			a.warnAll(input, r.Warnings)
		}
		if err != nil {
			return err
		}
		fits = append(fits, r)
		a.tell(input, view.FitRemarks(r))
	}
	return a.put(o.Result, tables.Fits(fits))
}

// runAverage makes one model of several logs and model files.
func runAverage(ctx context.Context, a *app, o fitOptions) error {
	inputs := o.inputs()
	if err := a.notOver(inputs, o.Output); err != nil {
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
	if o.Output != "" {
		name = survey.ModelLine(survey.NameOf(strings.TrimSuffix(filepath.Base(o.Output), filepath.Ext(o.Output))))
	}
	r, err := survey.Average(sites, site.RepresentativeOptions{Name: name, Method: o.Combine, Processors: o.Site.Processors})
	if err != nil {
		return err
	}
	if o.Output == "" {
		return a.put(o.Result, tables.Average(r))
	}
	err = a.writeFile(o.Output, func(w io.Writer) error {
		if err := model.Encode(w, r.Model.Model.Site); err != nil {
			return err
		}
		return a.put(o.Result, tables.Average(r))
	})
	if err == nil {
		a.note("%s: model of %d sites", o.Output, len(sites))
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
	a.tell(o.input, view.ModelRemarks(r))
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
