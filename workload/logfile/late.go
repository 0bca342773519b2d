package logfile

import (
	"io"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// LateWriter writes a log whose header is complete only after its jobs have been written:
// it may tell what a filter removed, or the names that a reader found. In formats with the
// header at the front, the jobs wait in a temporary file (columnar.Spool).
type LateWriter struct {
	format  string
	to      io.Writer
	options workload.WriteOptions
	header  workload.Header
	direct  workload.Writer // nil where the spool is used
	spool   *columnar.Spool
}

var _ workload.Writer = (*LateWriter)(nil)

// NewLateWriter is like NewWriter. The header h is what is known so far; SetHeader replaces
// it.
func NewLateWriter(format string, w io.Writer, h workload.Header, o workload.WriteOptions) (*LateWriter, error) {
	f, _, err := splitFormat(format, o.Formats)
	if err != nil {
		return nil, err
	}
	l := &LateWriter{format: format, to: w, header: h, options: o}
	if f.HeaderLast {
		l.direct, err = NewWriter(format, w, h, o)
	} else {
		l.spool, err = columnar.NewSpool()
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// SetHeader replaces the header. Close writes the last one.
func (l *LateWriter) SetHeader(h workload.Header) { l.header = h }

// Write writes a batch. It does not retain it.
func (l *LateWriter) Write(b *workload.Batch) error {
	if l.direct != nil {
		return l.direct.Write(b)
	}
	return l.spool.Write(b)
}

// Close writes the header and, if they had to wait for it, the jobs.
func (l *LateWriter) Close() error {
	if l.direct != nil {
		if w, ok := l.direct.(interface{ SetHeader(workload.Header) error }); ok {
			if err := w.SetHeader(l.header); err != nil {
				return err
			}
		}
		return l.direct.Close()
	}
	defer l.spool.Close()
	w, err := NewWriter(l.format, l.to, l.header, l.options)
	if err != nil {
		return err
	}
	o := Output{w: w, workers: par.Workers(l.options.Workers)}
	if err := o.WriteAll(l.spool.Batches()); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// Discard drops what has not been written yet and frees it. It may be called at any time.
func (l *LateWriter) Discard() {
	if l.spool != nil {
		l.spool.Close()
	}
}
