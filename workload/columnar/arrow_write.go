package columnar

import (
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// arrowWriter writes an Arrow file or stream. It combines small batches, because each
// batch costs 5 KB in the file.
type arrowWriter struct {
	to interface { // the library's writer
		Write(arrow.Record) error
		Close() error
	}
	out     *tellWriter
	schema  *arrow.Schema
	set     workload.ColumnSet
	columns [][]uint64 // bits of the values of jobs that are not written yet
	rows    int        // number of these jobs
	err     error
}

// NewArrowFileWriter returns a writer of the job table as an Arrow file, with the optional columns
// in o.Columns.
func NewArrowFileWriter(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
	return newArrowWriter(w, h, o.Columns, false)
}

// NewArrowStreamWriter is like NewArrowFileWriter, but for an Arrow stream.
func NewArrowStreamWriter(w io.Writer, h workload.Header, o workload.WriteOptions) (workload.Writer, error) {
	return newArrowWriter(w, h, o.Columns, true)
}

func newArrowWriter(w io.Writer, h workload.Header, set workload.ColumnSet, stream bool) (*arrowWriter, error) {
	meta := arrow.NewMetadata(fileMetadata(h))
	a := &arrowWriter{schema: arrow.NewSchema(jobFields(set), &meta), set: set}
	out := &seekTeller{tellWriter{W: w}}
	a.out, a.columns = &out.tellWriter, make([][]uint64, len(a.schema.Fields()))
	if stream {
		a.to = ipc.NewWriter(out, ipc.WithSchema(a.schema))
		return a, nil
	}
	var err error
	a.to, err = ipc.NewFileWriter(out, ipc.WithSchema(a.schema))
	return a, err
}

// Write adds a batch to the jobs to be written, and writes them when there are enough.
func (a *arrowWriter) Write(b *workload.Batch) error {
	if a.err == nil {
		a.err = errors.Join(workload.CheckFinite(b), a.set.CheckDeclared(b))
	}
	if a.err != nil {
		return a.err
	}
	for k, at := range a.set.Written() {
		words := b.Bits(at)
		if words == nil {
			words = slices.Repeat([]uint64{workload.UnknownBits(at)}, b.Rows)
		}
		a.columns[k] = append(a.columns[k], words...)
	}
	if a.rows += b.Rows; a.rows >= workload.DefaultBatchRows/4 {
		a.err = a.flush()
	}
	return a.err
}

// flush writes the jobs that are not written yet.
func (a *arrowWriter) flush() error {
	arrays := make([]arrow.Array, len(a.columns))
	for k, words := range a.columns {
		arrays[k] = arrayOf(a.schema.Field(k).Type, words)
		a.columns[k] = words[:0]
	}
	rec := array.NewRecord(a.schema, arrays, int64(a.rows))
	a.rows = 0
	return a.fault(a.to.Write(rec))
}

// arrayOf returns a column as an Arrow array. It clears the words of unknown values.
func arrayOf(kind arrow.DataType, words []uint64) arrow.Array {
	c := chunkEncoder{float: kind.ID() == arrow.FLOAT64}
	bitmap, nulls := make([]byte, bitutil.BytesForBits(int64(len(words)))), 0
	for i, w := range words {
		if c.unknown(w) {
			words[i] = 0
			nulls++
		} else {
			bitutil.SetBit(bitmap, i)
		}
	}
	buffers := []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Uint64Traits.CastToBytes(words))}
	if nulls > 0 {
		buffers[0] = memory.NewBufferBytes(bitmap)
	}
	return array.MakeFromData(array.NewData(kind, len(words), buffers, nil, nulls, 0))
}

// fault returns the error of the output if that is the cause of err, else err.
func (a *arrowWriter) fault(err error) error {
	if err != nil && a.out.err != nil {
		return a.out.err
	}
	return err
}

// Close writes the remaining jobs, and the footer or end mark.
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

// seekTeller reports the position to the library, which calls Seek only for that.
type seekTeller struct{ tellWriter }

func (s *seekTeller) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, errors.New("arrow: the output cannot be written out of order")
	}
	return s.N, nil
}
