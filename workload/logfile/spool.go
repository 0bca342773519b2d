package logfile

import (
	"bufio"
	"cmp"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// spool stores batches of jobs in a temporary file until they can be written to the output. It
// holds one Parquet row group in memory, however many batches there are.
type spool struct {
	workload.Writer
	f   *workload.TempFile
	buf *bufio.Writer
}

// newSpool returns an empty spool in the folder of os.TempDir. The caller must free it after
// use. The file has no name, so nothing remains even if the program ends before that.
func newSpool() (*spool, error) {
	f, err := workload.UnlinkedFile()
	if err != nil {
		return nil, err
	}
	s := &spool{f: f, buf: bufio.NewWriterSize(f, 1<<16)}
	if s.Writer, err = mapping.Parquet.Create(s.buf, workload.Header{}, workload.WriteOptions{Columns: workload.OptionalColumns}); err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

// log ends writing and returns a log of the jobs.
func (s *spool) log() (*workload.Log, error) {
	if err := cmp.Or(s.Close(), s.buf.Flush()); err != nil {
		return nil, err
	}
	size, err := s.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil, err
	}
	return mapping.Parquet.OpenAt("temporary file", s.f, size, workload.Options{})
}

// free frees the file. A second call does nothing.
func (s *spool) free() { s.f.Close() }
