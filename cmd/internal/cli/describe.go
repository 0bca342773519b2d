package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type describeOptions struct {
	Sections []string         `opt:"section" all:"true" common:"true" help:"sections to print (default summary,columns)"` // none: the default ones
	Every    reshape.Interval `opt:"interval" default:"1w" common:"true" help:"<length> of the load's intervals: a number with unit s, m, h, d or w"`
	inspect.DescribeOptions
	Plots    plotOptions `of:"submissions over time"`
	WaitFrom countFrom
	Result   resultOptions

	input string
}

// Choices are the values of options that take one of some.
func (o *describeOptions) Choices(option string) []string {
	if option == "section" {
		return tables.Sections
	}
	return nil
}

// choose asks for what the sections show; the load is in intervals of so many
// seconds.
func (o *describeOptions) choose(interval float64) {
	has := func(section string) bool { return slices.Contains(o.Sections, section) }
	o.Known, o.Arrivals, o.SizeGroups = has(tables.KnownSection), has(tables.ArrivalsSection), has(tables.SizesSection)
	if has(tables.LoadSection) {
		o.Interval = interval
	}
}

func newDescribeCmd(a *app, run func(context.Context, *app, describeOptions) error) *cobra.Command {
	var o describeOptions
	cmd := &cobra.Command{
		Use:   "describe LOG",
		Short: "Summarise a log",
		Long: `Reads a job log once and prints a summary (period, machine, users, offered load)
and a table of its columns: how many jobs have a value, mean, quartiles, range.
--section chooses other tables, and --by compares classes of jobs or months.`,
		Annotations: map[string]string{flags.Details: `Sections:
  summary       machine and period, users and sites, serial and parallel jobs,
                offered load, and one line each from columns and known
  columns       for each measured column: in how many jobs it is known, mean,
                coefficient of variation, quartiles and range. "size_processors"
                is the number of processors allocated or, if unknown, requested
  known         the share of jobs in which each column is known
  arrivals      submissions by hour and weekday, in the site's time zone
  load          offered load (work over capacity) in each --interval
  bursts        submissions per five minutes, hour and day: maximum, index of
                dispersion (variance over mean; 1 for a Poisson process) and
                autocorrelation, also of interarrival times
  sizes         correlation of size and run time (Pearson's, of ranks and of
                logarithms), and run times in eight groups of sizes with about
                equal numbers of jobs
  all           every section

JSON has the summary, the columns and the sections asked for. CSV holds one
table: that of --by, or of the one --section (for summary, one row for the log).

Quantiles and ranks are exact for up to a million values. Above that they are
estimated from a sketch, and the output says so.`},
		Example: `  loadstone describe KTH-SP2-1996.swf.gz
  loadstone describe kth.parquet --section load --interval 1d --format csv
  loadstone describe sdsc.parquet --by queue
  loadstone describe sdsc.parquet --by month
  loadstone describe lcg.swf.gz --section bursts --plots pictures`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if o.Every.Months > 0 {
				return flags.Usagef(cmd, "--interval %v: want intervals of one length, in s, m, h, d or w, such as 12h; --by month has months", &o.Every)
			}
			if cmd.Flags().Changed("interval") {
				if len(o.Sections) > 0 && !slices.Contains(o.Sections, tables.LoadSection) {
					return flags.Usagef(cmd, "--interval is for the section load: add load to --section")
				}
				if len(o.Sections) == 0 {
					o.Sections = []string{tables.SummarySection, tables.LoadSection}
				}
			}
			csv := o.Result.Format == "csv" || strings.EqualFold(filepath.Ext(o.Result.Output), ".csv")
			if csv && o.By == "" && len(o.Sections) > 1 {
				return flags.Usagef(cmd, "CSV holds one table: want one section, saw %s", strings.Join(o.Sections, ","))
			}
			o.choose(o.Every.Seconds + 86400*float64(o.Every.Days))
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runDescribe(ctx context.Context, a *app, o describeOptions) error {
	if err := a.notOver([]string{o.input}, o.Result.Output); err != nil {
		return err
	}
	d, err := describeLog(ctx, a, o)
	if err != nil {
		return err
	}
	a.warnAll(o.input, d.Warnings)
	if o.Plots.Folder != "" {
		if err := a.drawAll(o.Plots, figure.OfDescription(d)); err != nil {
			return err
		}
	}
	return a.put(o.Result, tables.Description(d, o.Sections))
}

// describeLog opens, describes and closes a log.
func describeLog(ctx context.Context, a *app, o describeOptions) (*inspect.Description, error) {
	log, err := a.open(o.input)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	d, err := inspect.Describe(ctx, log, o.DescribeOptions)
	return d, about(o.input, err)
}
