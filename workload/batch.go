package workload

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Batch is an Arrow record with the schema of this package, under a name for packages
// that pass batches on without importing Arrow.
type Batch = arrow.Record

// Values are the values of one column in a batch, in Floats or Ints. NaN and Unknown become
// null.
type Values struct {
	Column int       // ColJobID, ...
	Floats []float64 // of a column of float64 values; else nil
	Ints   []int64   // of a column of int64 values; else nil
}

// RecordOf makes a batch of rows rows from the values of some columns; other columns are
// null. It takes ownership of the slices without copying them, so they must not be modified
// afterwards; one slice may serve several batches. The caller releases the batch. It panics
// if values have the wrong kind or length, or if a column is given twice.
func RecordOf(rows int, columns ...Values) Batch {
	arrays := make([]arrow.Array, NumColumns)
	defer func() {
		for _, a := range arrays {
			if a != nil {
				a.Release()
			}
		}
	}()
	for _, v := range columns {
		if arrays[v.Column] != nil {
			panic(fmt.Sprintf("workload: RecordOf with column %d twice", v.Column))
		}
		arrays[v.Column] = v.array(rows)
	}
	for i, a := range arrays {
		if a == nil {
			arrays[i] = NullColumn(i, rows)
		}
	}
	return array.NewRecord(schema, arrays, int64(rows))
}

// blank is the memory of all columns that nothing is known of, in batches of up
// to DefaultBatchRows.
var blank = make([]byte, 8*DefaultBatchRows)

// lastNull are the columns of nulls that were made last: most batches have as many
// rows as the one before.
var lastNull [NumColumns]atomic.Pointer[arrow.Array]

// NullColumn returns a column of nulls. Those of batches of up to
// DefaultBatchRows share their memory, which is not to be altered.
func NullColumn(column, rows int) arrow.Array {
	if last := lastNull[column].Load(); last != nil && (*last).Len() == rows {
		(*last).Retain()
		return *last
	}
	a := newNullColumn(column, rows)
	if rows <= DefaultBatchRows {
		a.Retain() // for ever
		lastNull[column].Store(&a)
	}
	return a
}

func newNullColumn(column, rows int) arrow.Array {
	zeros := blank
	if rows > DefaultBatchRows {
		zeros = make([]byte, 8*rows)
	}
	none := memory.NewBufferBytes(zeros[:bitutil.BytesForBits(int64(rows))])
	return arrayOf(column, rows, rows, none, memory.NewBufferBytes(zeros[:8*rows]))
}

func (v Values) array(rows int) arrow.Array {
	var (
		valid []byte
		nulls int
		bytes []byte
	)
	null := func(i int) {
		if valid == nil {
			valid = make([]byte, bitutil.BytesForBits(int64(rows)))
			bitutil.SetBitsTo(valid, 0, int64(rows), true)
		}
		bitutil.ClearBit(valid, i)
		nulls++
	}
	if schema.Field(v.Column).Type.ID() == arrow.FLOAT64 {
		if len(v.Floats) != rows {
			panic(fmt.Sprintf("workload: RecordOf of %d rows with %d numbers of column %d", rows, len(v.Floats), v.Column))
		}
		for i, x := range v.Floats {
			if x != x {
				null(i)
			}
		}
		bytes = arrow.Float64Traits.CastToBytes(v.Floats)
	} else {
		if len(v.Ints) != rows {
			panic(fmt.Sprintf("workload: RecordOf of %d rows with %d whole numbers of column %d", rows, len(v.Ints), v.Column))
		}
		for i, x := range v.Ints {
			if x == Unknown {
				null(i)
			}
		}
		bytes = arrow.Int64Traits.CastToBytes(v.Ints)
	}
	var mask *memory.Buffer
	if valid != nil {
		mask = memory.NewBufferBytes(valid)
	}
	return arrayOf(v.Column, rows, nulls, mask, memory.NewBufferBytes(bytes))
}

// arrayOf makes an array over buffers of Go's own memory, which need no
// release.
func arrayOf(column, rows, nulls int, valid, values *memory.Buffer) arrow.Array {
	data := array.NewData(schema.Field(column).Type, rows, []*memory.Buffer{valid, values}, nil, nulls, 0)
	defer data.Release()
	if data.DataType().ID() == arrow.FLOAT64 {
		return array.NewFloat64Data(data)
	}
	return array.NewInt64Data(data)
}

// WithColumns returns a batch with some columns of rec replaced; rec is unchanged. The
// caller releases both.
func WithColumns(rec Batch, columns ...Values) Batch {
	arrays := slices.Clone(rec.Columns())
	var made []arrow.Array
	for _, v := range columns {
		arrays[v.Column] = v.array(int(rec.NumRows()))
		made = append(made, arrays[v.Column])
	}
	defer func() {
		for _, a := range made {
			a.Release()
		}
	}()
	return array.NewRecord(schema, arrays, rec.NumRows())
}
