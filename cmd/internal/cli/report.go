package cli

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/report"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

func newReportCmd(a *app, run func(context.Context, *app, report.Options) error) *cobra.Command {
	var o report.Options
	cmd := &cobra.Command{
		Use:   "report LOG -o report.html",
		Short: "Write a one-page HTML report on a log",
		Long: `Writes one HTML file of tables and charts. It begins with what a computing
centre asks: load and use of the machine, waits by class and their trend, users
and accounts, what changed in the last month, and what to trust. For modelling
it has, folded, the fits of run times, a model of the users as a file with a
verdict on it, and the scores of predictors, as the commands print them. The
page needs no network and no other file, stays below 1 MB, and prints well.`,
		Annotations: map[string]string{flags.Details: `Predictors of wait that simulate the queue are scored on a sample of 300 jobs.
Charts can be zoomed and show their values, by pointer or keyboard.`},
		Example: `  loadstone report KTH-SP2-1996.swf.gz -o kth.html
  loadstone report huge.parquet --without compare -o huge.html`,
		Args: reportedLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Log = args[0]
			ext := strings.ToLower(filepath.Ext(o.Output))
			switch {
			case o.Output == "":
				return flags.Usagef("-o is missing: want a file, such as report.html")
			case o.Output == "-":
				return flags.Usagef("-o -: a page is a file: want a name, such as report.html")
			case ext != ".html" && ext != ".htm" && !links.Direct(o.Output):
				return flags.Usagef("-o %s: a report is HTML: want a name that ends in .html", o.Output)
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

// reportedLog is the arguments: one log, in a file.
func reportedLog(cmd *cobra.Command, args []string) error {
	if slices.Contains(args, "-") {
		return fmt.Errorf("a report reads its log more than once: want a file, not standard input")
	}
	return new(oneLog).args(args)
}

func runReport(ctx context.Context, a *app, o report.Options) error {
	if err := a.notOver([]string{o.Log}, o.Output); err != nil {
		return err
	}
	o.Open, o.Work = a.reopen, a.progress.Work
	o.Watch = func(log *workload.Log, n int, jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		if n == 0 {
			return a.progress.Watch(log)(jobs)
		}
		return a.progress.Counted("jobs of "+filepath.Base(log.Name), n, jobs)
	}
	if a.timezone != "" {
		o.Global = append(o.Global, "--timezone", a.timezone)
	}
	o.Global = append(o.Global, a.mapping.Args()...)
	o.Unused = a.mapping.Unused
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent) // the steps of a report hold many jobs
	}
	r, err := report.Compute(ctx, o)
	if err != nil {
		return err
	}
	written, err := r.Page()
	if err != nil {
		return err
	}
	var size sizeWriter
	if err := a.writeFile(o.Output, func(w io.Writer) error { return page.Write(io.MultiWriter(w, &size), written) }); err != nil {
		return err
	}
	remarks := len(r.Remarks())
	a.note("%s: %d kB; %s in its section \"%s\"", o.Output, (size+999)/1000, words.Counted(remarks, "remark"), report.RemarksTitle)
	return nil
}

// sizeWriter counts bytes.
type sizeWriter int64

func (s *sizeWriter) Write(p []byte) (int, error) {
	*s += sizeWriter(len(p))
	return len(p), nil
}
