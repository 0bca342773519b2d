package cli

import (
	"bytes"
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
		{Use: "formats", Short: "Formats of logs that are read and written", Long: formatsTopic},
		{Use: flags.SourcesTopic, Short: "Published job tables, and how to read others", Long: sourcesTopic()},
		{Use: "predictors", Short: "Predictors of run time and of queue wait", Long: predictorsTopic},
	}
}

const formatsTopic = `The format of a log is found from its content, then from its name; "-" is
standard input. gzip, zstd, xz and bzip2 are decompressed.

Read:
  Standard Workload Format  v1 to v2.2, also without a header
  Grid Workload Format      29 fields
  Slurm                     sacct -P, -p or --json; the queue by squeue, squeue
                            --json or scontrol show job
  Parquet, Arrow            with this command's columns, or some of them
  CSV                       commas, semicolons or tabs; common other names of
                            columns (submit, runtime) too, the rest by --map
  tables of other programs  CSV, JSON lines, Parquet: 'loadstone help sources'
  Workflow Trace Archive    the folder, or its Parquet of tasks
  OpenDC                    v1 to v3

Written, by the extension of -o FILE:
  .swf .csv                 also compressed, with .gz or .zst appended
  .parquet .arrow .arrows   all columns, with the header in the metadata
  .batsim.json              for the simulator Batsim

Unknown values are null, never -1 or 0. Times are seconds from the log's start.
Columns of Parquet, Arrow and CSV carry their unit: run_time_s, used_memory_kb.
What a format cannot hold is reported when it is written; 'convert --strict'
makes it an error.

Results go to standard output as a table, or as --format json or csv says. JSON
names its "schema", such as loadstone.fit/1, whose fields do not change within a
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
	b.WriteString(`A table of jobs from another program (CSV, JSON or Parquet) is read by a
mapping: a JSON file that names its columns, their units and the time zone.
These mappings for published data are built in. --as NAME chooses one, and a
file whose columns are exactly those of a source is recognised without it.
'loadstone help sources NAME' prints a mapping, with the columns left out.

`)
	for _, m := range mapping.List() {
		fmt.Fprintf(&b, "  %-20s  %s\n", m.Name, m.Title)
	}
	b.WriteString(`
For other tables, write a mapping and name it with --map FILE.json;
docs/reference/formats.md describes it. Columns without a counterpart in the job
table are counted.
`)
	return b.String()
}

func modelsTopic() string {
	var b strings.Builder
	fmt.Fprintf(&b, `A model file is JSON, in one of two forms. 'loadstone generate --model FILE' draws
jobs from either.

"schema": %q is a model of a site's users: how much each works and
when, their sessions, bags of tasks and repeated jobs, sizes, run times and
estimates. 'loadstone fit LOG -o FILE' writes it.

"schema": %q is a machine with one or more classes of jobs, each with
distributions of sizes, run times and interarrival times, p(size), a daily and a
weekly cycle and, optionally, work with a speedup, malleable jobs, bags of tasks,
bursts, users and sessions, and users' estimates. 'loadstone fit LOG --form
lublin2003 -o FILE' writes it. Published models are of this form:

`, population.Schema, model.Schema)
	for _, e := range model.Catalog().Models {
		what := e.What
		if !e.Ready {
			what += "; a template"
		}
		fmt.Fprintf(&b, "  %-22s  %s\n", e.Name, what)
	}
	b.WriteString(`
'generate' and 'compare' take both forms.

A template lacks the parameters that are not published.

'loadstone generate --set PATH=VALUE' changes a field of a model. Distributions are
{"family": .., "parameters": ..}, with scales, never rates, and "transform": "ln"
where ln of the value has the distribution.
`)
	return b.String()
}

const predictorsTopic = `Run times, 'loadstone runtime': from the jobs of the same class that have ended
before a job is submitted.
  es rm sm last last2  exponential smoothing, mean, median of the last five, the
                       last, mean of the last two (Sonmez and others 2009)
  estimate             the user's estimate
  tsafrir              mean of the last two, at most the estimate
  alea                 the estimate times the largest ratio of the last five
  des nws              es with the best alpha so far; the best of all so far
  knn                  mean of the most similar jobs
  kernel               a point of the weighted distribution of similar jobs
  quantile             an upper bound with a confidence
Classes of jobs are site (partition), user, user-site, user-app-size-site, all,
or columns such as user+queue.

Waits, 'loadstone predict': a number of seconds, or an upper bound that a share
--quantile of the waits should not exceed.
  downey-a downey-b    the time until enough processors are free for the first
                       job in a queue, from the ages of the running jobs
                       (Downey 1997)
  downey-a-exact       the whole distribution of that time
  downey-n32 downey-benefactors  A or B, by size or by how many jobs must end
  simulated, -corrected, simulated-easy, simulated-easy-corrected  the queue
                       simulated with predicted run times
  estimates            a bound: the queue simulated with the users' estimates
  bmbp bmbp-authors    order statistics of the waits so far, with change points
  qbets                bmbp in up to three ranges of the requested time
  chebyshev chebyshev-one-sided  bounds from mean and variance
  conformal            a bound learned from the state of the queue; its median
                       is the point prediction conformal-point
'loadstone wait' applies some of these to one request, and two more, which
'loadstone predict --sample' scores too:
  downey-b-queue       downey-b for the whole queue
  drawn                many simulated schedules with run times drawn from the
                       fitted distribution
`

func newManCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "Write the manual pages",
		Long:    "Writes the manual pages into FOLDER: loadstone.1, loadstone-fit.1 and so on for\nthe commands, and section 7 for the help topics.",
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
		if err := a.writeFile(path, func(w io.Writer) error { return writePage(w, &page, &header) }); err != nil {
			return err
		}
		n++
	}
	a.note("%s: %d manual pages", folder, n)
	return nil
}

// writePage writes a page with its lines flush left: the flags' long names leave too few
// gaps to justify a line.
func writePage(w io.Writer, cmd *cobra.Command, header *doc.GenManHeader) error {
	var b bytes.Buffer
	if err := doc.GenMan(cmd, header, &b); err != nil {
		return err
	}
	title, body, _ := bytes.Cut(b.Bytes(), []byte("\n\n")) // .TH is the title's last line
	_, err := fmt.Fprintf(w, "%s\n.ad l\n\n%s", title, body)
	return err
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
