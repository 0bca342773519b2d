package swf

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Format is the standard workload format. Nothing but its lines of numbers
// shows it, so it is what is left where no other format fits.
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

// open reads the standard workload format, version 2.2 (Feitelson,
// "Parallel Workloads Archive: Standard Workload Format"): one job a line, 18
// numbers with blanks between, -1 for unknown, and comment lines that begin
// with ';', of which those before the first job are the header. It reads up to
// the first job now and the rest as batches are pulled: one goroutine cuts the
// text at line ends, o.Workers decode.
func open(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openChunks(name, r, o, parse.ChunkSize)
}

func openChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s := &reader{parse.NewReader(name, "swf", r, o, size)}
	if err := s.ReadHeader(&s.Log.Header, ';'); err != nil {
		return nil, err
	}
	s.Bare = len(s.Log.Header.Lines) == 0
	s.From.Batches = s.batches
	return s.Log, nil
}

// reader is the state of a log that is being read.
type reader struct{ *parse.Reader }

// batches decodes the chunks, several at a time, and puts together what only
// the order of the chunks can tell: line numbers and the order of submissions.
func (s *reader) batches(yield func(workload.Batch, error) bool) {
	if s.Used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", s.Name))
		return
	}
	s.Used = true
	decode := func(chunk []byte) (*parse.Batch, error) {
		defer s.Lines.Recycle(chunk)
		return parseChunk(s.Name, chunk, s.Mem)
	}
	for b, err := range par.Map(s.Workers, s.Chunks(), decode, (*parse.Batch).Release) {
		if err != nil {
			yield(nil, s.firstLine(s.AtLine(err)))
			return
		}
		b.CountBackSteps(&s.Submit)
		b.Warnings.MoveTo(&s.From.Warnings, s.Line)
		s.From.Lines = &workload.RowLines{Row: s.Row, Line: s.Line, Gaps: b.Gaps}
		s.Line += b.Lines
		if b.Rows == 0 {
			b.Release()
			continue
		}
		s.Row += int64(b.Rows)
		more := yield(b.Rec, nil)
		b.Release()
		if !more {
			return
		}
	}
	if s.Row == 0 && s.Bare {
		yield(nil, &workload.InputError{File: s.Name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.Line)})
	}
}

// firstLine adds to an error in the first line after the header that the file
// may well be something else.
func (s *reader) firstLine(err error) error {
	var e *workload.InputError
	if s.Row == 0 && errors.As(err, &e) && e.Line == s.Line+1 && (e.Field != "" || e.Want == wantFields) {
		e.Want += " (the standard workload format has 18 numbers a line, with blanks between)"
	}
	return err
}
