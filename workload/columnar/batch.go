package columnar

import (
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/arrow/memory"

	"github.com/loadstone-hpc/loadstone/workload"
)

// tableSchema is the job table in Arrow's terms. Its fields carry unit, meaning and SWF field
// number as metadata.
var tableSchema = func() *arrow.Schema {
	var fields []arrow.Field
	for _, c := range workload.Columns() {
		keys, values := []string{"unit", "meaning"}, []string{c.Unit, c.Meaning}
		if c.SWF > 0 {
			keys, values = append(keys, "swf_field"), append(values, strconv.Itoa(c.SWF))
		}
		var t arrow.DataType = arrow.PrimitiveTypes.Int64
		if c.Float() {
			t = arrow.PrimitiveTypes.Float64
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: t, Nullable: true, Metadata: arrow.NewMetadata(keys, values)})
	}
	return arrow.NewSchema(fields, nil)
}()

// fieldsOf returns the fields of a file with the optional columns in a set.
func fieldsOf(set workload.ColumnSet) (fields []arrow.Field) {
	for _, at := range set.Written() {
		fields = append(fields, tableSchema.Field(at))
	}
	return fields
}

// isUnknown reports whether the word of a column stands for an unknown value.
func isUnknown(float bool, word uint64) bool {
	if float {
		return word&^(1<<63) > 0x7ff<<52 // NaN
	}
	return word == 1<<63
}

// arrayOf makes Arrow's form of a column of n words, or of none for one that is unknown
// throughout. The words of nulls are zero.
func arrayOf(field arrow.Field, words []uint64, n int) arrow.Array {
	float := field.Type.ID() == arrow.FLOAT64
	nulls := 0
	for _, w := range words {
		if isUnknown(float, w) {
			nulls++
		}
	}
	var bitmap []byte
	if words == nil || nulls > 0 {
		known := make([]uint64, n)
		bitmap = make([]byte, bitutil.BytesForBits(int64(n)))
		nulls = n
		for i, w := range words {
			if !isUnknown(float, w) {
				known[i] = w
				bitutil.SetBit(bitmap, i)
				nulls--
			}
		}
		words = known
	}
	var valid *memory.Buffer
	if nulls > 0 {
		valid = memory.NewBufferBytes(bitmap)
	}
	data := array.NewData(field.Type, n, []*memory.Buffer{valid, memory.NewBufferBytes(arrow.Uint64Traits.CastToBytes(words))}, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data)
}
