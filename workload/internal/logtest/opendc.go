package logtest

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

// Table makes a record of columns; a column is named by the even arguments.
func Table(namesAndArrays ...any) arrow.Record {
	var fields []arrow.Field
	var arrays []arrow.Array
	for i := 0; i < len(namesAndArrays); i += 2 {
		a := namesAndArrays[i+1].(arrow.Array)
		fields = append(fields, arrow.Field{Name: namesAndArrays[i].(string), Type: a.DataType(), Nullable: a.NullN() > 0})
		arrays = append(arrays, a)
	}
	return array.NewRecord(arrow.NewSchema(fields, nil), arrays, int64(arrays[0].Len()))
}

func Int64s(values ...int64) arrow.Array {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}

func Float64s(values ...float64) arrow.Array {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues(values, nil)
	return b.NewArray()
}
