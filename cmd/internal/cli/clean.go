package cli

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type cleanOptions struct {
	Filters []string `opt:"filter" repeat:"true" common:"true" help:"remove the jobs that match this <filter> (see --list); repeatable"` // with commas of their own
	Removed string   `opt:"removed" file:"write" common:"true" help:"write the removed jobs to this CSV <file>: job, row, filter, reason"`
	List    bool     `opt:"list" common:"true" help:"list the filters, their parameters, and the fields of conditions"`
	Jobs    jobsOptions

	input   string
	filters []reshape.Filter
}

func newCleanCmd(a *app, run func(context.Context, *app, cleanOptions) error) *cobra.Command {
	var o cleanOptions
	cmd := &cobra.Command{
		Use:   "clean LOG --filter FILTER... [-o OUT]",
		Short: "Remove jobs from a log and record why",
		Long: `Removes the jobs that match a filter. With several filters, each sees the jobs
that the ones before it kept. The counts of removed jobs go to standard error
and into the header.

` + tables.FilterSyntax + ` --list shows all filters.`,
		Annotations: map[string]string{flags.Details: `The header records the removed jobs as the cleaned logs of the Parallel
Workloads Archive do ("THIS IS A CLEANED VERSION OF THE LOG!"). MaxJobs,
MaxRecords and EndTime are recomputed where they changed, and a Note says so.

` + tables.FiltersHelp()},
		Example: `  loadstone clean log.swf --filter 'status=0,5' --filter flurries -o clean.swf
  loadstone clean log.swf --filter 'user=3 and proc=1' --removed gone.csv \
      -o clean.parquet
  loadstone clean log.swf --filter 'keep queue=batch' \
      --filter 'window from=2024-01-01 to=2024-07-01' -o half.swf
  loadstone clean --list`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.List {
				return cobra.NoArgs(cmd, args)
			}
			return new(oneLog).args(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.List {
				return run(cmd.Context(), a, o)
			}
			o.input = args[0]
			for _, text := range o.Filters {
				f, err := reshape.ParseFilter(text)
				if err != nil {
					return flags.Usagef("%v", err)
				}
				o.filters = append(o.filters, f)
			}
			if len(o.filters) == 0 {
				return flags.Usagef("want at least one --filter; --list shows them")
			}
			// The cleaned log may take the place of the log itself.
			for _, err := range []error{a.notOver([]string{o.input}, o.Removed), a.notOver(nil, o.Removed, o.Jobs.Output)} {
				if err != nil {
					return err
				}
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

func runClean(ctx context.Context, a *app, o cleanOptions) error {
	if o.List {
		return a.put(resultOptions{Format: listFormat(o.Jobs.Format), Output: o.Jobs.Output}, tables.Filters())
	}
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	var c *reshape.Cleaned
	err = a.removals(o.Removed, func(removed func(reshape.Removal) error) error {
		c = reshape.Clean(ctx, log, o.filters, removed)
		return a.putChanged(ctx, o.Jobs, log.Header, log.Optional(), c.Jobs, func() workload.Header { return c.Header("loadstone clean") })
	})
	if err != nil {
		return err
	}
	a.warnAll(o.input, c.Warnings())
	for _, f := range c.Outcomes {
		a.note("%s: %d removed%s", f.Filter, f.Removed, mergedText(f.Merged))
	}
	a.note("%s: %d of %d records stay", o.input, c.Kept, c.Records)
	return nil
}

func mergedText(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d merged from parts", n)
}

// listFormat is the form of the list: there are no jobs to write as a log.
func listFormat(format string) string {
	if format == "swf" {
		return "table"
	}
	return format
}

// removals calls run with what writes a job that is taken out, as they come, to a file
// for spreadsheets and scripts, if there is a path.
func (a *app) removals(path string, run func(removed func(reshape.Removal) error) error) error {
	switch path {
	case "":
		return run(func(reshape.Removal) error { return nil })
	case "-":
		return flags.Usage(errors.New("--removed -: want a file"))
	}
	return a.writeNamed(path, func(w io.Writer) error {
		table := csv.NewWriter(w)
		err := cmp.Or(table.Write([]string{"job_id", "row", "filter", "reason"}), run(func(r reshape.Removal) error {
			id := ""
			if r.Job != workload.Unknown {
				id = strconv.FormatInt(r.Job, 10)
			}
			return table.Write([]string{id, strconv.FormatInt(r.Row, 10), r.Filter, workload.SpreadsheetText(r.Reason)})
		}))
		table.Flush()
		return cmp.Or(err, table.Error())
	})
}
