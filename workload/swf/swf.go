package swf

import (
	"bufio"
	"errors"
	"io"

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
	s := &reader{Reader: parse.NewReader(name, "swf", r, o, size)}
	if err := s.ReadHeader(';'); err != nil {
		return nil, err
	}
	if s.frontier = isFrontier(s.Pending()); s.frontier {
		s.From.Declare(workload.ColumnSetOf(workload.ColAllocatedNodes, workload.ColAllocatedGPUs))
	}
	s.From.Batches = s.batches
	return s.Log, nil
}

// reader is the state of a log that is being read.
type reader struct {
	*parse.Reader
	frontier bool // the lines have the 21 fields of Frontier's logs
}

// chunk is what became of a chunk of text.
type chunk struct {
	*parse.Batch
	extra *frontierRows // of Frontier's form, else nil
}

func (s *reader) batches(yield func(*workload.Batch, error) bool) {
	explain := func(b *workload.Batch, err error) bool { return yield(b, s.firstLine(err)) }
	decode := func(name string, text []byte) (chunk, error) {
		return parseChunk(name, text, s.frontier)
	}
	parse.ReadBatches(s.Reader, explain, decode, func(c chunk) {
		s.Count(c.Batch)
		if c.extra != nil {
			c.extra.count(&s.From.Warnings, s.Line)
		}
	})
}

// firstLine adds to an error in the first line after the header that the file
// may well be something else.
func (s *reader) firstLine(err error) error {
	var e *workload.InputError
	if s.Row == 0 && errors.As(err, &e) && e.Line == s.Line+1 && (e.Field != "" || e.Want == wantFields) {
		e.Want += " (the standard workload format has 18 numbers a line, separated by blanks)"
	}
	return err
}
