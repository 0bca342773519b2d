package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/fit/survey"
	"github.com/loadstone-hpc/loadstone/workload"
)

// siteFitFlags are the flags that say how a site's model is fitted to a log.
var siteFitFlags = []string{"interactive", "automatic-peak", "p-form", "size-ranges", "min-gap"}

// siteFlagNames are the flags that change nothing but the site's model.
func siteFlagNames() []string { return append([]string{"site", "site-replicates"}, siteFitFlags...) }

// read reads the texts among the options.
func (o *fitOptions) read(cmd *cobra.Command) error {
	if o.Fit.ChooseComponents = o.Components == "auto"; !o.Fit.ChooseComponents {
		n, err := strconv.Atoi(o.Components)
		if err != nil || n < 2 || n > dist.MaxComponents {
			return flags.Usagef("--components: saw %q, want 2 to %d, or auto", o.Components, dist.MaxComponents)
		}
		o.Fit.Components = n
	}
	if text := o.InteractiveJobs; text != "" {
		column, list, ok := strings.Cut(text, "=")
		if !ok {
			return flags.Usagef("--interactive %s: want column=value,...", text)
		}
		o.Interactive = &survey.Interactive{Column: strings.TrimSpace(column), Values: workload.SplitList(list)}
		if err := flags.EachOnce(o.Interactive.Values); err != nil {
			return flags.Usagef("--interactive %s: %w", text, err)
		}
	}
	for _, text := range o.Peaks {
		p, err := parsePeak(text)
		if err != nil {
			return flags.Usagef("--automatic-peak %s: %w", text, err)
		}
		o.Site.AutomaticPeaks = append(o.Site.AutomaticPeaks, p)
	}
	var err error
	if o.Site.SizeRanges, err = parseRanges(o.SizeRanges); err != nil {
		return flags.Usagef("--size-ranges %s: %w", o.SizeRanges, err)
	}
	if o.SiteReplicates != 0 && o.Show == tables.SiteNone {
		return flags.Usagef("--site-replicates does not go with --site none")
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
