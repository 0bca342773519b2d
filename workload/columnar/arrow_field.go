package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// arrowField converts a column of an Arrow file to one of the job table.
type arrowField struct {
	numberColumn
	bytes int  // width of a value; 0 for a column of nulls
	sign  bool // values narrower than a word are signed
}

// newArrowField returns the conversion to column i of the job table. The error describes
// the type of the file's column.
func newArrowField(t arrow.DataType, i int) (f arrowField, err error) {
	stamp, isStamp := t.(*arrow.TimestampType)
	switch {
	case t.ID() == arrow.NULL:
		return f, nil
	case isStamp:
		f.kind.perUnit, f.bytes = 1e9/float64(stamp.Unit.Multiplier()), stamp.Bytes()
	case !f.numbers(t):
		return f, fmt.Errorf("%s values", t)
	}
	f.numberColumn, err = newNumberColumn(f.kind, isStamp, i)
	return f, err
}

// numbers sets the conversion for a numeric type; ok is false for other types.
func (f *arrowField) numbers(t arrow.DataType) (ok bool) {
	k := &f.kind
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		f.sign = true
	case arrow.UINT8, arrow.UINT16, arrow.UINT32:
	case arrow.UINT64:
		k.natural = true
	case arrow.FLOAT32:
		k.float, k.narrow = true, true
	case arrow.FLOAT64:
		k.float = true
	default:
		return false
	}
	f.bytes = t.(arrow.FixedWidthDataType).Bytes()
	return true
}

// array returns n rows of column i; row is the number of rows before them. Neither the
// lengths of the array's buffers nor its count of nulls are trusted.
func (f *arrowField) array(src arrow.Array, i, n int, row int64, mem memory.Allocator) (arrow.Array, error) {
	if f.bytes == 0 {
		return workload.NullColumn(i, n), nil
	}
	data := src.Data()
	if data.Len() != n || data.Offset() != 0 || n < 0 {
		return nil, fmt.Errorf("%d rows in a batch of %d", data.Len(), n)
	}
	bitmap, values := data.Buffers()[0], data.Buffers()[1]
	if n > 0 && (values == nil || values.Len()/f.bytes < n) {
		return nil, errors.New("values are cut short")
	}
	nulls := 0
	switch {
	case bitmap != nil && bitmap.Len() > 0:
		if int64(bitmap.Len()) < bitutil.BytesForBits(int64(n)) {
			return nil, errors.New("the validity bitmap is cut short")
		}
		nulls = n - bitutil.CountSetBits(bitmap.Bytes(), 0, n)
	case data.NullN() > 0:
		return nil, errors.New("nulls without a validity bitmap")
	}
	if f.bytes == 8 && f.number == nil && n > 0 {
		words := arrow.Uint64Traits.CastFromBytes(values.Bytes())[:n]
		if !f.kind.float || !slices.ContainsFunc(words, func(w uint64) bool { return notFinite(w, false) }) {
			return columnArray(i, n, values, bitmap, nulls), nil
		}
	}
	return f.copy(i, n, values, bitmap, nulls, row, mem)
}

// copy is array for values that have to be altered.
func (f *arrowField) copy(i, n int, values, bitmap *memory.Buffer, nulls int, row int64, mem memory.Allocator) (arrow.Array, error) {
	to, valid := memory.NewResizableBuffer(mem), memory.NewResizableBuffer(mem)
	defer func() { to.Release(); valid.Release() }()
	to.Resize(8 * n)
	valid.Resize(int(bitutil.BytesForBits(int64(n))))
	if nulls == 0 {
		bitutil.SetBitsTo(valid.Bytes(), 0, int64(n), true)
	} else {
		copy(valid.Bytes(), bitmap.Bytes())
	}
	words := arrow.Uint64Traits.CastFromBytes(to.Bytes())
	for r := range words {
		words[r] = 0
		if bitutil.BitIsSet(valid.Bytes(), r) {
			words[r] = f.word(values.Bytes()[r*f.bytes:])
		}
	}
	nulls, err := f.convert(words, valid.Bytes(), nulls, row)
	if err != nil {
		return nil, err
	}
	return columnArray(i, n, to, valid, nulls), nil
}

// word reads a value.
func (f *arrowField) word(b []byte) uint64 {
	switch {
	case f.bytes == 8:
		return binary.LittleEndian.Uint64(b)
	case f.bytes == 4 && f.sign:
		return uint64(int32(binary.LittleEndian.Uint32(b)))
	case f.bytes == 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case f.bytes == 2 && f.sign:
		return uint64(int16(binary.LittleEndian.Uint16(b)))
	case f.bytes == 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case f.sign:
		return uint64(int8(b[0]))
	}
	return uint64(b[0])
}
