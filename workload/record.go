package workload

import (
	"iter"
	"math"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// BatchSeq is a stream of batches of jobs with the schema of this package. A
// batch is released when the next is asked for; Retain one to keep it. An
// error is the last thing that it yields.
type BatchSeq = iter.Seq2[arrow.Record, error]

// JobSeq is a stream of jobs. An error is the last thing that it yields.
type JobSeq = iter.Seq2[Job, error]

// JobsOf yields the jobs of a slice unchanged: it does not fill in Size (see Job).
func JobsOf(jobs []Job) JobSeq {
	return func(yield func(Job, error) bool) {
		for i := range jobs {
			if !yield(jobs[i], nil) {
				return
			}
		}
	}
}

// View reads the rows of one batch of jobs without copying. It does not keep
// the record alive: it is valid as long as the record is.
type View struct {
	rows   int
	floats [NumColumns][]float64
	ints   [NumColumns][]int64
	cols   [NumColumns]arrow.Array
	nulls  [NumColumns]bool // the column has at least one null
	more   bool             // some row has an optional column
}

// NewView returns a view of a record with the schema of this package. A record
// with another schema is a programmer's error.
func NewView(rec arrow.Record) *View {
	if int(rec.NumCols()) != NumColumns {
		panic("workload: NewView of a record with another schema")
	}
	v := &View{rows: int(rec.NumRows())}
	for i := range NumColumns {
		v.cols[i] = rec.Column(i)
		v.nulls[i] = v.cols[i].NullN() > 0
		switch a := v.cols[i].(type) {
		case *array.Float64:
			v.floats[i] = a.Float64Values()
		case *array.Int64:
			v.ints[i] = a.Int64Values()
		}
		if i >= FirstOptional && v.cols[i].NullN() < v.rows {
			v.more = true
		}
	}
	return v
}

// Len returns the number of rows.
func (v *View) Len() int { return v.rows }

// Floats returns the values of a float64 column, which mean nothing where they are
// null; nil for an int64 column.
func (v *View) Floats(col int) []float64 { return v.floats[col] }

// Ints returns the values of an int64 column, which mean nothing where they are null;
// nil for a float64 column.
func (v *View) Ints(col int) []int64 { return v.ints[col] }

// IsNull reports whether row i of a column is null.
func (v *View) IsNull(col, i int) bool { return v.nulls[col] && v.cols[col].IsNull(i) }

// Nulls counts the nulls of a column.
func (v *View) Nulls(col int) int { return v.cols[col].NullN() }

// Validity returns the bitmap of a column's known values and the bit of row 0;
// nil where none is null.
func (v *View) Validity(col int) (bitmap []byte, offset int) {
	if !v.nulls[col] {
		return nil, 0
	}
	return v.cols[col].NullBitmapBytes(), v.cols[col].Data().Offset()
}

// Float returns row i of a float64 column, NaN where it is null.
func (v *View) Float(col, i int) float64 {
	if v.nulls[col] && v.cols[col].IsNull(i) {
		return math.NaN()
	}
	return v.floats[col][i]
}

// Int returns row i of an int64 column, Unknown where it is null.
func (v *View) Int(col, i int) int64 {
	if v.nulls[col] && v.cols[col].IsNull(i) {
		return Unknown
	}
	return v.ints[col][i]
}

// Size returns the processors of row i, as Request.Size has them.
func (v *View) Size(i int) int64 {
	return RigidSize(v.Int(ColAllocatedProcessors, i), v.Int(ColRequestedProcessors, i))
}

// Nodes returns the nodes of row i, as Request.TakesNodes has them.
func (v *View) Nodes(i int) int64 {
	return RigidSize(v.Int(ColAllocatedNodes, i), v.Int(ColRequestedNodes, i))
}

// GPUs returns the GPUs of row i, as Request.TakesGPUs has them.
func (v *View) GPUs(i int) int64 {
	return RigidGPUs(v.Int(ColAllocatedGPUs, i), v.Int(ColRequestedGPUs, i))
}

// derived returns row i of an attribute that derives from columns.
func (v *View) derived(c *Column, i int) int64 {
	switch c.Name {
	case "size":
		return v.Size(i)
	case "nodes":
		return v.Nodes(i)
	}
	return v.GPUs(i)
}

// Job returns row i as a value; row is its position in the log.
func (v *View) Job(i int, row int64) Job {
	j := unknownJob
	j.Row = row
	last := FirstOptional
	if v.more {
		last = NumColumns
	}
	for at := range last {
		if c := &columns[at]; c.float {
			*c.floatAt(unsafe.Pointer(&j)) = v.Float(at, i)
		} else {
			*c.intAt(unsafe.Pointer(&j)) = v.Int(at, i)
		}
	}
	j.Derive()
	return j
}

// Jobs turns a stream of batches into a stream of jobs. Job.Row counts from 0
// over the whole stream. Batches are released by their own stream.
func Jobs(batches iter.Seq2[arrow.Record, error]) iter.Seq2[Job, error] {
	return func(yield func(Job, error) bool) {
		var row int64
		for rec, err := range batches {
			if err != nil {
				yield(Job{}, err)
				return
			}
			v := NewView(rec)
			for i := range v.rows {
				if !yield(v.Job(i, row), nil) {
					return
				}
				row++
			}
		}
	}
}

// Batches gathers a stream of jobs into batches of DefaultBatchRows. A batch
// is released when the next is asked for; Retain one to keep it. mem may be nil. An error
// of jobs is the last thing that it yields.
func Batches(jobs iter.Seq2[Job, error], mem memory.Allocator) iter.Seq2[arrow.Record, error] {
	return func(yield func(arrow.Record, error) bool) {
		b := NewBuilder(mem)
		defer b.Release()
		flush := func() bool {
			rec := b.Record()
			defer rec.Release()
			return yield(rec, nil)
		}
		for j, err := range jobs {
			if err != nil {
				yield(nil, err)
				return
			}
			b.Append(&j)
			if b.n == DefaultBatchRows && !flush() {
				return
			}
		}
		if b.n > 0 {
			flush()
		}
	}
}
