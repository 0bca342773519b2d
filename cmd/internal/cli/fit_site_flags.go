package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
)

// byKind is --by's word for interactive and batch jobs.
const byKind = "kind"

// How much of the site's model is printed.
const (
	siteBrief = "brief"
	siteFull  = "full"
	siteNone  = "none"
)

// siteFlags are the options of a site's fit as they are typed.
type siteFlags struct {
	show                  string // siteBrief, siteFull or siteNone
	interactive           string // column=value,...
	representative        string // method; "" for none
	peaks                 []string
	sizeRanges, form      string
	minGap, maxGap, short float64
	replicates            int    // of the intervals; 0 for none
	column                string // of interactive, "" where the header is to say
	values                []string
	automatic             []site.AutomaticPeak
	ranges                []fit.SizeRange
}

func addSiteFlags(cmd *cobra.Command, f *siteFlags) {
	flags := cmd.Flags()
	f.show, f.form = siteBrief, site.FormLikeliest
	enumFlag(cmd, &f.show, "site", "how much of the site's model is printed", []string{siteBrief, siteFull, siteNone})
	flags.StringVar(&f.interactive, "interactive", "", "fit interactive and batch jobs apart: column=value,... that tells interactive jobs, such as queue_id=0 or partition_id=interactive")
	enumFlag(cmd, &f.representative, "representative", "make one model of several logs or model files", []string{site.MethodAverage, site.MethodSearch})
	flags.StringSliceVar(&f.peaks, "automatic-peak", nil, "times of day at which a program submits, left out of the daily cycle: such as 3:00-4:00")
	enumFlag(cmd, &f.form, "p-form", "how the share of the first Gamma of run times depends on the size: by the likeliest line or constant, or a form through groups of sizes (linear: the paper's)", []string{site.FormLikeliest, site.FormLinear, site.FormLogOdds, site.FormConstant})
	flags.StringVar(&f.sizeRanges, "size-ranges", "", "sizes whose run times and work are fitted apart, such as 1-4,5-100 (default: up to three of about equal numbers of jobs)")
	flags.Float64Var(&f.minGap, "min-gap", 1, "interarrival times up to so many seconds are left out of the site's model")
	flags.Float64Var(&f.maxGap, "max-gap", 0, "interarrival times above so many seconds are left out of it too; 0 for none")
	flags.IntVar(&f.replicates, "site-replicates", 0, "draws of the log's weeks, each fitted as the log is, for 95% intervals of the site's parameters; 39 or more")
	flags.Float64Var(&f.short, "short-gap", 0, "what an interarrival time up to --min-gap counts as, in seconds, in place of being left out")
}

// siteFlagNames are the flags that change nothing but the site's model.
func siteFlagNames() []string {
	return []string{"site", "interactive", "automatic-peak", "p-form", "size-ranges", "min-gap", "max-gap", "short-gap", "site-replicates"}
}

// check reads what was typed.
func (f *siteFlags) check(cmd *cobra.Command, by string) error {
	if f.interactive != "" {
		column, list, ok := strings.Cut(f.interactive, "=")
		if f.column = strings.TrimSpace(column); !ok || !slices.Contains(model.Columns(), f.column) {
			return usagef(cmd, "--interactive %s: want column=value,... with one of the columns %s", f.interactive, strings.Join(model.Columns(), ", "))
		}
		for _, v := range strings.Split(list, ",") {
			if v = strings.TrimSpace(v); v == "" {
				return usagef(cmd, "--interactive %s: a value is empty", f.interactive)
			}
			f.values = append(f.values, v)
		}
		if err := eachOnce(f.values); err != nil {
			return usagef(cmd, "--interactive %s: %w", f.interactive, err)
		}
		if by != "" && by != byKind {
			return usagef(cmd, "--by %s: interactive and batch jobs are the classes of --interactive", by)
		}
	}
	if err := eachOnce(f.peaks); err != nil {
		return usagef(cmd, "--automatic-peak: %w", err)
	}
	for _, text := range f.peaks {
		p, err := parsePeak(text)
		if err != nil {
			return usagef(cmd, "--automatic-peak %s: %w", text, err)
		}
		f.automatic = append(f.automatic, p)
	}
	var err error
	if f.ranges, err = parseRanges(f.sizeRanges); err != nil {
		return usagef(cmd, "--size-ranges %s: %w", f.sizeRanges, err)
	}
	switch {
	case f.replicates != 0 && (f.replicates < leastReplicates || f.replicates > mostReplicates):
		return usagef(cmd, "--site-replicates %d: want 0, or %d to %d: fewer leave no draw beyond the ends of a 95%% interval", f.replicates, leastReplicates, mostReplicates)
	case f.replicates != 0 && f.show == siteNone:
		return usagef(cmd, "--site-replicates does not go with --site none")
	case !(f.minGap >= 1):
		return usagef(cmd, "--min-gap %g: want 1 or more: the logarithm of a gap must be above 0", f.minGap)
	case f.short != 0 && !(f.short > 1):
		return usagef(cmd, "--short-gap %g: want more than 1, or 0 to leave short gaps out", f.short)
	case f.maxGap != 0 && !(f.maxGap > f.minGap):
		return usagef(cmd, "--max-gap %g: want more than --min-gap, %g, or 0 for no limit", f.maxGap, f.minGap)
	}
	if err := f.options().Validate(); err != nil {
		return usagef(cmd, "%w", err)
	}
	return nil
}

// options are those of a site's fit but for its name.
func (f *siteFlags) options() site.Options {
	return site.Options{
		MinGap: f.minGap, MaxGap: f.maxGap, ShortGap: f.short,
		AutomaticPeaks: f.automatic, PForm: f.form, SizeRanges: f.ranges,
	}
}

// kinds says what tells interactive from batch jobs; false where the jobs are
// not to be told apart so.
func (f *siteFlags) kinds(by string, h *workload.Header) (k fit.Kinds, asked bool, err error) {
	switch {
	case f.column == "" && by != byKind:
		return k, false, nil
	case f.column == "":
		k, ok := fit.FindKinds(h)
		if !ok {
			return k, true, fmt.Errorf("--by kind: no partition or queue in the header is called interactive: want --interactive column=value,... to say which jobs are")
		}
		return k, true, nil
	}
	k.Column = f.column
	names := h.NamesOf(f.column)
	for _, text := range f.values {
		v, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			k.Interactive = append(k.Interactive, v)
			continue
		}
		found := false
		for v, name := range names {
			if name == text {
				k.Interactive, found = append(k.Interactive, v), true
			}
		}
		if !found {
			return k, true, fmt.Errorf("--interactive: %s has no value called %q in the header: want a number%s", f.column, text, offered(names))
		}
	}
	slices.Sort(k.Interactive)
	return k, true, nil
}

func offered(names map[int64]string) string {
	if len(names) == 0 {
		return ""
	}
	var all []string
	for _, name := range names {
		all = append(all, name)
	}
	slices.Sort(all)
	const most = 12
	if len(all) > most {
		all = append(all[:most], "...")
	}
	return ", or one of " + strings.Join(all, ", ")
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
