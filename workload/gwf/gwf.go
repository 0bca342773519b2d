package gwf

import (
	"bufio"
	"fmt"
	"io"
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Format is the text flavour of the grid workload format.
var Format = workload.Format{
	Name:       "gwf",
	Extensions: []string{".gwf"},
	Text:       true,
	Sniff: func(name string, r *bufio.Reader, _ workload.Options) bool {
		head, _ := r.Peek(findGWF)
		return sniff(name, head)
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) { return open(name, r, o) },
	Create: func(w io.Writer, h workload.Header, _ workload.WriteOptions) (workload.Writer, error) {
		return parse.NewWriter(w, appendHeader(nil, h), "#", newLineFormat(h).append), nil
	},
	Losses:       Losses,
	HeaderLosses: headerLosses,
}

// open reads the text flavour of the grid workload format (Iosup et al.,
// "The Grid Workloads Archive", FGCS 24(7), 2008): one job a line, 29 fields
// with tabs or blanks between, -1 for unknown, and comment lines that begin
// with '#', of which those before the first job are the header. Its first
// sixteen fields are the standard workload format's, but for users, groups,
// executables, queues and sites, which are texts: see Names. site.go says
// what becomes of the sites.
//
// It reads as the standard workload format is read: up to the first job now, the rest as batches are
// pulled, on o.Workers goroutines.
func open(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openChunks(name, r, o, parse.ChunkSize)
}

func openChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s := &reader{Reader: parse.NewReader(name, "gwf", r, o, size)}
	l := s.Log
	s.From.Names = &s.names.Names
	if err := s.ReadHeader(&l.Header, '#'); err != nil {
		return nil, err
	}
	s.Bare = len(l.Header.Lines) == 0
	if l.Header.Get(gwfSiteKey) == "" {
		l.Header.Add(gwfSiteKey, gwfSiteRule)
	}
	s.From.Batches = s.batches
	return l, nil
}

// reader is the state of a log that is being read.
type reader struct {
	*parse.Reader
	names parse.Names
	waits gwfWaits
}

// batches decodes the chunks, several at a time, and puts together what only
// the order of the chunks can tell: line numbers, the order of submissions,
// and the numbers of the names, which go by first appearance.
func (s *reader) batches(yield func(workload.Batch, error) bool) {
	if s.Used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", s.Name))
		return
	}
	s.Used = true
	decode := func(chunk []byte) (*gwfBatch, error) {
		defer s.Lines.Recycle(chunk)
		return parseChunk(s.Name, chunk, s.Mem)
	}
	for b, err := range s.decoded(decode) {
		if err != nil {
			yield(nil, s.AtLine(err))
			return
		}
		b.Finish(&s.names, s.Row, s.Line)
		b.CountBackSteps(&s.Submit)
		b.Warnings.MoveTo(&s.From.Warnings, s.Line)
		b.more.moveTo(&s.From.Warnings, s.Line)
		s.waits.add(b.waits, s.Line)
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
		return
	}
	s.names.Warn(&s.From.Warnings)
	s.waits.warn(&s.From.Warnings)
	s.names.AddTo(&s.Log.Header)
}

func (s *reader) decoded(decode func([]byte) (*gwfBatch, error)) iter.Seq2[*gwfBatch, error] {
	return par.Map(s.Workers, s.Chunks(), decode, (*gwfBatch).Release)
}
