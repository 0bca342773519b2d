package workload

import (
	"bufio"
	"fmt"
	"io"
	"iter"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/internal/par"
)

// gwfFormatValue is the text flavour of the grid workload format.
var gwfFormatValue = Format{
	Name:       "gwf",
	Extensions: []string{".gwf"},
	Text:       true,
	Sniff: func(name string, r *bufio.Reader, _ Options) bool {
		head, _ := r.Peek(findGWF)
		return isGWF(name, head)
	},
	Open: func(name string, r *bufio.Reader, o Options) (*Log, error) { return openGWF(name, r, o) },
	Create: func(w io.Writer, h Header, _ WriteOptions) (Writer, error) {
		return newTextWriter(w, appendGWFHeader(nil, h), "#", newGWFFormat(h).append), nil
	},
	Losses:       GWFLosses,
	HeaderLosses: gwfHeaderLosses,
}

// openGWF reads the text flavour of the grid workload format (Iosup et al.,
// "The Grid Workloads Archive", FGCS 24(7), 2008): one job a line, 29 fields
// with tabs or blanks between, -1 for unknown, and comment lines that begin
// with '#', of which those before the first job are the header. Its first
// sixteen fields are the standard workload format's, but for users, groups,
// executables, queues and sites, which are texts: see Names. gwf_site.go says
// what becomes of the sites.
//
// It reads as openSWF does: up to the first job now, the rest as batches are
// pulled, on o.Workers goroutines.
func openGWF(name string, r io.Reader, o Options) (*Log, error) {
	return openGWFChunks(name, r, o, chunkSize)
}

func openGWFChunks(name string, r io.Reader, o Options, size int) (*Log, error) {
	workers := par.Workers(o.Workers)
	s := &gwfReader{swfReader: swfReader{
		name:    name,
		workers: workers,
		lines:   newLineSource(name, r, size, 2*workers+2),
		mem:     o.Allocator,
	}}
	if s.mem == nil {
		s.mem = memory.DefaultAllocator
	}
	l, from := NewLog(name, "gwf")
	s.log, s.from = l, from
	from.Names = &s.names.Names
	if err := s.readHeader(&l.Header, '#'); err != nil {
		return nil, err
	}
	s.bare = len(l.Header.Lines) == 0
	if l.Header.Get(gwfSiteKey) == "" {
		l.Header.Add(gwfSiteKey, gwfSiteRule)
	}
	from.Batches = s.batches
	return l, nil
}

// gwfReader is the state of a log that is being read.
type gwfReader struct {
	swfReader
	names logNames
	waits gwfWaits
}

// batches decodes the chunks, several at a time, and puts together what only
// the order of the chunks can tell: line numbers, the order of submissions,
// and the numbers of the names, which go by first appearance.
func (s *gwfReader) batches(yield func(arrow.Record, error) bool) {
	if s.used {
		yield(nil, fmt.Errorf("%s: a log can be read only once", s.name))
		return
	}
	s.used = true
	decode := func(chunk []byte) (*gwfBatch, error) {
		defer s.lines.recycle(chunk)
		return parseGWF(s.name, chunk, s.mem)
	}
	for b, err := range s.decoded(decode) {
		if err != nil {
			yield(nil, s.atLine(err))
			return
		}
		b.finish(&s.names, s.row, s.line)
		b.countBackSteps(&s.submit)
		b.warnings.moveTo(&s.from.Warnings, s.line)
		b.more.moveTo(&s.from.Warnings, s.line)
		s.waits.add(b.waits, s.line)
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
		return
	}
	s.names.warn(&s.from.Warnings)
	s.waits.warn(&s.from.Warnings)
	s.names.AddTo(&s.log.Header)
}

func (s *gwfReader) decoded(decode func([]byte) (*gwfBatch, error)) iter.Seq2[*gwfBatch, error] {
	return par.Map(s.workers, s.chunks(), decode, (*gwfBatch).release)
}
