package parse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// MaxHeader bounds the memory that a header may take.
const MaxHeader = 16 << 20

// Reader is the state of a log of one job a line that is being read.
type Reader struct {
	Name    string
	Workers int
	Lines   *Lines
	Log     *workload.Log
	From    *workload.Reading

	pending []byte  // whole lines read with the header, from the first job on
	Line    int64   // lines read so far
	Row     int64   // jobs read so far
	Submit  float64 // the last job's submission
	used    bool
	bare    bool // no line of the file is a comment: without jobs, nothing shows that it is a log
}

// NewReader returns a reader that cuts chunks of size bytes.
func NewReader(name, format string, r io.Reader, o workload.Options, size int) *Reader {
	workers := par.Workers(o.Workers)
	s := &Reader{Name: name, Workers: workers, Lines: NewLines(name, r, size, 2*workers+2), bare: true}
	s.Log, s.From = workload.NewLog(name, format)
	return s
}

// ReadHeader takes the lines before the first job, which begin with mark.
func (s *Reader) ReadHeader(mark byte) error {
	h, size := &s.Log.Header, 0
	s.Submit = math.Inf(-1)
	for {
		chunk, err := s.Lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.AtLine(err)
		}
		for pos := 0; pos < len(chunk); {
			end := pos + bytes.IndexByte(chunk[pos:], '\n')
			if end-pos > MaxLine {
				return LineTooLong(s.Name, s.Line+1, chunk[pos:end])
			}
			text := bytes.TrimLeft(bytes.TrimSuffix(chunk[pos:end], []byte{'\r'}), " \t")
			if len(text) > 0 && text[0] != mark {
				s.pending = chunk[pos:]
				return nil
			}
			if bytes.IndexByte(text, 0) >= 0 {
				return NotText(s.Name, s.Line+1, text)
			}
			s.Line++
			pos = end + 1
			if len(text) > 0 {
				s.bare = false
				h.Lines = append(h.Lines, string(text[1:]))
				// A string takes 16 bytes beside its text.
				if size += len(text) + 16; size > MaxHeader {
					return &workload.InputError{File: s.Name, Line: s.Line, Saw: "more than 16 MiB of header", Want: "jobs"}
				}
			}
		}
		s.Lines.Recycle(chunk)
	}
}

// Pending is the text that was read with the header, from the first job on.
func (s *Reader) Pending() []byte { return s.pending }

// AtLine makes the line of an error absolute, which came as one counted from
// the lines read so far.
func (s *Reader) AtLine(err error) error {
	var e *workload.InputError
	if errors.As(err, &e) && e.Line > 0 {
		e.Line += s.Line
	}
	return err
}

// ReadBatches decodes the chunks, several at a time, and puts together what only
// the order of the chunks can tell. decode gets a chunk's text. next gets what
// became of each chunk, in their order and before Line and Row count it; it makes
// the jobs where decode did not, and calls Count. ReadBatches returns true at the
// end of the log, and false after an error or where yield has seen enough.
func ReadBatches[C chunk](s *Reader, yield func(*workload.Batch, error) bool, decode func(name string, text []byte) (C, error), next func(C)) bool {
	if s.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once: open it again", s.Name))
		return false
	}
	s.used = true
	decoded := func(text []byte) (C, error) {
		defer s.Lines.Recycle(text)
		return decode(s.Name, text)
	}
	for c, err := range par.Map(s.Workers, s.chunks(), decoded, nil) {
		if err != nil {
			yield(nil, s.AtLine(err))
			return false
		}
		next(c)
		b := c.batch()
		s.From.Lines = &workload.RowLines{Row: s.Row, Line: s.Line, Gaps: b.Gaps}
		s.Line += b.Lines
		s.Row += int64(b.Rows)
		if b.Rows > 0 && !yield(b.Jobs, nil) {
			return false
		}
	}
	if s.bare && s.pending == nil {
		yield(nil, &workload.InputError{File: s.Name, Err: fmt.Errorf("%w in %d lines", workload.ErrNoJobs, s.Line)})
		return false
	}
	return true
}

// chunk is a *Batch, or of a type that embeds a Batch.
type chunk interface{ batch() *Batch }

// Count counts the oddities of a batch, which has its jobs, and the jobs in it
// that were submitted before the one above them.
func (s *Reader) Count(b *Batch) {
	b.countBackSteps(&s.Submit)
	b.Warnings.moveTo(&s.From.Warnings, s.Line)
}

// chunks yields the text from the first job on.
func (s *Reader) chunks() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if s.pending != nil && !yield(s.pending, nil) {
			return
		}
		for {
			chunk, err := s.Lines.Next()
			if err == io.EOF || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}
