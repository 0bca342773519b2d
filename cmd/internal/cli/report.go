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

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/report"
	"github.com/loadstone-hpc/loadstone/internal/links"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

type reportOptions struct{ report.Options }

func (o *reportOptions) args(args []string) error {
	if slices.Contains(args, "-") {
		return fmt.Errorf("a report reads its log more than once: want a file, not standard input")
	}
	var log oneLog
	err := log.args(args)
	o.Log = log.input
	return err
}

func (o *reportOptions) check(*app) error {
	ext := strings.ToLower(filepath.Ext(o.Output))
	switch {
	case o.Output == "":
		return flags.Usagef("-o is missing: want a file, such as report.html")
	case o.Output == "-":
		return flags.Usagef("-o -: a page is a file: want a name, such as report.html")
	case ext != ".html" && ext != ".htm" && !links.Direct(o.Output):
		return flags.Usagef("-o %s: a report is HTML: want a name that ends in .html", o.Output)
	}
	return nil
}

func (o *reportOptions) run(ctx context.Context, a *app) (*findings, error) {
	o.Open, o.Work = a.reopen, a.progress.Work
	o.Watch = func(log *workload.Log, n int, jobs iter.Seq2[workload.Job, error]) iter.Seq2[workload.Job, error] {
		if n == 0 {
			return a.progress.Watch(log)(jobs)
		}
		return a.progress.Counted("jobs of "+filepath.Base(log.Name), n, jobs)
	}
	if string(a.Timezone) != "" {
		o.Global = append(o.Global, "--timezone", string(a.Timezone))
	}
	o.Global = append(o.Global, a.Mapping.Args()...)
	o.Unused = a.Mapping.Unused
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent) // the steps of a report hold many jobs
	}
	r, err := report.Compute(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	written, err := r.Page()
	if err != nil {
		return nil, err
	}
	var size sizeWriter
	if err := a.writeFile(o.Output, func(w io.Writer) error { return page.Write(io.MultiWriter(w, &size), written) }); err != nil {
		return nil, err
	}
	remarks := len(r.Remarks())
	a.note("%s: %d kB; %s in its section \"%s\"", o.Output, (size+999)/1000, words.Counted(remarks, "remark"), report.RemarksTitle)
	return nil, nil
}

// sizeWriter counts bytes.
type sizeWriter int64

func (s *sizeWriter) Write(p []byte) (int, error) {
	*s += sizeWriter(len(p))
	return len(p), nil
}
