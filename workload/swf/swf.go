package swf

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Format is the Standard Workload Format. Only its lines of numbers identify it, so package
// logfile tries it last.
var Format = workload.Format{
	Name:       "swf",
	Extensions: []string{".swf"},
	Text:       true,
	Open:       func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) { return open(name, r, o) },
	Create: func(w io.Writer, h workload.Header, _ workload.WriteOptions) (workload.Writer, error) {
		return parse.NewWriter(w, AppendHeader(nil, h), ";", Append), nil
	},
	Losses: Losses,
}

// open reads the standard workload format, version 2.2 (Feitelson, "Parallel Workloads Archive:
// Standard Workload Format"): one job per line, as 18 numbers separated by blanks, with -1 for
// unknown, and comment lines that begin with ';', of which those before the first job are the
// header. It reads the lines before the first job at once and the rest as batches are pulled: one
// goroutine splits the text at line ends, and o.Workers goroutines decode it.
func open(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openChunks(name, r, o, parse.ChunkSize)
}

func openChunks(name string, r io.Reader, o workload.Options, size int) (log *workload.Log, err error) {
	s := &reader{name: name, workers: par.Workers(o.Workers)}
	s.lines = parse.NewLines(name, r, size, 2*s.workers+2)
	log, s.from = workload.NewLog(name, "swf")
	s.from.Batches = s.batches
	log.Header.Lines, s.line, err = s.lines.Header(parse.Begins(";"))
	s.hasHeader = len(log.Header.Lines) > 0
	return log, err
}

// reader is the state of a log that is being read.
type reader struct {
	name      string
	workers   int
	lines     *parse.Lines
	from      *workload.Reading
	hasHeader bool

	line  int64 // lines read so far
	row   int64 // jobs read so far
	order parse.SubmitOrder
}

// batches decodes the chunks, several at a time. It adds to them in order the line numbers, the
// warnings and the check of the order of submission, which depend on the chunks before.
func (s *reader) batches(yield func(*workload.Batch, error) bool) {
	decode := func(text []byte) (*chunk, error) {
		defer s.lines.Recycle(text)
		return parseChunk(s.name, text)
	}
	for c, err := range par.Map(s.workers, s.lines.Chunks, decode, nil) {
		if err != nil {
			yield(nil, s.explain(parse.AtLine(err, s.line)))
			return
		}
		c.odd.MoveLines(s.line)
		s.from.Warnings.Merge(&c.odd)
		s.order.Count(c.jobs, &s.from.Warnings, func(row int) int64 { return s.line + c.lineOf(row) })
		s.from.Lines = &workload.RowLines{Row: s.row, Line: s.line, Gaps: c.gaps}
		s.line += c.lines
		s.row += int64(c.jobs.Rows)
		for part := range c.jobs.Parts {
			if !yield(part, nil) {
				return
			}
		}
	}
	if s.row == 0 && !s.hasHeader { // nothing shows that the file is a log
		yield(nil, &workload.InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.line)})
	}
}

// explain adds to an error in the first line after the header a hint that the file may be in
// another format.
func (s *reader) explain(err error) error {
	var e *workload.InputError
	if s.row == 0 && errors.As(err, &e) && e.Line == s.line+1 && (e.Field != "" || e.Want == wantFields) {
		e.Want += " (the standard workload format has 18 numbers a line, separated by blanks)"
	}
	return err
}

// Append appends a line for each job in b: 18 fields separated by single blanks, -1 for
// unknown values, and numbers in the shortest form that reads back as the same number.
// Columns that SWF does not have are left out; see Losses. It is safe for concurrent use.
func Append(dst []byte, b *workload.Batch) []byte {
	for i := range b.Rows {
		for f := range parse.Fields {
			if x := b.Floats[f]; x != nil {
				dst = parse.AppendNumber(dst, x[i])
			} else if n := b.Ints[f]; n != nil && n[i] != workload.Unknown {
				dst = parse.AppendWhole(dst, n[i])
			} else {
				dst = append(dst, '-', '1')
			}
			dst = append(dst, ' ')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// AppendHeader appends the lines of h as comments, unchanged except that a line with newlines
// becomes several comments, since the rest of it would be read as a job, and that carriage returns
// at its end are removed, since they would be read as part of the line's end.
func AppendHeader(dst []byte, h workload.Header) []byte {
	for _, line := range h.Lines {
		for part := range strings.SplitSeq(line, "\n") {
			dst = append(dst, ';')
			dst = append(dst, strings.TrimRight(part, "\r")...)
			dst = append(dst, '\n')
		}
	}
	return dst
}

// Losses returns the losses of writing a batch with Append: known values in columns that SWF does
// not have, and values of -1, which SWF reads as unknown.
func Losses(b *workload.Batch) (losses []workload.Loss) {
	for col := range workload.NumColumns {
		c, why, n := workload.ColumnAt(col), "-1 means unknown in the format", int64(0)
		switch {
		case c.SWF == 0:
			why, n = "the format has no such field", int64(b.Known(col))
		case c.Float():
			n = minusOnes(b.Floats[col])
		default:
			n = minusOnes(b.Ints[col])
		}
		if n > 0 {
			losses = append(losses, workload.Loss{Column: c.Name, Why: why, Values: n})
		}
	}
	return losses
}

func minusOnes[T int64 | float64](values []T) (n int64) {
	for _, x := range values {
		if x == -1 {
			n++
		}
	}
	return n
}
