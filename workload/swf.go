package workload

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// maxHeader bounds the memory that a header may take.
const maxHeader = 16 << 20

// swfFormat is the standard workload format. Nothing but its lines of numbers
// shows it, so it is what is left where no other format fits.
var swfFormat = Format{
	Name:       "swf",
	Extensions: []string{".swf"},
	Text:       true,
	Open:       func(name string, r *bufio.Reader, o Options) (*Log, error) { return openSWF(name, r, o) },
	Create: func(w io.Writer, h Header, _ WriteOptions) (Writer, error) {
		return newTextWriter(w, AppendSWFHeader(nil, h), ";", AppendSWF), nil
	},
	Losses: SWFLosses,
}

// openSWF reads the standard workload format, version 2.2 (Feitelson,
// "Parallel Workloads Archive: Standard Workload Format"): one job a line, 18
// numbers with blanks between, -1 for unknown, and comment lines that begin
// with ';', of which those before the first job are the header. It reads up to
// the first job now and the rest as batches are pulled: one goroutine cuts the
// text at line ends, o.Workers decode.
func openSWF(name string, r io.Reader, o Options) (*Log, error) {
	return openSWFChunks(name, r, o, chunkSize)
}

func openSWFChunks(name string, r io.Reader, o Options, size int) (*Log, error) {
	workers := par.Workers(o.Workers)
	s := &swfReader{
		name:    name,
		workers: workers,
		lines:   newLineSource(name, r, size, 2*workers+2),
		mem:     o.Allocator,
	}
	if s.mem == nil {
		s.mem = memory.DefaultAllocator
	}
	l, from := NewLog(name, "swf")
	s.log, s.from = l, from
	if err := s.readHeader(&l.Header, ';'); err != nil {
		return nil, err
	}
	s.bare = len(l.Header.Lines) == 0
	from.Batches = s.batches
	return l, nil
}

// swfReader is the state of a log that is being read.
type swfReader struct {
	name    string
	workers int
	lines   *lineSource
	mem     memory.Allocator
	log     *Log
	from    *Reading

	pending []byte  // whole lines read with the header, from the first job on
	line    int64   // lines read so far
	row     int64   // jobs read so far
	submit  float64 // the last job's submission
	used    bool
	bare    bool // no line of the file is a comment: without jobs, nothing shows that it is a log
}

// readHeader takes the lines before the first job, which begin with mark.
func (s *swfReader) readHeader(h *Header, mark byte) error {
	size := 0
	s.submit = math.Inf(-1)
	for {
		chunk, err := s.lines.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.atLine(err)
		}
		for pos := 0; pos < len(chunk); {
			end := pos + bytes.IndexByte(chunk[pos:], '\n')
			if end-pos > maxLine {
				return lineTooLong(s.name, s.line+1, chunk[pos:end])
			}
			text := bytes.TrimLeft(bytes.TrimSuffix(chunk[pos:end], []byte{'\r'}), " \t")
			if len(text) > 0 && text[0] != mark {
				s.pending = chunk[pos:]
				return nil
			}
			if bytes.IndexByte(text, 0) >= 0 {
				return notText(s.name, s.line+1, text)
			}
			s.line++
			pos = end + 1
			if len(text) > 0 {
				h.Lines = append(h.Lines, string(text[1:]))
				// A string takes 16 bytes beside its text.
				if size += len(text) + 16; size > maxHeader {
					return &InputError{File: s.name, Line: s.line, Saw: "more than 16 MiB of header", Want: "jobs"}
				}
			}
		}
		s.lines.recycle(chunk)
	}
}

// atLine makes the line of an error absolute, which came as one counted from
// the lines read so far.
func (s *swfReader) atLine(err error) error {
	var e *InputError
	if errors.As(err, &e) && e.Line > 0 {
		e.Line += s.line
	}
	return err
}

// chunks yields the text from the first job on.
func (s *swfReader) chunks() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if s.pending != nil && !yield(s.pending, nil) {
			return
		}
		for {
			chunk, err := s.lines.next()
			if err == io.EOF || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}

// batches decodes the chunks, several at a time, and puts together what only
// the order of the chunks can tell: line numbers and the order of submissions.
func (s *swfReader) batches(yield func(arrow.Record, error) bool) {
	if s.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", s.name))
		return
	}
	s.used = true
	decode := func(chunk []byte) (*swfBatch, error) {
		defer s.lines.recycle(chunk)
		return parseSWF(s.name, chunk, s.mem)
	}
	for b, err := range par.Map(s.workers, s.chunks(), decode, (*swfBatch).release) {
		if err != nil {
			yield(nil, s.firstLine(s.atLine(err)))
			return
		}
		b.countBackSteps(&s.submit)
		b.warnings.moveTo(&s.from.Warnings, s.line)
		s.from.Lines = &RowLines{Row: s.row, Line: s.line, Gaps: b.gaps}
		s.line += b.lines
		if b.rows == 0 {
			b.release()
			continue
		}
		s.row += int64(b.rows)
		more := yield(b.rec, nil)
		b.release()
		if !more {
			return
		}
	}
	if s.row == 0 && s.bare {
		yield(nil, &InputError{File: s.name, Err: fmt.Errorf("%w in %d lines", ErrNoJobs, s.line)})
	}
}

// firstLine adds to an error in the first line after the header that the file
// may well be something else.
func (s *swfReader) firstLine(err error) error {
	var e *InputError
	if s.row == 0 && errors.As(err, &e) && e.Line == s.line+1 && (e.Field != "" || e.Want == wantFields) {
		e.Want += " (the standard workload format has 18 numbers a line, with blanks between)"
	}
	return err
}
