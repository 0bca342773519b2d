package columnar

import (
	"bufio"
	"io"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Spool keeps batches of jobs in a temporary file, for callers that read a stream twice,
// or that write it only after they have seen its end. It holds one Parquet row group in
// memory, however many batches there are. A Spool is not safe for concurrent use.
type Spool struct {
	f    *workload.TempFile
	buf  *bufio.Writer
	w    workload.Writer
	rows int
	used bool
}

// NewSpool returns an empty spool in the folder of os.TempDir. The caller closes it after
// use. The file has no name, so nothing remains even if the program ends without Close.
func NewSpool() (*Spool, error) {
	f, err := workload.UnlinkedFile()
	if err != nil {
		return nil, err
	}
	s := &Spool{f: f, buf: bufio.NewWriterSize(f, 1<<16)}
	if s.w, err = newParquetWriter(s.buf, workload.Header{}, workload.OptionalColumns, par.Workers(0)); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

// Write adds a batch. It does not retain it.
func (s *Spool) Write(b *workload.Batch) error {
	s.rows += b.Rows
	return s.w.Write(b)
}

// Batches ends writing and yields the jobs in the order written, in batches that may be
// of other sizes. The sequence can be iterated over once; a second time it panics.
func (s *Spool) Batches() workload.BatchSeq {
	return func(yield func(*workload.Batch, error) bool) {
		if s.used {
			panic("columnar: Spool.Batches called twice")
		}
		s.used = true
		if err := s.flush(); err != nil {
			yield(nil, err)
			return
		}
		if s.rows == 0 {
			return
		}
		size, err := s.f.Seek(0, io.SeekCurrent)
		if err != nil {
			yield(nil, err)
			return
		}
		l, err := Parquet.OpenAt("temporary file", s.f, size, workload.Options{})
		if err != nil {
			yield(nil, err)
			return
		}
		defer l.Close()
		for rec, err := range l.Batches() {
			if !yield(rec, err) {
				return
			}
		}
	}
}

func (s *Spool) flush() error {
	if err := s.w.Close(); err != nil {
		return err
	}
	return s.buf.Flush()
}

// Close frees the file. A second call returns an error and does nothing else.
func (s *Spool) Close() error { return s.f.Close() }
