package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type splitOptions struct {
	Pattern string `opt:"output,o" common:"true" help:"<pattern> of the files' names, with {n} or {value}: .swf .csv .batsim.json (also .gz or .zst), .parquet .arrow .arrows"`
	reshape.SplitOptions
	Result resultOptions `without:"output"`

	input string
}

func newSplitCmd(a *app, run func(context.Context, *app, splitOptions) error) *cobra.Command {
	var o splitOptions
	cmd := &cobra.Command{
		Use: "split LOG -o PATTERN {--at | --every | --by | --parts} VALUE",

		Short: "Split a log by time, by user or queue, or into equal parts",
		Long: `Writes each job of a log to one of several files. PATTERN is a file name with
{n}, the number of the part from 1 (padded with zeros), or {value}: the start of
its time, or its user, queue and so on.

  --at TIME,...       at dates such as 1996-12-24 or 1996-12-24T18:00, in the
                      log's time zone, or seconds from the log's start
  --every INTERVAL    12h, 1d, 1w, 1month, 1year, by the calendar
  --by COLUMNS        one part for each value of a column, or range of sizes
  --parts N           N parts with equal numbers of jobs, in the log's order

The list of parts goes to standard output.`,
		Annotations: map[string]string{flags.Details: fmt.Sprintf(`A job submitted exactly at a TIME belongs to the part that starts there.
Intervals of seconds, minutes (m) and hours count from the log's start; days,
weeks (from Monday), months and years follow the calendar. A part of one month
is named 1996-09, of one year 1996, any other by its first day.

Periods without jobs make no part. Jobs whose time or value is unknown make one
called unknown. Jobs keep their values, and times in a part count from the start
of the whole log. Each header gets the part's counts and a note. There may be %d
parts. They appear together, when all are complete: a split that fails or is
interrupted leaves none, and replaces no old part.`, reshape.MaxParts)},
		Example: `  loadstone split kth.parquet -o 'kth-{value}.swf.gz' --every 1month
  loadstone split kth.parquet -o 'part-{n}.parquet' --parts 4`,
		Args: func(_ *cobra.Command, args []string) error { return new(oneLog).args(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			o.input = args[0]
			byNumber, byValue := strings.Contains(o.Pattern, "{n}"), strings.Contains(o.Pattern, "{value}")
			switch {
			case !byNumber && !byValue:
				return flags.Usagef("-o %q: want a pattern with {n} or {value} in it, such as 'part-{n}.swf'", o.Pattern)
			}
			if _, err := logfile.FormatOf(o.Pattern, nil); err != nil {
				return flags.Usagef("-o %w", err)
			}
			if err := o.Validate(); err != nil {
				return err
			}
			return run(cmd.Context(), a, o)
		},
	}
	flags.Bind(cmd, &o)
	return cmd
}

// nameParts gives each part its file.
func (a *app) nameParts(o splitOptions, parts []reshape.Part) error {
	width := len(strconv.Itoa(len(parts)))
	used := map[string]string{} // names by their places
	for i := range parts {
		p := &parts[i]
		p.File = strings.NewReplacer("{n}", fmt.Sprintf("%0*d", width, p.N), "{value}", p.Value).Replace(o.Pattern)
		at := output.Place(p.File)
		switch other, ok := used[at]; {
		case other == p.File:
			return flags.Usagef("two parts would be called %s: use {n}", p.File)
		case ok:
			return flags.Usagef("%s: is another output too, %s: want another name for the parts", p.File, other)
		}
		if a.samePath(p.File, o.Result.Output) {
			return fmt.Errorf("%s: a part would replace the list of parts", p.File)
		}
		if err := a.notOver([]string{o.input}, p.File); err != nil {
			return err
		}
		used[at] = p.File
	}
	return nil
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

func runSplit(ctx context.Context, a *app, o splitOptions) error {
	src, err := a.source(o.input)
	if err != nil {
		return err
	}
	defer src.close()
	s, err := reshape.Split(ctx, src.open, o.SplitOptions)
	if err != nil {
		return inLog(o.input, err)
	}
	if err := a.nameParts(o, s.Parts); err != nil {
		return err
	}
	for from := 0; from < len(s.Parts); {
		to := from + together(s.Parts[from:])
		if err := a.writeParts(ctx, src, s, from, to); err != nil {
			return err
		}
		from = to
	}
	a.warnAll(o.input, s.Warnings)
	return a.put(o.Result, tables.Split(s))
}

// partRows is how many jobs are gathered for a part before they are written.
const partRows = 4096

// partFile is a part that is being written.
type partFile struct {
	*jobsFile
	gathered *workload.Builder
	change   reshape.Change
}

func (p *partFile) flush() error {
	rec := p.gathered.Record()
	defer rec.Release()
	return p.Write(rec)
}

// writeParts writes some of the parts in one reading of the log.
func (a *app) writeParts(ctx context.Context, src *source, s *reshape.Splitting, from, to int) error {
	var files []*partFile
	for _, p := range s.Parts[from:to] {
		out, err := a.create(p.File, workload.Header{}, workload.WriteOptions{Columns: s.Optional(), HeaderLast: true})
		if err != nil {
			return err
		}
		defer out.stop()
		f := &partFile{jobsFile: out, gathered: workload.NewBuilder(nil)}
		defer f.gathered.Release()
		files = append(files, f)
	}
	log, err := src.read(func(log *workload.Log) error {
		return s.Jobs(workload.Until(ctx, log.Jobs()), from, to, func(i int, j *workload.Job) error {
			f := files[i]
			f.change.After.Add(j)
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
		p := s.Parts[from+i]
		note := fmt.Sprintf("part %d of %d: %s; times count from the start of the whole log", p.N, len(s.Parts), p.Value)
		f.SetHeader(f.change.Header(log.Header, "loadstone split", note))
	}
	for i, f := range files {
		if err := a.outputs.Finish(f.Output); err != nil {
			return err
		}
		a.tellLosses(s.Parts[from+i].File, f.Output)
	}
	return nil
}
