package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// jobsOptions say where a job table goes, and as what.
type jobsOptions struct {
	format string
	output string
	strict bool   // what the format cannot hold is an error
	batsim string // version of Batsim that a workload file of its is for
}

var jobsFormats = []string{"table", "json", "csv", "swf", "gwf"}

// outputNames are the endings of files of jobs, for help.
const outputNames = ".swf .gwf .csv .batsim.json (also with .gz or .zst behind), .parquet .arrow .arrows"

// tableRows is how many jobs a table for people shows.
const tableRows = 20

func addJobsFlags(cmd *cobra.Command, o *jobsOptions) {
	flags.Enum(cmd, &o.format, "format", fmt.Sprintf("form on standard output (default table, of the first %d jobs)", tableRows), jobsFormats)
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the jobs to this file: "+outputNames)
	flags.Enum(cmd, &o.batsim, "batsim-version", "version of Batsim to write .batsim.json for (default 4, which also fits 1 to 3)", []string{"4", "5"})
}

// putJobs writes a stream of jobs where the options say, and tells what the
// format could not hold.
func (a *app) putJobs(ctx context.Context, o jobsOptions, h workload.Header, batches workload.BatchSeq) error {
	return a.putTable(ctx, o, batches, h, nil)
}

// putTable is putJobs where the header may be known only when all jobs have
// been written: then last returns it.
func (a *app) putTable(ctx context.Context, o jobsOptions, batches workload.BatchSeq, h workload.Header, last func() workload.Header) error {
	batches = workload.Until(ctx, batches)
	batsim, _ := strconv.Atoi(o.batsim) // none is 0, the default
	switch format, err := logfile.FormatOf(o.output); {
	case batsim != 0 && !strings.HasPrefix(format, "batsim"):
		return flags.Usagef(a.cmd, "--batsim-version %d: it goes with -o and a name that ends in .batsim.json", batsim)
	case o.output == "":
		return a.printJobs(o.format, h, batches, last)
	case o.output == "-":
		return flags.Usage(a.cmd, errDash)
	case o.format != "":
		return flags.Usagef(a.cmd, "%s: --format is for standard output; a file's extension says its format: use one of them", o.output)
	case err != nil:
		return flags.Usage(a.cmd, err)
	}
	out, err := a.create(o.output, h, workload.WriteOptions{HeaderLast: last != nil, Batsim: batsim})
	if err != nil {
		return err
	}
	defer out.stop()
	var jobs atomic.Int64
	if a.expected > 0 {
		defer a.progress.Begin(&progress.Task{Label: "writing " + filepath.Base(o.output), Unit: "jobs", State: func() (int64, int64) { return jobs.Load(), a.expected }})()
	}
	if err := out.WriteAll(countRows(batches, &jobs)); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if last != nil {
		out.SetHeader(last())
	}
	if losses := out.Losses(); o.strict && len(losses) > 0 {
		var what []string
		for _, l := range losses {
			what = append(what, lossText(l))
		}
		return fmt.Errorf("%s: not written, for --strict: %s", o.output, strings.Join(what, "; "))
	}
	if err := a.outputs.finish(out.Output); err != nil {
		return err
	}
	a.wrote(out, jobs.Load())
	return nil
}

func lossText(l workload.Loss) string {
	return fmt.Sprintf("%d values of %s: %s", l.Values, l.Column, l.Why)
}

func (a *app) printJobs(format string, h workload.Header, batches workload.BatchSeq, last func() workload.Header) error {
	switch format {
	case "", "table":
		return printJobTable(a.Out, workload.Jobs(batches))
	case "json":
		return printJobJSON(a.Out, batches)
	}
	out, err := logfile.NewOutput(format, a.Out, h, workload.WriteOptions{HeaderLast: last != nil})
	if err != nil {
		return err
	}
	defer out.Abort()
	if err := out.WriteAll(batches); err != nil {
		return err
	}
	if last != nil {
		out.SetHeader(last())
	}
	if err := out.Commit(); err != nil {
		return err
	}
	a.tellLosses("-", out)
	return nil
}

func known(n int64) string {
	if n == workload.Unknown {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

func printJobTable(w io.Writer, jobs workload.JobSeq) error {
	t := present.Table{Head: []string{"job", "submit_s", "wait_s", "run_s", "processors", "requested_s", "status", "user", "application", "queue", "partition", "sequential_s", "parallelism", "sigma"}}
	n := 0
	for j, err := range jobs {
		if err != nil {
			return err
		}
		if n++; n <= tableRows {
			t.Add(known(j.ID), present.Fixed(j.Submit, -1), present.Fixed(j.Wait, -1), present.Fixed(j.Run, -1), known(j.Size), present.Fixed(j.Time, -1),
				known(j.Status), known(j.User), known(j.Application), known(j.Queue), known(j.Partition), present.Fixed(j.SequentialTime, -1), present.Fixed(j.AverageParallelism, -1), present.Fixed(j.Sigma, -1))
		}
	}
	for _, malleable := range []string{"sequential_s", "parallelism", "sigma"} {
		t = t.Without(malleable, "-")
	}
	if err := t.WriteTable(w); err != nil {
		return err
	}
	if n > tableRows {
		_, err := fmt.Fprintf(w, "... and %d more; -o FILE or --format csv gives all\n", n-tableRows)
		return err
	}
	return nil
}

// printJobJSON writes {"schema":..., "jobs":[...]} as the jobs come; what is
// unknown is left out.
func printJobJSON(w io.Writer, batches workload.BatchSeq) error {
	buf := fmt.Appendf(nil, "{\"schema\":%q,\"jobs\":[", workload.SchemaVersion)
	columns := workload.Columns()
	sep := ""
	for rec, err := range batches {
		if err == nil {
			err = workload.CheckFinite(rec)
		}
		if err != nil {
			return err
		}
		v := workload.NewView(rec)
		for i := range v.Len() {
			buf = append(append(buf, sep...), '\n', '{')
			sep = ","
			comma := ""
			for c := range columns {
				x, n := math.NaN(), workload.Unknown
				if columns[c].Float() {
					x = v.Float(c, i)
				} else {
					n = v.Int(c, i)
				}
				if math.IsNaN(x) && n == workload.Unknown {
					continue
				}
				buf = fmt.Appendf(buf, "%s%q:", comma, columns[c].Name)
				comma = ","
				if columns[c].Float() {
					buf = strconv.AppendFloat(buf, x, 'f', -1, 64)
				} else {
					buf = strconv.AppendInt(buf, n, 10)
				}
			}
			buf = append(buf, '}')
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		buf = buf[:0]
	}
	_, err := w.Write(append(buf, "\n]}\n"...))
	return err
}
