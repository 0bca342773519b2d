package columnar

import (
	"bufio"
	"io"
	"os"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Spool keeps batches in a temporary file, for whoever has to read a stream
// twice, or to write it only when its end has been seen. In memory it holds a
// row group of Parquet, however many batches there are.
type Spool struct {
	f    *os.File
	buf  *bufio.Writer
	w    workload.Writer
	rows int64
	used bool
}

// NewSpool returns an empty spool. Close it after use; nothing is left of it
// even if the program ends before.
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

// Write adds a batch, which it does not keep.
func (s *Spool) Write(rec workload.Batch) error {
	s.rows += rec.NumRows()
	return s.w.Write(rec)
}

// Batches ends the writing and yields what was written, with the batches cut
// elsewhere. It is called once.
func (s *Spool) Batches() workload.BatchSeq {
	return func(yield func(workload.Batch, error) bool) {
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
		l, err := openParquet("temporary file", s.f, size, workload.Options{})
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

// Close frees the file. It may be called twice.
func (s *Spool) Close() error { return s.f.Close() }
