package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

type describeOptions struct {
	input      string
	processors int64
	result     resultOptions
}

func newDescribeCmd(a *app, run func(context.Context, *app, describeOptions) error) *cobra.Command {
	var o describeOptions
	cmd := &cobra.Command{
		Use:   "describe IN",
		Short: "Say who, what, when and how many, and what is missing",
		Long: `Reads a job log once and summarises it: the machine and the period, users and
queues, and for every measured column in how many jobs it is known, its mean,
coefficient of variation, quartiles and range. "size_processors" is the
processors of a job: those allocated, else those asked for.`,
		Example: "  loadstone describe KTH-SP2-1996.swf.gz\n  loadstone describe kth.parquet --format json",
		Args:    oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			if err := checkProcs(cmd, o.processors); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	procsFlag(cmd, &o.processors, "processors of the machine (default: the header's)")
	addResultFlags(cmd, &o.result, true)
	return cmd
}

func runDescribe(ctx context.Context, a *app, o describeOptions) error {
	if err := notOver(o.input, o.result.output); err != nil {
		return err
	}
	log, err := a.open(o.input)
	if err != nil {
		return err
	}
	defer log.Close()
	processors := o.processors
	if processors == 0 {
		processors, _ = log.Header.Processors()
	}
	d, err := inspect.Describe(until(ctx, log.Batches()), processors)
	if err != nil {
		return err
	}
	a.warnAll(o.input, log.Warnings())
	return a.put(o.result, describeResult(log, d))
}

// statusNames are the words for the status codes of the format.
var statusNames = map[int64]string{
	workload.StatusFailed: "failed", workload.StatusCompleted: "completed", workload.StatusPartial: "partial",
	workload.StatusLastCompleted: "last part, completed", workload.StatusLastFailed: "last part, failed",
	workload.StatusCancelled: "cancelled", workload.Unknown: "unknown",
}

func statusName(code int64) string {
	if name, ok := statusNames[code]; ok {
		return name
	}
	return fmt.Sprintf("with the undefined code %d", code)
}

type describeJSON struct {
	Schema      string                        `json:"schema"`
	Log         describeLogJSON               `json:"log"`
	Jobs        int64                         `json:"jobs"`
	OfferedLoad number                        `json:"offered_load"`
	SerialPct   number                        `json:"serial_pct"`
	PowersPct   number                        `json:"power_of_two_pct"`
	Status      map[string]int64              `json:"status"`
	Columns     map[string]describeColumnJSON `json:"columns"`
	Groups      map[string]describeGroupJSON  `json:"groups"`
}

type describeLogJSON struct {
	Name         string `json:"name"`
	Format       string `json:"format"`
	Computer     string `json:"computer,omitempty"`
	Installation string `json:"installation,omitempty"`
	Processors   *int64 `json:"processors"`
	Start        string `json:"start,omitempty"`
	FirstSubmit  number `json:"first_submit_s"`
	LastSubmit   number `json:"last_submit_s"`
	LastEnd      number `json:"last_end_s"`
}

type describeColumnJSON struct {
	Unit   string `json:"unit"`
	Known  int64  `json:"known"`
	Below0 int64  `json:"negative"`
	Mean   number `json:"mean"`
	CV     number `json:"cv"`
	Q25    number `json:"q25"`
	Median number `json:"median"`
	Q75    number `json:"q75"`
	Min    number `json:"min"`
	Max    number `json:"max"`
	Method string `json:"quantiles"`
}

type describeGroupJSON struct {
	Known    int64 `json:"known"`
	Distinct int64 `json:"distinct"`
}

func describeResult(log *workload.Log, d inspect.Description) result {
	clock, note := log.Header.Clock()
	js := describeJSON{
		Schema: "loadstone.describe/1",
		Log: describeLogJSON{
			Name: log.Name, Format: log.Format, Computer: log.Header.Get("Computer"), Installation: log.Header.Get("Installation"),
			FirstSubmit: number(d.FirstSubmit), LastSubmit: number(d.LastSubmit), LastEnd: number(d.LastEnd),
		},
		Jobs: d.Jobs, OfferedLoad: number(d.OfferedLoad), SerialPct: number(100 * d.Serial), PowersPct: number(100 * d.PowerOfTwo),
		Status: map[string]int64{}, Columns: map[string]describeColumnJSON{}, Groups: map[string]describeGroupJSON{},
	}
	if d.Processors > 0 {
		js.Log.Processors = &d.Processors
	}
	if clock.Known {
		js.Log.Start = clock.Start.Format(time.RFC3339)
	}
	csv := table{head: []string{"column", "unit", "known", "mean", "cv", "q25", "median", "q75", "min", "max"}}
	people := table{head: csv.head}
	for _, c := range d.Columns {
		js.Columns[c.Name] = describeColumnJSON{c.Unit, c.Known, c.Negative, number(c.Mean), number(c.CV), number(c.Q25), number(c.Median),
			number(c.Q75), number(c.Min), number(c.Max), c.Method}
		values := []float64{c.Mean, c.CV, c.Q25, c.Median, c.Q75, c.Min, c.Max}
		exact, short := []string{c.Name, c.Unit, strconv.FormatInt(c.Known, 10)}, []string{c.Name, c.Unit, strconv.FormatInt(c.Known, 10)}
		for _, x := range values {
			exact, short = append(exact, number(x).text()), append(short, sig(x))
		}
		csv.add(exact...)
		if c.Known > 0 {
			people.add(short...)
		}
	}
	for _, g := range d.Groups {
		js.Groups[g.Name] = describeGroupJSON{g.Known, g.Distinct}
	}
	for code, n := range d.Status {
		js.Status[statusName(code)] += n
	}
	text := func(w io.Writer) error {
		if err := describeWords(w, log, d, clock, note); err != nil {
			return err
		}
		if err := people.writeTo(w); err != nil {
			return err
		}
		for _, c := range d.Columns {
			if c.Negative == 0 {
				continue
			}
			if _, err := fmt.Fprintf(w, "\n%s: %d negative values are left out of its statistics.\n", c.Name, c.Negative); err != nil {
				return err
			}
		}
		for _, c := range d.Columns {
			if c.Known > 0 && c.Method != "exact" {
				_, err := fmt.Fprintf(w, "\nQuantiles: %s.\n", c.Method)
				return err
			}
		}
		return nil
	}
	return result{text: text, json: js, csv: csv}
}

// wrap joins words by commas into lines of about width characters; all but the
// first are indented.
func wrap(words []string, width, indent int) string {
	var b strings.Builder
	at := 0
	for i, w := range words {
		if i > 0 {
			b.WriteString(",")
			if at+len(w) > width {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = 0
			} else {
				b.WriteString(" ")
			}
		}
		b.WriteString(w)
		at += len(w) + 2
	}
	return b.String()
}

// eternity is 30,000 years in seconds: beyond it a time has no date.
const eternity = 1e12

// describeWords writes what is not a column.
func describeWords(w io.Writer, log *workload.Log, d inspect.Description, clock workload.Clock, note string) error {
	line := func(key, format string, args ...any) string {
		return fmt.Sprintf("%-14s %s\n", key, fmt.Sprintf(format, args...))
	}
	out := line("log", "%s (%s)", log.Name, log.Format)
	for _, key := range []string{"Computer", "Installation"} {
		if v := log.Header.Get(key); v != "" {
			out += line(strings.ToLower(key), "%s", strings.ReplaceAll(v, "\n", " "))
		}
	}
	out += line("jobs", "%d", d.Jobs)
	if d.Processors > 0 {
		out += line("processors", "%d", d.Processors)
	}
	if !math.IsNaN(d.FirstSubmit) {
		span := fmt.Sprintf("%s days of submissions", sig((d.LastSubmit-d.FirstSubmit)/86400))
		if clock.Known && math.Abs(d.FirstSubmit) < eternity && math.Abs(d.LastSubmit) < eternity {
			span += fmt.Sprintf(", %s to %s", clock.At(d.FirstSubmit).Format("2006-01-02"), clock.At(d.LastSubmit).Format("2006-01-02 MST"))
		}
		switch {
		case !clock.Known:
			span += " (the header has no UnixStartTime)"
		case note != "":
			span += " (" + note + ")"
		}
		out += line("period", "%s", span)
	}
	if !math.IsNaN(d.OfferedLoad) {
		out += line("offered load", "%s", fixed(d.OfferedLoad, 3))
	}
	if !math.IsNaN(d.Serial) {
		sizes := fmt.Sprintf("%.1f%% serial", 100*d.Serial)
		if !math.IsNaN(d.PowerOfTwo) {
			sizes += fmt.Sprintf(", %.1f%% of the others a power of two", 100*d.PowerOfTwo)
		}
		out += line("sizes", "%s", sizes)
	}
	var parts []string
	for _, g := range d.Groups {
		if g.Known > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", g.Distinct, strings.TrimSuffix(g.Name, "_id")+"s"))
		}
	}
	if len(parts) > 0 {
		out += line("who and where", "%s", strings.Join(parts, ", "))
	}
	codes := make([]int64, 0, len(d.Status))
	for code := range d.Status {
		codes = append(codes, code)
	}
	slices.SortFunc(codes, func(a, b int64) int {
		return cmp.Or(cmp.Compare(d.Status[b], d.Status[a]), cmp.Compare(a, b))
	})
	parts = parts[:0]
	for _, code := range codes {
		parts = append(parts, fmt.Sprintf("%d %s", d.Status[code], statusName(code)))
	}
	out += line("status", "%s", strings.Join(parts, ", "))
	var missing []string
	for _, c := range d.Columns {
		if c.Known == 0 {
			missing = append(missing, c.Name)
		}
	}
	for _, g := range d.Groups {
		if g.Known == 0 {
			missing = append(missing, g.Name)
		}
	}
	if len(missing) > 0 {
		out += line("not in the log", "%s", wrap(missing, 80, 15))
	}
	_, err := io.WriteString(w, out+"\n")
	return err
}
