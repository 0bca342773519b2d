package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/flags"
	"github.com/loadstone-hpc/loadstone/cmd/internal/output"
	"github.com/loadstone-hpc/loadstone/cmd/internal/tables"
	"github.com/loadstone-hpc/loadstone/cmd/internal/view"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
	"github.com/loadstone-hpc/loadstone/workload/reshape"
)

type splitOptions struct {
	oneLog
	Pattern string `opt:"output,o" common:"true" help:"<pattern> of the files' names, with {n} or {value}: .swf .csv .batsim.json (also .gz or .zst), .parquet .arrow .arrows"`
	reshape.SplitOptions
	Result resultOptions `without:"output"`
}

func (o *splitOptions) check(*app) error {
	if !strings.Contains(o.Pattern, "{n}") && !strings.Contains(o.Pattern, "{value}") {
		return flags.Usagef("-o %q: want a pattern with {n} or {value} in it, such as 'part-{n}.swf'", o.Pattern)
	}
	if _, err := logfile.FormatOf(o.Pattern, nil); err != nil {
		return flags.Usagef("-o %w", err)
	}
	return nil
}

// nameParts sets the file name of each part.
func (o *splitOptions) nameParts(a *app, parts []reshape.Part) error {
	width := len(strconv.Itoa(len(parts)))
	used := map[string]string{} // names by output.Place
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

func (o *splitOptions) run(ctx context.Context, a *app) (*findings, error) {
	src, err := a.source(o.input)
	if err != nil {
		return nil, err
	}
	defer src.close()
	s, err := reshape.Split(ctx, src.open, o.SplitOptions)
	if err != nil {
		return nil, inLog(o.input, err)
	}
	if err := o.nameParts(a, s.Parts); err != nil {
		return nil, err
	}
	for from := 0; from < len(s.Parts); {
		to := s.Together(from)
		if err := a.writeParts(ctx, src, s, from, to); err != nil {
			return nil, err
		}
		from = to
	}
	return &findings{about: o.input, remarks: view.Warnings(s.Warnings), result: tables.Split(s)}, nil
}

// partRows is the number of jobs that are gathered for a part before they are written.
const partRows = 4096

// partFile is a part that is being written.
type partFile struct {
	*jobsFile
	gathered *workload.Batch
	change   reshape.Change
}

func (p *partFile) flush() error {
	b := p.gathered
	p.gathered = &workload.Batch{}
	return p.Write(b)
}

// writeParts writes the parts from to to-1 in one pass over the log.
func (a *app) writeParts(ctx context.Context, src *source, s *reshape.Splitting, from, to int) error {
	var files []*partFile
	for _, p := range s.Parts[from:to] {
		out, err := a.create(p.File, workload.Header{}, workload.WriteOptions{Columns: s.Optional(), HeaderLast: true})
		if err != nil {
			return err
		}
		defer out.stop()
		f := &partFile{jobsFile: out, gathered: &workload.Batch{}}
		files = append(files, f)
	}
	log, err := src.read(func(log *workload.Log) error {
		for j, err := range workload.Until(ctx, log.Jobs()) {
			if err != nil {
				return err
			}
			i, err := s.Part(&j)
			if err != nil {
				return inLog(src.name, err)
			}
			if i < from || i >= to {
				continue
			}
			f := files[i-from]
			f.change.After.Add(&j)
			if f.gathered.Append(&j); f.gathered.Rows == partRows {
				if err := f.flush(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, f := range files {
		if f.gathered.Rows > 0 {
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
