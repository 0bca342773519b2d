package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type splitOptions struct {
	input   string
	pattern string
	at      []string
	every   string
	by      string
	parts   int
	result  resultOptions
}

func newSplitCmd(a *app, run func(context.Context, *app, splitOptions) error) *cobra.Command {
	var o splitOptions
	cmd := &cobra.Command{
		Use: "split IN -o PATTERN (--at TIME,... | --every INTERVAL | --by COLUMN | --parts N)",

		DisableFlagsInUseLine: true,

		Short: "Take a log apart: by time, by user or queue, or in equal parts",
		Long: fmt.Sprintf(`Writes each job of a log to one of several files. PATTERN is a file's name with
{n} in it, the number of the part from 1 on (with zeros in front, so that names
sort), or {value}: the begin of its time, or its user, queue and so on.

  --at TIME,...       at moments: dates such as 1996-12-24 or
                      1996-12-24T18:00 in the log's own time zone, or seconds
                      from the log's start. A job submitted at that very moment
                      belongs to the part behind it.
  --every INTERVAL    12h, 1d, 1w, 1month, 1year: seconds, minutes (m) and hours
                      from the log's start; days, weeks (from Monday), months
                      and years by the calendar
  --by COLUMN         one part for each value
  --parts N           N parts of equally many jobs, in the log's order

Times with no job make no part; jobs whose time or value is not known make one
called unknown. Jobs stay as they are, and so does the log's start: times in a
part count from the start of the whole. Each header gets the part's counts and a
note. There may be %d parts. They are put in place together, when all are whole: a
split that fails or is interrupted leaves none, and no old part is replaced. The
list of parts goes to standard output.`, reshape.MaxParts),
		Example: `  loadstone split kth.parquet -o 'kth-{value}.swf.gz' --every 1month
  loadstone split kth.parquet -o 'part-{n}.parquet' --parts 4`,
		Args: oneLog,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			chosen := 0
			for _, name := range []string{"at", "every", "by", "parts"} {
				if cmd.Flags().Changed(name) {
					chosen++
				}
			}
			byNumber, byValue := strings.Contains(o.pattern, "{n}"), strings.Contains(o.pattern, "{value}")
			switch {
			case chosen != 1:
				return usagef(cmd, "want one of --at, --every, --by and --parts")
			case !byNumber && !byValue:
				return usagef(cmd, "-o %q: want a pattern with {n} or {value} in it, such as 'part-{n}.swf'", o.pattern)
			case cmd.Flags().Changed("parts") && (o.parts < 1 || o.parts > reshape.MaxParts):
				return usagef(cmd, "--parts %d: want 1 to %d", o.parts, reshape.MaxParts)
			}
			if _, err := logfile.FormatOf(o.pattern); err != nil {
				return usagef(cmd, "-o %w", err)
			}
			if _, err := reshape.ParseInterval(o.every); cmd.Flags().Changed("every") && err != nil {
				return usagef(cmd, "--every: saw %w", err)
			}
			if err := eachOnce(o.at); err != nil {
				return usagef(cmd, "--at: %w", err)
			}
			return run(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVarP(&o.pattern, "output", "o", "", "`pattern` of the files' names, with {n} or {value}: "+outputNames)
	cmd.Flags().StringSliceVar(&o.at, "at", nil, "moments to split at, by commas")
	cmd.Flags().StringVar(&o.every, "every", "", "length of a part, such as 12h, 1d, 1w, 1month")
	enumFlag(cmd, &o.by, "by", "column to split by", columnNames(reshape.DivisionColumns()))
	cmd.Flags().IntVar(&o.parts, "parts", 0, "how many parts of equally many jobs")
	addResultFlags(cmd, &o.result, false)
	return cmd
}

// parseMoment reads a time of an option as seconds from the log's start.
func parseMoment(option, s string, clock workload.Clock) (float64, error) {
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		return seconds, nil
	}
	for _, layout := range []string{"2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		t, err := time.ParseInLocation(layout, s, clock.Start.Location())
		if err != nil {
			continue
		}
		if !clock.Known {
			return 0, fmt.Errorf("%s %s: the log's header does not say when it starts (UnixStartTime): want seconds from its start", option, s)
		}
		return float64(t.Unix() - clock.Start.Unix()), nil
	}
	return 0, fmt.Errorf("%s %s: want a date such as 1996-12-24 or 1996-12-24T18:00, or seconds from the log's start", option, s)
}

// division is what the options ask for. A division into equal parts needs the
// number of jobs: it takes a reading of the log.
func (o *splitOptions) division(ctx context.Context, src *source) (reshape.Division, error) {
	if o.by != "" {
		return reshape.DivideBy(workload.ColumnIndex(o.by))
	}
	var jobs int64
	log, err := src.read(func(log *workload.Log) error {
		if o.parts == 0 {
			return nil
		}
		for rec, err := range workload.Until(ctx, log.Batches()) {
			if err != nil {
				return err
			}
			jobs += rec.NumRows()
		}
		return nil
	})
	if err != nil {
		return reshape.Division{}, err
	}
	clock, remark := log.Header.Clock()
	if remark != "" && o.parts == 0 {
		src.a.warn("%s: %s", o.input, remark)
	}
	switch {
	case o.parts > 0:
		return reshape.DivideEqually(o.parts, jobs)
	case o.every != "":
		every, err := reshape.ParseInterval(o.every)
		if err != nil {
			return reshape.Division{}, err
		}
		return reshape.DivideEvery(every, clock)
	}
	var moments []float64
	for _, s := range o.at {
		t, err := parseMoment("--at", strings.TrimSpace(s), clock)
		if err != nil {
			return reshape.Division{}, err
		}
		moments = append(moments, t)
	}
	return reshape.DivideAt(moments, clock)
}

// partNames are the parts' files.
func (a *app) partNames(o splitOptions, parts []reshape.Part) ([]string, error) {
	width := len(strconv.Itoa(len(parts)))
	used := map[string]string{} // names by their places
	var names []string
	for _, p := range parts {
		name := strings.NewReplacer("{n}", fmt.Sprintf("%0*d", width, p.N), "{value}", p.Value).Replace(o.pattern)
		at := place(name)
		switch other, ok := used[at]; {
		case other == name:
			return nil, usagef(a.cmd, "two parts would be called %s: use {n}", name)
		case ok:
			return nil, usagef(a.cmd, "%s: is another output too, %s: want another name for the parts", name, other)
		}
		if a.samePath(name, o.input) || a.samePath(name, o.result.output) {
			return nil, fmt.Errorf("%s: a part would replace the log itself, or the list of parts", name)
		}
		used[at] = name
		names = append(names, name)
	}
	return names, nil
}

const (
	// splitFiles is how many parts are written in one reading of the log: each
	// takes some 5 MB.
	splitFiles = 24
	// splitJobs bounds the jobs that the writers of these hold at a time, each
	// of which holds at most splitGroup (Parquet's row group).
	splitJobs  = 1 << 20
	splitGroup = 1 << 18
)

// together is how many of the next parts to write in one reading.
func together(parts []reshape.Part) int {
	held := int64(0)
	for i, p := range parts {
		if held += min(p.Jobs, splitGroup); i == splitFiles || i > 0 && held > splitJobs {
			return i
		}
	}
	return len(parts)
}

type splitJSON struct {
	Schema string          `json:"schema"`
	Log    string          `json:"log"`
	Parts  []splitPartJSON `json:"parts"`
}

type splitPartJSON struct {
	N     int    `json:"n"`
	Value string `json:"value"`
	Jobs  int64  `json:"jobs"`
	File  string `json:"file"`
}

func runSplit(ctx context.Context, a *app, o splitOptions) error {
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	d, err := o.division(ctx, src)
	if err != nil {
		return inLog(o.input, err)
	}
	var parts []reshape.Part
	log, err := src.read(func(log *workload.Log) (err error) {
		parts, err = d.Parts(workload.Until(ctx, log.Jobs()))
		return inLog(o.input, err)
	})
	if err != nil {
		return err
	}
	names, err := a.partNames(o, parts)
	if err != nil {
		return err
	}
	for from := 0; from < len(parts); {
		to := from + together(parts[from:])
		if err := a.writeParts(ctx, src, d, parts, names, from, to); err != nil {
			return err
		}
		from = to
	}
	a.warnAll(o.input, log.Warnings())
	js := splitJSON{Schema: "loadstone.split/1", Log: o.input}
	t := present.Table{Head: []string{"n", "value", "jobs", "file"}}
	for i, p := range parts {
		js.Parts = append(js.Parts, splitPartJSON{p.N, p.Value, p.Jobs, names[i]})
		t.Add(strconv.Itoa(p.N), p.Value, strconv.FormatInt(p.Jobs, 10), names[i])
	}
	return a.put(o.result, result{text: func(w io.Writer) error { return t.WriteTable(w) }, json: js, csv: t})
}

// partRows is how many jobs are gathered for a part before they are written.
const partRows = 4096

// partFile is a part that is being written.
type partFile struct {
	*output
	gathered *workload.Builder
	facts    changed
}

func (p *partFile) flush() error {
	rec := p.gathered.Record()
	defer rec.Release()
	return p.Write(rec)
}

// writeParts writes some of the parts in one reading of the log.
func (a *app) writeParts(ctx context.Context, src *source, d reshape.Division, parts []reshape.Part, names []string, from, to int) error {
	var files []*partFile
	for _, name := range names[from:to] {
		out, err := a.create(name, workload.Header{}, workload.WriteOptions{HeaderLast: true})
		if err != nil {
			return err
		}
		defer out.stop()
		f := &partFile{output: out, gathered: workload.NewBuilder(nil)}
		defer f.gathered.Release()
		files = append(files, f)
	}
	log, err := src.read(func(log *workload.Log) error {
		return d.Of(workload.Until(ctx, log.Jobs()), parts[from:to], func(i int, j *workload.Job) error {
			f := files[i]
			f.facts.after.Add(j)
			if f.gathered.Append(j); f.gathered.Len() < partRows {
				return nil
			}
			return f.flush()
		})
	})
	if err != nil {
		return err
	}
	for i, f := range files {
		if f.gathered.Len() > 0 {
			if err := f.flush(); err != nil {
				return err
			}
		}
		p := parts[from+i]
		note := fmt.Sprintf("part %d of %d: %s; times count from the start of the whole log", p.N, len(parts), p.Value)
		f.SetHeader(f.facts.header(log.Header, "split", note))
	}
	for i, f := range files {
		if err := a.outputs.finish(f.Output); err != nil {
			return err
		}
		a.tellLosses(names[from+i], f.Output)
	}
	return nil
}
