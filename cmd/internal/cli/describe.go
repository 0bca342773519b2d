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
	inspect.DescribeOptions
	input    string
	sections []string // none: the default ones
	plots    plotOptions
	result   resultOptions
}

const week = 7 * 86400.0

// choose asks for what the sections show; the load is in intervals of so many
// seconds.
func (o *describeOptions) choose(interval float64) {
	has := func(section string) bool { return slices.Contains(o.sections, section) }
	o.Known, o.Arrivals, o.SizeGroups = has(tables.KnownSection), has(tables.ArrivalsSection), has(tables.SizesSection)
	if has(tables.LoadSection) {
		o.Interval = interval
	}
}

func newDescribeCmd(a *app, run func(context.Context, *app, describeOptions) error) *cobra.Command {
	var o describeOptions
	var interval string
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
			if err := flags.CheckProcs(cmd, o.Processors); err != nil {
				return err
			}
			if slices.Contains(o.sections, "all") {
				o.sections = tables.Sections
			}
			seconds := week
			if cmd.Flags().Changed("interval") {
				every, err := reshape.ParseInterval(interval)
				if err != nil || every.Months > 0 {
					return flags.Usagef(cmd, "--interval %s: want a number with one of the units s, m, h, d and w, such as 12h", interval)
				}
				seconds = every.Seconds + 86400*float64(every.Days)
				if len(o.sections) > 0 && !slices.Contains(o.sections, tables.LoadSection) {
					return flags.Usagef(cmd, "--interval is for the section load: add load to --section")
				}
				if len(o.sections) == 0 {
					o.sections = []string{tables.SummarySection, tables.LoadSection}
				}
			}
			if err := flags.CheckBy(cmd, o.Named, &o.By); err != nil {
				return err
			}
			csv := o.result.format == "csv" || strings.EqualFold(filepath.Ext(o.result.output), ".csv")
			if csv && o.By == "" && len(o.sections) > 1 {
				return flags.Usagef(cmd, "CSV holds one table: want one section, saw %s", strings.Join(o.sections, ","))
			}
			o.choose(seconds)
			if err := o.Validate(); err != nil {
				return flags.OptionFault(cmd, err)
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Procs(cmd, &o.Processors, "processors of the machine (default: the header's)")
	flags.Enums(cmd, &o.sections, "section", "sections to print (default summary,columns)", append(slices.Clone(tables.Sections), "all"))
	cmd.Flags().StringVar(&interval, "interval", "1w", "`length` of the load's intervals: a number with unit s, m, h, d or w")
	flags.By(cmd, &o.By, &o.Named, "summarise the jobs of each class, or by month", inspect.ByWords)
	addPlotFlags(cmd, &o.plots, "submissions over time")
	a.addWaitFrom(cmd)
	addResultFlags(cmd, &o.result, true)
	flags.Common(cmd, "section", "by", "interval", "procs", "plots", "format", "output")
	return cmd
}

func runDescribe(ctx context.Context, a *app, o describeOptions) error {
	if err := a.notOver([]string{o.input}, o.result.output); err != nil {
		return err
	}
	d, err := describeLog(ctx, a, o)
	if err != nil {
		return err
	}
	a.warnAll(o.input, d.Warnings)
	if o.plots.folder != "" {
		if err := a.drawAll(o.plots, figure.OfDescription(d)); err != nil {
			return err
		}
	}
	return a.put(o.result, tables.Description(d, o.sections))
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
