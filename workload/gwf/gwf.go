package gwf

import (
	"bufio"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Format is the text form of the Grid Workload Format. It is read-only.
var Format = workload.Format{
	Name: "gwf",
	Sniff: func(name string, r *bufio.Reader, _ workload.Options) bool {
		head, _ := r.Peek(findGWF)
		return sniff(name, head)
	},
	Open: func(name string, r *bufio.Reader, o workload.Options) (*workload.Log, error) { return open(name, r, o) },
}

// open reads the text flavour of the grid workload format (Iosup et al.,
// "The Grid Workloads Archive", FGCS 24(7), 2008): one job a line, 29 fields
// with tabs or blanks between, -1 for unknown, and comment lines that begin
// with '#', of which those before the first job are the header. Its first
// sixteen fields are the standard workload format's, but for users, groups,
// executables, queues and sites, which are texts: see Names. site.go says
// what becomes of the sites.
//
// It reads up to the first job now, the rest as batches are pulled, on o.Workers
// goroutines.
func open(name string, r io.Reader, o workload.Options) (*workload.Log, error) {
	return openChunks(name, r, o, parse.ChunkSize)
}

func openChunks(name string, r io.Reader, o workload.Options, size int) (*workload.Log, error) {
	s := &reader{Reader: parse.NewReader(name, "gwf", r, o, size)}
	l := s.Log
	s.From.Names = &s.names.Names
	if err := s.ReadHeader('#'); err != nil {
		return nil, err
	}
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

func (s *reader) batches(yield func(workload.Batch, error) bool) {
	if parse.ReadBatches(s.Reader, yield, parseChunk, s.next) {
		s.names.Warn(&s.From.Warnings)
		s.waits.warn(&s.From.Warnings)
		s.names.AddTo(&s.Log.Header)
	}
}

// next gives the names of a chunk their numbers, which go by first appearance.
func (s *reader) next(b *gwfBatch) {
	b.Finish(&s.names, s.Row, s.Line)
	s.Count(&b.Batch)
	b.more.moveTo(&s.From.Warnings, s.Line)
	s.waits.add(b.waits, s.Line)
}
