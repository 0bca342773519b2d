package workload

import (
	"io"

	"github.com/apache/arrow/go/v15/arrow"
)

// textWriter writes a format of lines, of which each batch is formatted on its
// own, so that WriteAll formats several at once.
type textWriter struct {
	w      io.Writer
	head   []byte // goes out before the first batch
	none   []byte // goes out where there is neither head nor job: files are never empty
	format func(dst []byte, rec arrow.Record) []byte
	buf    []byte
	err    error
}

var _ Writer = (*textWriter)(nil)

// newTextWriter returns a writer of lines after head; mark begins a comment.
func newTextWriter(w io.Writer, head []byte, mark string, format func([]byte, arrow.Record) []byte) *textWriter {
	t := &textWriter{w: w, head: head, format: format}
	if len(head) == 0 {
		t.none = []byte(mark + " MaxJobs: 0\n")
	}
	return t
}

// Write formats a batch and writes it.
func (t *textWriter) Write(rec arrow.Record) error {
	if t.err == nil {
		t.err = CheckFinite(rec)
	}
	if t.err != nil {
		return t.err
	}
	t.buf = t.format(t.buf[:0], rec)
	return t.write(t.buf)
}

// write writes lines, after what goes before them.
func (t *textWriter) write(lines []byte) error {
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

// Close writes the head where there were no batches.
func (t *textWriter) Close() error { return t.write(t.none) }
