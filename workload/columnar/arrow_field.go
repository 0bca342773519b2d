package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/bitutil"

	"github.com/loadstone-hpc/loadstone/workload"
)

// arrowField converts a column of an Arrow file to one of the job table.
type arrowField struct {
	number numberKind
	bytes  int  // width of a value; 0 for a column of nulls
	signed bool // values narrower than a word
}

// newArrowField returns the conversion from a type. The error describes
// the type of the file's column.
func newArrowField(t arrow.DataType, whole bool) (f arrowField, err error) {
	switch t.ID() {
	case arrow.NULL:
		return f, nil
	case arrow.TIMESTAMP:
		if f.number.perUnit = 1e9 / float64(t.(*arrow.TimestampType).Unit.Multiplier()); whole {
			return f, errors.New("times")
		}
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64:
		f.signed = true
	case arrow.UINT8, arrow.UINT16, arrow.UINT32:
	case arrow.UINT64:
		f.number.natural = true
	case arrow.FLOAT32:
		f.number = numberKind{float: true, narrow: true}
	case arrow.FLOAT64:
		f.number.float = true
	default:
		return f, fmt.Errorf("%s values", t)
	}
	f.bytes = t.(arrow.FixedWidthDataType).Bytes()
	return f, nil
}

// words returns the bits of n rows of column i of the job table; row is the number of the first. Neither
// the lengths of the array's buffers nor its count of nulls are trusted.
func (f *arrowField) words(src arrow.Array, i, n int, row int64) ([]uint64, error) {
	data := src.Data()
	if data.Len() != n || data.Offset() != 0 || n < 0 {
		return nil, fmt.Errorf("%d rows in a batch of %d", data.Len(), n)
	}
	nulls, values := data.Buffers()[0], data.Buffers()[1]
	if n > 0 && (values == nil || values.Len()/f.bytes < n) {
		return nil, errors.New("values are cut short")
	}
	bitmap := make([]byte, bitutil.BytesForBits(int64(n)))
	switch {
	case nulls != nil && nulls.Len() > 0:
		if copy(bitmap, nulls.Bytes()) < len(bitmap) {
			return nil, errors.New("the validity bitmap is cut short")
		}
	case data.NullN() > 0:
		return nil, errors.New("nulls without a validity bitmap")
	default:
		bitutil.SetBitsTo(bitmap, 0, int64(n), true)
	}
	float, kind := workload.ColumnAt(i).Float(), workload.TableWhole
	if float {
		kind = workload.TableNumber
	}
	words := make([]uint64, n)
	for r := range words {
		if words[r] = workload.UnknownBits(i); isSet(bitmap, r) {
			words[r] = f.word(values.Bytes()[r*f.bytes:])
		}
	}
	err := f.number.convert(words, bitmap, kind, row)
	if err == nil && float {
		err = checkFinite(words, row)
	}
	return words, err
}

// word reads a value.
func (f *arrowField) word(b []byte) (w uint64) {
	if f.bytes == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	for i := range f.bytes {
		w |= uint64(b[i]) << (8 * i)
	}
	if shift := 64 - 8*f.bytes; f.signed {
		w = uint64(int64(w<<shift) >> shift)
	}
	return w
}
