package columnar

import (
	"fmt"
	"math"

	"github.com/apache/arrow/go/v15/parquet"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// columnType is how a column of a Parquet file stores its values, and what they
// are.
type columnType struct {
	kind     workload.TableKind
	unread   string // what the column is, where it cannot be read; else empty
	nested   bool   // it is below a list or structure
	physical parquet.Type
	optional bool
	number   numberKind // of words that are no texts
}

// typeOf returns the type of a file's column.
func typeOf(c *pqschema.Column) columnType {
	t := columnType{physical: c.PhysicalType(), optional: c.MaxDefinitionLevel() == 1}
	if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		t.nested, t.unread = true, "a list or structure"
		return t
	}
	switch t.physical {
	case parquet.Types.Int32:
		t.number.narrow = true
	case parquet.Types.Int64:
	case parquet.Types.Float:
		t.kind, t.number.float, t.number.narrow = workload.TableNumber, true, true
	case parquet.Types.Double:
		t.kind, t.number.float = workload.TableNumber, true
	case parquet.Types.ByteArray:
		t.kind = workload.TableText
	default:
		t.unread = fmt.Sprintf("%s values", t.physical)
		return t
	}
	switch l := c.LogicalType().(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType, pqschema.StringLogicalType, *pqschema.StringLogicalType:
	case *pqschema.TimestampLogicalType:
		t.kind, t.number.perUnit = workload.TableTime, 1e9
		switch l.TimeUnit() {
		case pqschema.TimeUnitMillis:
			t.number.perUnit = 1e3
		case pqschema.TimeUnitMicros:
			t.number.perUnit = 1e6
		}
	case *pqschema.IntLogicalType:
		t.number.natural = !l.IsSigned()
	default:
		t.unread = fmt.Sprintf("%s values", l)
	}
	return t
}

// typeWords is a column's type in Parquet's words.
func typeWords(c *pqschema.Column) string {
	words := c.PhysicalType().String()
	if l := c.LogicalType(); l != nil && !l.IsNone() {
		words += " " + l.String()
	}
	return words
}

// value is a word of a column as a number: of moments, the seconds since 1970.
// NaN stands for itself.
func (k numberKind) value(w uint64) float64 {
	switch {
	case k.float && k.narrow:
		return float64(math.Float32frombits(uint32(w)))
	case k.float:
		return math.Float64frombits(w)
	case k.perUnit != 0:
		return float64(k.integer(w)) / k.perUnit
	}
	return float64(k.integer(w))
}

// integer is a word of a column of whole numbers; an unsigned one beyond int64
// comes out negative.
func (k numberKind) integer(w uint64) int64 {
	switch {
	case k.narrow && k.natural:
		return int64(uint32(w))
	case k.narrow:
		return int64(int32(w))
	}
	return int64(w)
}
