package parse

import (
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Writer writes a format of lines. It formats each batch independently, so that logfile.WriteAll
// can format several at a time.
type Writer struct {
	w      io.Writer
	head   []byte // written before the first batch
	none   []byte // written if there are neither head nor jobs: files are never empty
	Format func(dst []byte, b *workload.Batch) []byte
	// Columns are the optional columns that the format was told to write. It is nil for formats
	// without any, which count losses instead.
	Columns *workload.ColumnSet
	buf     []byte
	err     error
}

var _ workload.Writer = (*Writer)(nil)

// NewWriter returns a writer of lines that follow head; mark begins a comment.
func NewWriter(w io.Writer, head []byte, mark string, format func([]byte, *workload.Batch) []byte) *Writer {
	t := &Writer{w: w, head: head, Format: format}
	if len(head) == 0 {
		t.none = []byte(mark + " MaxJobs: 0\n")
	}
	return t
}

// Check returns an error for values that no format of lines can hold, or that belong to columns
// not declared for this file.
func (t *Writer) Check(b *workload.Batch) error {
	if t.Columns != nil {
		if err := t.Columns.CheckDeclared(b); err != nil {
			return err
		}
	}
	return workload.CheckFinite(b)
}

// Write formats a batch and writes it.
func (t *Writer) Write(b *workload.Batch) error {
	if t.err == nil {
		t.err = t.Check(b)
	}
	if t.err != nil {
		return t.err
	}
	t.buf = t.Format(t.buf[:0], b)
	return t.WriteLines(t.buf)
}

// WriteLines writes lines, preceded by the head if it has not been written.
func (t *Writer) WriteLines(lines []byte) error {
	if t.err == nil && len(t.head) > 0 {
		_, t.err = t.w.Write(t.head)
		t.head = nil
	}
	if t.err == nil && len(lines) > 0 {
		t.none = nil
		_, t.err = t.w.Write(lines)
	}
	return t.err
}

// Close writes the head if there were no batches.
func (t *Writer) Close() error { return t.WriteLines(t.none) }
