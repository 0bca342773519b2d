package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type describeOptions struct {
	input      string
	processors int64
	sections   []string // none: the default ones
	interval   float64  // s, of the load over time
	by         string
	plots      string
	result     resultOptions
}

// The sections of a description.
const (
	summarySection      = "summary"
	columnsSection      = "columns"
	knownSection        = "known"
	arrivalsSection     = "arrivals"
	loadSection         = "load"
	burstsSection       = "bursts"
	sizesSection        = "sizes"
	stationaritySection = "stationarity"
)

var (
	describeSections = []string{summarySection, columnsSection, knownSection, arrivalsSection, loadSection, burstsSection, sizesSection, stationaritySection}
	defaultSections  = []string{summarySection, columnsSection}
)

const week = 7 * 86400.0

// byColumns are what --by takes: any column but the number of the job, of which
// every job has its own.
func byColumns() []string {
	var names []string
	for i, c := range workload.Columns() {
		if i != workload.ColJobID {
			names = append(names, c.Name)
		}
	}
	return names
}

func newDescribeCmd(a *app, run func(context.Context, *app, describeOptions) error) *cobra.Command {
	o := describeOptions{interval: week}
	var interval string
	cmd := &cobra.Command{
		Use:   "describe IN",
		Short: "Say who, what, when and how many, and what is missing",
		Long: `Reads a job log once and summarises it. --section chooses what is shown:

  summary       the machine and the period, users and sites, serial and parallel
                jobs, the offered load, and a line each of the next two
  columns       for every measured column in how many jobs it is known, its mean,
                coefficient of variation, quartiles and range; "size_processors" is
                the processors of a job: those allocated, else those asked for
  known         in what share of the jobs each column is known
  arrivals      submissions by hour and weekday, by the clock of the site
  load          offered load, work over what the machine could do, in each --interval
  bursts        submissions per five minutes, hour and day: the highest, the index
                of dispersion (variance over mean: 1 for a Poisson process), and
                autocorrelations, of interarrival times too
  sizes         correlation of size and run time, plain, of ranks and of logarithms,
                and the run times of eight groups of sizes of about equal job counts
  stationarity  augmented Dickey-Fuller test of the run times, in order of submission,
                of the whole log, of the busiest users, and of users' applications: a
                small p-value says that they keep returning to one mean
  all           all of them

The default is summary and columns. --by COLUMN summarises the jobs with each value
of a column. JSON has the summary, the columns and all that is asked for; CSV holds
one table: of --by, or of the one --section (of summary: one row for the log).

Quantiles are exact up to a million values and otherwise from a sketch, as the
output then says; so are ranks. --plots draws submissions per five minutes over time.`,
		Example: `  loadstone describe KTH-SP2-1996.swf.gz
  loadstone describe kth.parquet --section all --format json
  loadstone describe kth.parquet --section load --interval 1d --format csv
  loadstone describe sdsc.parquet --by queue_id
  loadstone describe lcg.swf.gz --section bursts --plots pictures`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			if o.by != "" && !slices.Contains(byColumns(), o.by) {
				return usagef(cmd, "--by %s: want one of %s", o.by, strings.Join(byColumns(), ", "))
			}
			if slices.Contains(o.sections, "all") {
				o.sections = describeSections
			}
			if cmd.Flags().Changed("interval") {
				every, err := reshape.ParseInterval(interval)
				if err != nil || every.Months > 0 {
					return usagef(cmd, "--interval %s: want a number with one of the units s, m, h, d and w, such as 12h", interval)
				}
				o.interval = every.Seconds + 86400*float64(every.Days)
				if len(o.sections) > 0 && !slices.Contains(o.sections, loadSection) {
					return usagef(cmd, "--interval is of the section load: add it to --section")
				}
				if len(o.sections) == 0 {
					o.sections = []string{summarySection, loadSection}
				}
			}
			csv := o.result.format == "csv" || strings.EqualFold(filepath.Ext(o.result.output), ".csv")
			if csv && o.by == "" && len(o.sections) > 1 {
				return usagef(cmd, "CSV holds one table: want one section, saw %s", strings.Join(o.sections, ","))
			}
			return run(cmd.Context(), a, o)
		},
	}
	procsFlag(cmd, &o.processors, "processors of the machine (default: the header's)")
	enumsFlag(cmd, &o.sections, "section", "what is shown (default summary,columns)", append(slices.Clone(describeSections), "all"))
	cmd.Flags().StringVar(&interval, "interval", "1w", "width of the intervals of the load: a number with unit s, m, h, d or w")
	cmd.Flags().StringVar(&o.by, "by", "", "summarise the jobs with each value of this column, such as user_id, queue_id or status")
	complete(cmd, "by", byColumns())
	cmd.Flags().StringVar(&o.plots, "plots", "", "draw submissions over time into this folder, as submissions.svg")
	addResultFlags(cmd, &o.result, true)
	return cmd
}

func runDescribe(ctx context.Context, a *app, o describeOptions) error {
	if err := a.notOver([]string{o.input}, o.result.output, o.picture()); err != nil {
		return err
	}
	log, d, err := describeLog(ctx, a, o)
	if err != nil {
		return err
	}
	if o.plots != "" {
		if err := a.drawAll(o.plots, figure.OfDescription(&log.Header, log.Name, d)); err != nil {
			return err
		}
	}
	return a.put(o.result, describeResult(log, d, o))
}

// describeLog reads a log, which it closes.
func describeLog(ctx context.Context, a *app, o describeOptions) (*workload.Log, inspect.Description, error) {
	var none inspect.Description
	log, err := a.open(o.input)
	if err != nil {
		return nil, none, err
	}
	defer log.Close()
	ask := inspect.DescribeOptions{
		Processors:   o.processors,
		Arrivals:     slices.Contains(o.sections, arrivalsSection),
		SizeGroups:   slices.Contains(o.sections, sizesSection),
		Stationarity: slices.Contains(o.sections, stationaritySection),
		By:           o.by,
	}
	if ask.Processors == 0 {
		ask.Processors, _ = log.Header.Processors()
	}
	if slices.Contains(o.sections, loadSection) {
		ask.Interval = o.interval
	}
	ask.Clock, _ = log.Header.Clock()
	d, err := inspect.Describe(workload.Until(ctx, log.Batches()), ask)
	if err != nil {
		return nil, none, err
	}
	if d.By != nil && len(d.By.Values) == 1 && d.By.Values[0].Value == "" {
		return nil, none, fmt.Errorf("%s: no job has a %s to describe by", o.input, o.by)
	}
	a.warnAll(o.input, log.Warnings())
	for _, c := range d.Columns {
		if far := c.Known - d.Bursts.Jobs; c.Name == "submit_time_s" && far > 0 {
			a.warn("%s: %d submissions are beyond 1e15 s, 32 million years, and count as unknown", o.input, far)
		}
	}
	if n := d.Bursts.LeftOut; n > 0 {
		a.warn("%s: %d jobs stand more than %d jobs too late: bursts and stationarity leave them out", o.input, n, workload.OrderWindow)
	}
	return log, d, nil
}

// picture is the file that --plots writes, "" without it.
func (o describeOptions) picture() string {
	if o.plots == "" {
		return ""
	}
	return filepath.Join(o.plots, figure.SubmissionsName+".svg")
}
