package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/progress"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

// jobsOptions specify the destination and the format of a job table.
type jobsOptions struct {
	Format string `opt:"format" common:"true" help:"format on standard output (default table, of the first 20 jobs)"`
	Output string `opt:"output,o" file:"write" common:"true" help:"write the jobs to this <file>: .swf .csv .batsim.json (also .gz or .zst), .parquet .arrow .arrows"`
	strict bool   // fail if the format cannot hold everything
	batsim string // version of Batsim for which to write .batsim.json; "" for the default
}

// Choices returns the values that an option can take, nil if they are not a fixed set.
func (jobsOptions) Choices(option string) []string {
	if option == "format" {
		return []string{"table", "json", "csv", "swf"}
	}
	return nil
}

// ofList returns the destination of a list that is printed instead of jobs.
func (o jobsOptions) ofList() resultOptions {
	if o.Format == "swf" { // there are no jobs to write as a log
		o.Format = "table"
	}
	return resultOptions{Format: o.Format, Output: o.Output}
}

// putJobs writes a stream of jobs to the destination in o, and warns of values that its format
// could not hold. has are the optional columns that the source declares. If the header is known
// only when all jobs have been written, last returns it; otherwise last is nil.
func (a *app) putJobs(ctx context.Context, o jobsOptions, has workload.ColumnSet, batches workload.BatchSeq, h workload.Header, last func() workload.Header) error {
	batches = workload.Until(ctx, batches)
	batsim, _ := strconv.Atoi(o.batsim) // 0, the default, for ""
	switch format, err := logfile.FormatOf(o.Output, nil); {
	case batsim != 0 && !strings.HasPrefix(format, "batsim"):
		return flags.Usagef("--batsim-version %d: it goes with -o and a name that ends in .batsim.json", batsim)
	case o.Output == "":
		return a.printJobs(a.Out, "standard output", o, has, h, batches, last)
	case o.Output == "-":
		return flags.Usage(errDash)
	case o.Format != "" && links.Direct(o.Output):
		return a.writeFile(o.Output, func(w io.Writer) error { return a.printJobs(w, o.Output, o, has, h, batches, last) })
	case o.Format != "":
		return flags.Usagef("%s: --format is for standard output; a file's extension says its format: use one of them", o.Output)
	case err != nil:
		return flags.Usage(err)
	}
	out, err := a.create(o.Output, h, workload.WriteOptions{Columns: has, HeaderLast: last != nil, Batsim: batsim})
	if err != nil {
		return err
	}
	defer out.stop()
	var jobs atomic.Int64
	if a.expected > 0 {
		defer a.progress.Begin(&progress.Task{Label: "writing " + filepath.Base(o.Output), Unit: "jobs", State: func() (int64, int64) { return jobs.Load(), a.expected }})()
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
	if err := o.lost(out.Output); err != nil {
		return err
	}
	if err := a.outputs.Finish(out.Output); err != nil {
		return err
	}
	a.wrote(out, jobs.Load())
	return nil
}

// lost returns the error of --strict if the output's format cannot hold everything.
func (o *jobsOptions) lost(out *logfile.Output) error {
	losses := out.Losses()
	if !o.strict || len(losses) == 0 {
		return nil
	}
	var what []string
	for _, l := range losses {
		what = append(what, lossText(l))
	}
	return fmt.Errorf("%s: not written, because of --strict: %s", o.Output, strings.Join(what, "; "))
}

func lossText(l workload.Loss) string {
	return fmt.Sprintf("%s of %s: %s", words.Counted(l.Values, "value"), l.Column, l.Why)
}

// printJobs writes jobs to w in the format of --format. name is the name of w in warnings.
func (a *app) printJobs(w io.Writer, name string, o jobsOptions, has workload.ColumnSet, h workload.Header, batches workload.BatchSeq, last func() workload.Header) error {
	switch o.Format {
	case "", "table":
		return tables.Jobs(w, workload.Jobs(batches))
	case "json":
		return tables.JobsJSON(w, batches)
	}
	out, err := logfile.NewOutput(o.Format, w, h, workload.WriteOptions{Columns: has, HeaderLast: last != nil})
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
	if err := cmp.Or(o.lost(out), out.Commit()); err != nil {
		return err
	}
	a.tellLosses(name, out)
	return nil
}

// putChanged is putJobs for a header that is known only when all jobs have been
// written; begun is the header as known before.
func (a *app) putChanged(ctx context.Context, o jobsOptions, begun workload.Header, has workload.ColumnSet, jobs workload.JobSeq, header func() workload.Header) error {
	return a.putJobs(ctx, o, has, workload.Batches(jobs), begun, header)
}

// putStream writes a changed log, whose header is known only when all jobs have been written.
func (a *app) putStream(ctx context.Context, o jobsOptions, input string, s *reshape.Stream) error {
	header := func() workload.Header { return s.Header("loadstone " + a.cmd.Name()) }
	return a.putChanged(ctx, o, s.Log.Header, s.Log.Optional(), named(input, s.Jobs), header)
}

// jobsFile is a file of jobs that is being written.
type jobsFile struct {
	*logfile.Output
	path string
	stop func() // removes it unless it is finished
}

// create begins a file of jobs.
func (a *app) create(path string, h workload.Header, o workload.WriteOptions) (*jobsFile, error) {
	out, err := a.begin(path, h, o)
	if err != nil {
		return nil, err
	}
	return &jobsFile{out, path, a.outputs.Keep(out)}, nil
}

func (a *app) begin(path string, h workload.Header, o workload.WriteOptions) (*logfile.Output, error) {
	w := a.stream(path)
	if w == nil {
		return logfile.Create(path, h, o)
	}
	format, err := logfile.FormatOf(path, nil)
	if err != nil {
		return nil, err
	}
	return logfile.NewOutput(format, w, h, o)
}

// wrote reports a file that is complete.
func (a *app) wrote(o *jobsFile, jobs int64) {
	a.note("%s: %d jobs", o.path, jobs)
	a.tellLosses(o.path, o.Output)
}

// tellLosses warns of values that the format of an output could not hold.
func (a *app) tellLosses(path string, o *logfile.Output) {
	for _, l := range o.Losses() {
		a.warn("%s: lost: %s", path, lossText(l))
	}
}
