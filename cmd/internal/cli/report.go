package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/page"
	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/internal/version"
)

type reportOptions struct {
	inputs     []string
	output     string
	without    []string
	processors int64
	waits      int // jobs on which predictors of wait are scored; 0 is all
	replicates int
	seed       uint64
}

// The parts of a report that take long on a large log.
const (
	lifetimesReport = "lifetimes"
	runtimeReport   = "runtime"
	predictReport   = "predict"
)

// Fits beside those of run times and of the site.
const (
	othersReport    = "others"
	intervalsReport = "intervals"
)

// mostWaits is on how many jobs predictors of wait are scored, unless told
// otherwise: each job's wait costs a simulation of the whole queue.
const mostWaits = 50_000

// mostReported is up to how many logs stand side by side on a page.
const mostReported = 6

func newReportCmd(a *app, run func(context.Context, *app, reportOptions) error) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report LOG [LOG...] -o report.html",
		Short: "Write all that can be said of a log as one page",
		Long: `Runs the other commands on a log and writes what they find, in tables and
pictures, to one HTML file: who and what, data quality, load over time, arrivals,
sizes, run times and the laws fitted to them, the model of the site with its file
to save, predictors of run time and of wait, what to trust and what not, and how
the page was made. The numbers are those that the commands print.

The page needs no network and no other file, and forbids itself both; it can be
mailed, printed, and read on a phone. It stays below 3 MB whatever the log's size.
Of a large log the predictors of wait are scored on the first 50,000 jobs, and the
page says so; --predict-jobs takes more or fewer.
Charts of load, run times and predicted waits can be zoomed and show their values,
by pointer or keyboard.

Two to six logs stand side by side where the window is wide enough, with what
'loadstone compare' says of them.`,
		Example: `  loadstone report KTH-SP2-1996.swf.gz -o kth.html
  loadstone report before.parquet after.parquet -o both.html
  loadstone report huge.parquet --without predict -o huge.html`,
		Args: checkReported,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.inputs = args
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			ext := strings.ToLower(filepath.Ext(o.output))
			switch {
			case o.output == "":
				return usagef(cmd, "-o is missing: want a file, such as report.html")
			case o.output == "-":
				return usagef(cmd, "-o -: a page is a file: want a name, such as report.html")
			case ext != ".html" && ext != ".htm":
				return usagef(cmd, "-o %s: a report is HTML: want a name that ends in .html", o.output)
			case o.waits < 0:
				return usagef(cmd, "--predict-jobs %d: want 1 or more, or 0 for all", o.waits)
			case o.replicates != 0 && (o.replicates < leastReplicates || o.replicates > 100_000):
				return usagef(cmd, "--replicates %d: want 0, or %d to 100000", o.replicates, leastReplicates)
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write the page to this file: .html")
	cmd.Flags().IntVar(&o.waits, "predict-jobs", mostWaits, "score predictors of wait on the first so many jobs by submission; 0 is all, which takes hours where queues are long")
	enumsFlag(cmd, &o.without, "without", "parts to leave out, to be faster on large logs", []string{lifetimesReport, runtimeReport, predictReport})
	procsFlag(cmd, &o.processors, "processors of the machine (default: the header's)")
	cmd.Flags().IntVar(&o.replicates, "replicates", 0, "samples drawn and refitted, for 95 % intervals and p-values of the laws of run times; 199 take minutes")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of all that is drawn")
	return cmd
}

// checkReported looks at the names of the logs.
func checkReported(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("a log is missing: want a file")
	case slices.Contains(args, ""):
		return fmt.Errorf("a log's name is empty: want a file")
	case slices.Contains(args, "-"):
		return fmt.Errorf("a report reads its log more than once: want a file, not standard input")
	case len(args) > mostReported:
		return fmt.Errorf("%d logs: want up to %d", len(args), mostReported)
	}
	return nil
}

func runReport(ctx context.Context, a *app, o reportOptions) error {
	if err := a.notOver(o.inputs, o.output); err != nil {
		return err
	}
	r := &report{o: o}
	for i, input := range o.inputs {
		l, err := a.reportLog(ctx, o, input, nameOf(o.inputs, i), i)
		if err != nil {
			return err
		}
		r.logs = append(r.logs, l)
	}
	if len(r.logs) > 1 {
		if err := r.compareLogs(ctx, a); err != nil {
			return err
		}
	}
	var size sizeWriter
	err := a.writeFile(o.output, func(w io.Writer) error {
		return page.Write(io.MultiWriter(w, &size), r.page())
	})
	if err != nil {
		return err
	}
	warnings := 0
	for _, l := range r.logs {
		warnings += len(l.said())
	}
	a.note("%s: %d %s, %d kB, %d %s", o.output, len(r.logs), present.Plural(len(r.logs), "log", "logs"),
		(size+999)/1000, warnings, present.Plural(warnings, "remark", "remarks"))
	return nil
}

// sizeWriter counts bytes.
type sizeWriter int64

func (s *sizeWriter) Write(p []byte) (int, error) {
	*s += sizeWriter(len(p))
	return len(p), nil
}

// report is what a page is made of.
type report struct {
	o       reportOptions
	logs    []*reportLog
	between *reportCompared // of two or more logs
}

// page orders what was found.
func (r *report) page() page.Page {
	p := page.Page{Title: r.title(), About: "Made by loadstone " + version.Number + " from " + r.of() + "."}
	each := func(id, title, about string, blocks func(*reportLog) []page.Block) {
		s := page.Section{ID: id, Title: title, About: about}
		for _, l := range r.logs {
			part := page.Part{Blocks: r.thinned(l, blocks(l))}
			if len(r.logs) > 1 {
				part.Log = l.name
			}
			s.Parts = append(s.Parts, part)
		}
		p.Sections = append(p.Sections, s)
	}
	if len(r.logs) == 1 {
		p.Figures = r.logs[0].key()
	} else {
		p.Sections = append(p.Sections, r.glance())
	}
	each("who", "Who and what", "", (*reportLog).who)
	each("quality", "Data quality", "Faults cannot be true, or the format forbids them. Oddities may be true, but whoever uses the log should know.", (*reportLog).quality)
	each("load", "Load over time", "Offered load is the work of the jobs submitted in a stretch of time, over what the machine could do in it.", (*reportLog).load)
	each("arrivals", "Arrivals", "When jobs are submitted, by the clock of the site, and how bursty that is.", (*reportLog).arrivals)
	each("sizes", "Sizes", "How many processors jobs take, and how run times go with that.", (*reportLog).sizes)
	each("run-times", "Run times", "The distribution of run times with the laws that come closest. D is the largest distance between the two curves, as a share of the jobs.", (*reportLog).runTimes)
	each("by-size", "Run times by size", "p(size) is the share of short jobs, those of the first Gamma of run times, at a size (Lublin and Feitelson 2003).", (*reportLog).bySize)
	each("lifetimes", "How much longer a job runs", "For jobs that have run for some time already: how much longer half of them still run, and their mean (Downey 1997).", (*reportLog).lifetimes)
	each("model", "The fitted model", "The model of Lublin and Feitelson, fitted to all jobs. Its file can be saved, edited, and turned into synthetic workloads.", (*reportLog).model)
	each("predictors", "Predicting run times", "Each job's run time is predicted at its submission from the jobs of its class that have ended. Accuracy is the smaller of predicted and actual over the larger; 1 is perfect.", (*reportLog).predictors)
	each("waits", "Predicting waits", "How long a job will wait: bounds that a share of the waits is to stay below, and point predictions on a simulated queue.", (*reportLog).waits)
	if r.between != nil {
		p.Sections = append(p.Sections, r.between.section())
	}
	each("trust", "What to trust, and what not", "", (*reportLog).trust)
	each("made", "How this page was made", "", (*reportLog).made)
	return p
}

func (r *report) title() string {
	if len(r.logs) == 1 {
		return "Workload of " + present.ShortName(r.logs[0].name)
	}
	var names []string
	for _, l := range r.logs {
		names = append(names, present.ShortName(l.name))
	}
	return "Workloads of " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// of says which logs a page is of.
func (r *report) of() string {
	var all []string
	for _, l := range r.logs {
		all = append(all, fmt.Sprintf("%s (%s jobs)", l.name, grouped(l.describe.Jobs)))
	}
	return strings.Join(all, " and ")
}
