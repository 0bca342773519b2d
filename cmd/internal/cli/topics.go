package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/internal/version"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// topics are what 'loadstone help' tells beside the commands.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "formats", Short: "Which files are read and written", Long: formatsTopic},
		{Use: flags.SourcesTopic, Short: "Which published job tables are read, and how to describe others", Long: sourcesTopic()},
		{Use: "predictors", Short: "Which predictors there are, and what they predict from", Long: predictorsTopic},
	}
}

const formatsTopic = `A log's format is found from its content, then from its name; "-" is standard
input; gzip, zstd, xz and bzip2 are read through.

Read:
  Standard Workload Format   v1 to v2.2, without a header too
  Grid Workload Format       29 fields
  Slurm                      sacct -P, -p or --json; the queue by squeue, squeue --json
                             or scontrol show job; the file of jobcomp/filetxt
  Parquet, Arrow             with this command's columns, or some of them
  CSV                        commas, semicolons or tabs; foreign names by --map
  tables of other programs   CSV, JSON lines, Parquet: see 'loadstone help sources'
  Workflow Trace Archive     the folder, or its Parquet of tasks
  OpenDC                     v1 to v3

Written, by the extension of -o FILE:
  .swf .gwf .csv             also with .gz or .zst behind
  .parquet .arrow .arrows    all columns, and the header in the metadata
  .batsim.json               for the simulator Batsim

Unknown is null, never -1 or 0. Times are seconds from the log's start; columns of
Parquet, Arrow and CSV carry their unit: run_time_s, used_memory_kb. What a format
cannot hold is said when it is written; 'convert --strict' makes it an error.

Results go to standard output as a table, or as --format json or csv says; JSON
names its "schema", such as loadstone.fit/1, and its fields do not change within a
version.
`

// showSource prints the mapping of a built-in source.
func (a *app) showSource(cmd *cobra.Command, names []string) error {
	text := mapping.Source(names[0])
	if text == nil || len(names) > 1 {
		return flags.Usagef(cmd, "saw %q, want one of %s", strings.Join(names, " "), strings.Join(mapping.Names(), ", "))
	}
	_, err := a.Out.Write(text)
	return err
}

func sourcesTopic() string {
	var b strings.Builder
	b.WriteString(`A table of jobs from another program, in CSV, JSON or Parquet, is read by a mapping:
a JSON file that says what its columns are, in which units and time zone. These are
built in, for published data; --as NAME chooses one. A file whose columns are exactly
those of a source is known without it. 'loadstone help sources NAME' prints the mapping
of one: which column becomes which, and what is left out.

`)
	for _, m := range mapping.List() {
		fmt.Fprintf(&b, "  %-20s  %s\n", m.Name, m.Title)
	}
	b.WriteString(`
For other tables write a mapping and name it with --map FILE.json; docs/formats.md
describes it. Columns that have no place in the job table are counted.
`)
	return b.String()
}

func modelsTopic() string {
	var b strings.Builder
	fmt.Fprintf(&b, `A model file is JSON, of one of two forms. 'loadstone generate --model FILE' draws
jobs from either.

"schema": %q is a model of a site's users: how much each works and
when, their sessions, bags of tasks and repeated jobs, sizes, run times and
estimates. 'loadstone fit LOG -o FILE' writes it.

"schema": %q is a machine with one or more classes of jobs, each with
laws of sizes, run times and interarrival times, p(size), a daily and a weekly
cycle, and what is optional: work with a speedup, malleable jobs, bags of tasks,
bursts, users and sessions, users' estimates. 'loadstone fit LOG --form lublin2003
-o FILE' writes it. Published models are of this form:

`, population.Schema, model.Schema)
	for _, e := range model.Catalog().Models {
		what := e.What
		if !e.Ready {
			what += "; a template"
		}
		fmt.Fprintf(&b, "  %-22s  %s\n", e.Name, what)
	}
	b.WriteString(`
'generate' and 'compare' take both forms, 'check', 'average' and 'generate --check'
models of laws alone.

A template lacks the parameters that are not published.

'loadstone models show NAME' prints one as a file, to be edited and passed back;
'loadstone generate --set PATH=VALUE' changes a field on the way. Laws are
{"family": .., "parameters": ..}, with scales, never rates, and "transform": "ln"
where ln of the value has the law.
`)
	return b.String()
}

const predictorsTopic = `Run times, 'loadstone runtime': from the jobs of the same class that have ended
before a job is submitted.
  es rm sm last last2   exponential smoothing, mean, median of the last five, the
                        last, mean of the last two (Sonmez and others 2009)
  estimate              the user's own
  tsafrir               mean of the last two, at most the estimate
  alea                  the estimate times the largest ratio of the last five
  des nws               the best alpha, the best of the five, so far
  knn linear            the most alike jobs; a linear model fitted as jobs end
  kernel                the distribution of like jobs, and its best point
  quantile              a bound that holds with a confidence
Classes are site, user, user-site, user-app-size-site, all, or columns such as
user+queue.

Waits, 'loadstone predict': a number of seconds, or a bound that so many waits are
to stay below.
  downey-a downey-b     the time until enough processors are free, at the head of
                        a queue, from the ages of the running jobs (Downey 1997)
  downey-a-exact        the whole distribution of that time
  downey-n32 downey-benefactors   A or B, by size or by how many jobs free enough
  simulated, -corrected, simulated-easy, simulated-easy-corrected   the queue
                        simulated with predicted run times
  estimates             a bound: the queue simulated with the users' estimates
  bmbp bmbp-authors     order statistics of the waits so far, with change points
  qbets                 bmbp in up to three ranges of the requested time
  chebyshev chebyshev-one-sided log-normal   bounds from mean and variance
  conformal             a bound learned from the state of the queue; its median is
                        the point prediction conformal-point
'loadstone wait' asks some of these about one request, and two more, which
'loadstone predict --sample' scores beside the others:
  downey-b-queue drawn  B for the whole queue; many simulated schedules with run
                        times drawn from the law
`

func newManCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Writes a manual page for the command and for each of its subcommands into FOLDER,\nas loadstone.1, loadstone-fit.1 and so on, for man's\nsection 1, and of what 'loadstone help' tells beside them, for section 7.",
		Example: "  loadstone man man1 && man -l man1/loadstone-fit.1",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				return fmt.Errorf("want one folder, saw %q", args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.writeManual(cmd.Root(), args[0]) },
	}
}

// writeManual writes the pages; the same version gives the same bytes.
func (a *app) writeManual(root *cobra.Command, folder string) error {
	if err := a.makeFolder(folder); err != nil {
		return err
	}
	n := 0
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		section := "1"
		switch {
		case cmd.IsAdditionalHelpTopicCommand():
			section = "7"
		case cmd != root && !cmd.IsAvailableCommand() || cmd.Name() == "help":
			continue
		}
		page := *cmd
		page.DisableAutoGenTag, page.Long = true, manualText(cmd.Long+"\n\n"+cmd.Annotations[flags.Details])
		header := doc.GenManHeader{Section: section, Source: "Loadstone " + version.Number, Manual: "Loadstone", Date: &released}
		path := filepath.Join(folder, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+"."+section)
		if err := a.writeFile(path, func(w io.Writer) error { return doc.GenMan(&page, &header, w) }); err != nil {
			return err
		}
		n++
	}
	a.note("%s: %d manual pages", folder, n)
	return nil
}

// released is the date of this version, for the manual.
var released = time.Date(2026, time.November, 22, 0, 0, 0, 0, time.UTC)

// manualText makes indented lines, which are tables, Markdown's code.
func manualText(long string) string {
	var b strings.Builder
	table := false
	for line := range strings.Lines(long) {
		indented := strings.HasPrefix(line, "  ")
		if indented && !table {
			b.WriteByte('\n')
		}
		if table = indented; indented {
			line = "    " + line
		}
		b.WriteString(line)
	}
	return b.String()
}
