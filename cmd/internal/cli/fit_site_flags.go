package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
)

// addSiteFlags adds the flags of the site's model.
func addSiteFlags(cmd *cobra.Command, f *fitFlags, all *fitOptions) {
	addSiteFitFlags(cmd, f, all)
	flags.Enum(cmd, &all.show, "site", "how much of the site's model to print", []string{tables.SiteBrief, tables.SiteFull, tables.SiteNone})
	cmd.Flags().IntVar(&all.SiteReplicates, "site-replicates", 0, "draws of the log's weeks, each fitted as the log is, for 95% intervals of the site's parameters; 39 or more")
	flags.Enum(cmd, &all.combine, "combine", "of several sites: how their distributions make those of one model", []string{site.MethodAverage, site.MethodSearch})
}

// siteFitFlags are the names of addSiteFitFlags.
var siteFitFlags = []string{"interactive", "automatic-peak", "p-form", "size-ranges", "min-gap"}

// addSiteFitFlags adds the flags that say how a site's model is fitted to a log.
func addSiteFitFlags(cmd *cobra.Command, f *fitFlags, all *fitOptions) {
	set, o := cmd.Flags(), &all.Site
	o.PForm = site.FormLikeliest
	set.StringVar(&f.interactive, "interactive", "", "fit interactive and batch jobs separately: `column=value,...` of the interactive jobs, such as queue_id=0 or partition_id=interactive")
	set.StringSliceVar(&f.peaks, "automatic-peak", nil, "`times` of day at which a program submits, left out of the daily cycle: such as 3:00-4:00")
	flags.Enum(cmd, &o.PForm, "p-form", "how the share of the first Gamma of run times depends on the size: by the likeliest line or constant, or a form through groups of sizes (linear: the paper's)", []string{site.FormLikeliest, site.FormLinear, site.FormLogOdds, site.FormConstant})
	set.StringVar(&f.sizeRanges, "size-ranges", "", "`ranges` of sizes whose run times and work are fitted separately, such as 1-4,5-100 (default: up to three of about equal numbers of jobs)")
	set.Float64Var(&o.MinGap, "min-gap", 1, "interarrival times up to this, in seconds, are left out of the site's model")
}

// siteFlagNames are the flags that change nothing but the site's model.
func siteFlagNames() []string { return append([]string{"site", "site-replicates"}, siteFitFlags...) }

// readSite puts what was typed of the site into the options.
func (f *fitFlags) readSite(cmd *cobra.Command, o *fitOptions) error {
	if err := flags.CheckBy(cmd, o.Named, &o.By); err != nil {
		return err
	}
	if f.interactive != "" {
		column, list, ok := strings.Cut(f.interactive, "=")
		if !ok {
			return flags.Usagef(cmd, "--interactive %s: want column=value,...", f.interactive)
		}
		i := survey.Interactive{Column: strings.TrimSpace(column)}
		for _, v := range strings.Split(list, ",") {
			i.Values = append(i.Values, strings.TrimSpace(v))
		}
		if err := flags.EachOnce(i.Values); err != nil {
			return flags.Usagef(cmd, "--interactive %s: %w", f.interactive, err)
		}
		o.Interactive = &i
	}
	if err := flags.EachOnce(f.peaks); err != nil {
		return flags.Usagef(cmd, "--automatic-peak: %w", err)
	}
	for _, text := range f.peaks {
		p, err := parsePeak(text)
		if err != nil {
			return flags.Usagef(cmd, "--automatic-peak %s: %w", text, err)
		}
		o.Site.AutomaticPeaks = append(o.Site.AutomaticPeaks, p)
	}
	var err error
	if o.Site.SizeRanges, err = parseRanges(f.sizeRanges); err != nil {
		return flags.Usagef(cmd, "--size-ranges %s: %w", f.sizeRanges, err)
	}
	if o.SiteReplicates != 0 && o.show == tables.SiteNone {
		return flags.Usagef(cmd, "--site-replicates does not go with --site none")
	}
	return nil
}

// parsePeak reads a time of day such as 3:00-4:00.
func parsePeak(text string) (site.AutomaticPeak, error) {
	p := site.AutomaticPeak{Name: text}
	from, to, ok := strings.Cut(text, "-")
	if !ok {
		return p, fmt.Errorf("want two times of day, such as 3:00-4:00")
	}
	var err error
	if p.From, err = parseHalfHour(from); err != nil {
		return p, err
	}
	if p.To, err = parseHalfHour(to); err != nil {
		return p, err
	}
	if p.From >= p.To {
		return p, fmt.Errorf("it ends before it begins: want two times of one day, such as 3:00-4:00")
	}
	return p, nil
}

// parseHalfHour reads a full or half hour of the day, from 0:00 to 24:00.
func parseHalfHour(text string) (float64, error) {
	text = strings.TrimSpace(text)
	hour, minute, ok := strings.Cut(text, ":")
	h, err := strconv.Atoi(hour)
	if !ok || err != nil || h < 0 || h > 24 || minute != "00" && minute != "30" || h == 24 && minute != "00" {
		return 0, fmt.Errorf("saw %q, want a full or half hour from 0:00 to 24:00", text)
	}
	if minute == "30" {
		return float64(h) + 0.5, nil
	}
	return float64(h), nil
}

// parseRanges reads ranges of sizes such as 1-4,5-100.
func parseRanges(text string) ([]fit.SizeRange, error) {
	if text == "" {
		return nil, nil
	}
	var ranges []fit.SizeRange
	for _, part := range strings.Split(text, ",") {
		part = strings.TrimSpace(part)
		from, to, dash := strings.Cut(part, "-")
		if !dash {
			to = from
		}
		a, err1 := strconv.ParseInt(from, 10, 64)
		b, err2 := strconv.ParseInt(to, 10, 64)
		if err1 != nil || err2 != nil || a < 1 || b < a {
			return nil, fmt.Errorf("saw %q, want a size, or two such as 5-100", part)
		}
		ranges = append(ranges, fit.SizeRange{From: a, To: b})
	}
	return ranges, nil
}
