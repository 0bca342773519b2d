package logfile

import (
	"bufio"
	"cmp"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/mapping"
)

// spool keeps batches of jobs in a temporary file, to write them after their end has been seen.
// It holds one Parquet row group in memory, however many batches there are.
type spool struct {
	workload.Writer
	f   *workload.TempFile
	buf *bufio.Writer
}

// newSpool returns an empty spool in the folder of os.TempDir. The caller frees it after
// use. The file has no name, so nothing remains even if the program ends without that.
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

// log ends writing and returns the jobs.
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
