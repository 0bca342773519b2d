package logfile

import (
	"io"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// LateWriter writes a log whose header is known only when its jobs have been
// written: what a filter removed, the names that a reader met on its way.
// Formats with the header in front get their jobs by way of a temporary file,
// a Spool.
type LateWriter struct {
	format  string
	to      io.Writer
	options workload.WriteOptions
	header  workload.Header
	direct  workload.Writer // nil where the spool is used
	spool   *columnar.Spool
}

var _ workload.Writer = (*LateWriter)(nil)

// NewLateWriter is NewWriter with options and, of the header, what is known so far;
// SetHeader gives all of it.
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

// SetHeader gives the header; the last one before Close is written.
func (l *LateWriter) SetHeader(h workload.Header) { l.header = h }

// Write writes a batch, which it does not keep.
func (l *LateWriter) Write(rec workload.Batch) error {
	if l.direct != nil {
		return l.direct.Write(rec)
	}
	return l.spool.Write(rec)
}

// Close writes the header and whatever waited for it.
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

// Discard frees what is not written yet; it may be called at any time.
func (l *LateWriter) Discard() {
	if l.spool != nil {
		l.spool.Close()
	}
}
