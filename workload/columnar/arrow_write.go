package columnar

import (
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/loadstone-hpc/loadstone/workload"
)

// arrowWriter writes an Arrow file or stream. It combines small batches, because each
// batch costs 5 KB in the file.
type arrowWriter struct {
	to     recordWriter
	out    *tellWriter
	schema *arrow.Schema
	set    workload.ColumnSet
	at     []int      // columns of the table that are written
	small  [][]uint64 // words of the jobs that are kept, by column of the file
	rows   int        // in small
	err    error
}

// recordWriter is the library's writer.
type recordWriter interface {
	Write(arrow.Record) error
	Close() error
}

func newArrowFileWriter(w io.Writer, h workload.Header, set workload.ColumnSet) (workload.Writer, error) {
	s := schemaWith(h, set)
	out := &seekTeller{tellWriter{W: w}}
	to, err := ipc.NewFileWriter(out, ipc.WithSchema(s))
	if err != nil {
		return nil, err
	}
	return newArrowWriter(to, &out.tellWriter, s, set), nil
}

func newArrowStreamWriter(w io.Writer, h workload.Header, set workload.ColumnSet) (workload.Writer, error) {
	s := schemaWith(h, set)
	out := &tellWriter{W: w}
	return newArrowWriter(ipc.NewWriter(out, ipc.WithSchema(s)), out, s, set), nil
}

func newArrowWriter(to recordWriter, out *tellWriter, s *arrow.Schema, set workload.ColumnSet) *arrowWriter {
	at := set.Written()
	return &arrowWriter{to: to, out: out, schema: s, set: set, at: at, small: make([][]uint64, len(at))}
}

// Write writes a batch, or keeps its jobs for one that is large enough.
func (a *arrowWriter) Write(b *workload.Batch) error {
	if a.err != nil {
		return a.err
	}
	if a.err = errors.Join(workload.CheckFinite(b), a.set.CheckDeclared(b)); a.err != nil {
		return a.err
	}
	if a.rows == 0 && b.Rows >= workload.DefaultBatchRows/4 {
		words := make([][]uint64, len(a.at))
		for k, at := range a.at {
			words[k] = b.Bits(at)
		}
		a.err = a.record(words, b.Rows)
		return a.err
	}
	for k, at := range a.at {
		if words := b.Bits(at); words != nil {
			a.small[k] = append(a.small[k], words...)
		} else {
			a.small[k] = append(a.small[k], slices.Repeat([]uint64{workload.UnknownBits(at)}, b.Rows)...)
		}
	}
	if a.rows += b.Rows; a.rows >= workload.DefaultBatchRows {
		a.err = a.flush()
	}
	return a.err
}

func (a *arrowWriter) flush() error {
	err := a.record(a.small, a.rows)
	a.rows = 0
	for k := range a.small {
		a.small[k] = a.small[k][:0]
	}
	return err
}

// record writes rows, of which there are words of each column of the file.
func (a *arrowWriter) record(words [][]uint64, rows int) error {
	columns := make([]arrow.Array, len(words))
	for k := range columns {
		columns[k] = arrayOf(a.schema.Field(k), words[k], rows)
		defer columns[k].Release()
	}
	rec := array.NewRecord(a.schema, columns, int64(rows))
	defer rec.Release()
	return a.fault(a.to.Write(rec))
}

// fault returns the error of the output, if that is what stopped the library, else err.
func (a *arrowWriter) fault(err error) error {
	if err != nil && a.out.err != nil {
		return a.out.err
	}
	return err
}

// Close writes what is left, and the footer or end mark.
func (a *arrowWriter) Close() error {
	if a.err == nil && a.rows > 0 {
		a.err = a.flush()
	}
	if a.err != nil {
		return a.err
	}
	a.err = errors.New("arrow: the writer is closed")
	return a.fault(a.to.Close())
}

// seekTeller reports the position to the library, which seeks for nothing else.
type seekTeller struct{ tellWriter }

func (s *seekTeller) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("arrow: the output cannot be written out of order")
	}
	return s.N, nil
}
