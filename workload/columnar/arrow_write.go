package columnar

import (
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// arrowWriter writes an Arrow file or stream. It combines small batches, because each
// batch costs 5 KB in the file.
type arrowWriter struct {
	to     workload.Writer // the library's
	out    *tellWriter
	schema *arrow.Schema
	set    workload.ColumnSet
	at     []int // columns of the table that are written
	small  *array.RecordBuilder
	rows   int // in small
	err    error
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

func newArrowWriter(to workload.Writer, out *tellWriter, s *arrow.Schema, set workload.ColumnSet) *arrowWriter {
	return &arrowWriter{to: to, out: out, schema: s, set: set, at: set.Written(), small: array.NewRecordBuilder(memory.DefaultAllocator, s)}
}

// Write writes a batch, or keeps its jobs for one that is large enough.
func (a *arrowWriter) Write(rec arrow.Record) error {
	if a.err != nil {
		return a.err
	}
	if int(rec.NumCols()) != workload.NumColumns {
		return errors.New("arrow: a batch with another schema")
	}
	if a.err = errors.Join(workload.CheckFinite(rec), a.set.CheckDeclared(rec)); a.err != nil {
		return a.err
	}
	n := int(rec.NumRows())
	if a.rows == 0 && n >= workload.DefaultBatchRows/4 {
		columns := make([]arrow.Array, len(a.at))
		for k, at := range a.at {
			columns[k] = rec.Column(at)
		}
		whole := array.NewRecord(a.schema, columns, rec.NumRows())
		defer whole.Release()
		a.err = a.fault(a.to.Write(whole))
		return a.err
	}
	v := workload.NewView(rec)
	valid := make([]bool, n)
	for k, i := range a.at {
		known := valid
		if v.Nulls(i) == 0 {
			known = nil
		} else {
			for r := range valid {
				valid[r] = !v.IsNull(i, r)
			}
		}
		switch b := a.small.Field(k).(type) {
		case *array.Float64Builder:
			b.AppendValues(v.Floats(i), known)
		case *array.Int64Builder:
			b.AppendValues(v.Ints(i), known)
		}
	}
	if a.rows += n; a.rows >= workload.DefaultBatchRows {
		a.err = a.flush()
	}
	return a.err
}

func (a *arrowWriter) flush() error {
	a.rows = 0
	rec := a.small.NewRecord()
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
	defer a.small.Release()
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
