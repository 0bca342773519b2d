package columnar

import (
	"fmt"
	"strings"

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
	null     bool   // it has no type, and nulls alone
	physical parquet.Type
	width    int  // bytes of a value; 0 for texts
	bytes    bool // stored as bytes, of which word or text makes a value
	optional bool
	number   numberKind // of words that are no texts

	// Of values that are stored as bytes: word makes a number of one, text the
	// form in which people write it. Both are nil for texts.
	word func(raw []byte) (uint64, error)
	text func(dst, raw []byte) []byte
}

// typeOf returns the type of a file's column.
func typeOf(c *pqschema.Column) columnType {
	t := columnType{physical: c.PhysicalType(), optional: c.MaxDefinitionLevel() == 1}
	if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		t.nested, t.unread = true, "a list or structure"
		return t
	}
	switch t.physical {
	case parquet.Types.Boolean:
	case parquet.Types.Int32:
		t.width, t.number.narrow = 4, true
	case parquet.Types.Int64:
		t.width = 8
	case parquet.Types.Int96:
		t.kind, t.bytes, t.width, t.word, t.number.perUnit = workload.TableTime, true, 12, int96Micros, 1e6
	case parquet.Types.Float:
		t.kind, t.width, t.number = workload.TableNumber, 4, numberKind{float: true, narrow: true}
	case parquet.Types.Double:
		t.kind, t.width, t.number = workload.TableNumber, 8, numberKind{float: true}
	case parquet.Types.ByteArray:
		t.kind, t.bytes = workload.TableText, true
	case parquet.Types.FixedLenByteArray:
		t.bytes, t.width = true, c.TypeLength()
		t.unread = fmt.Sprintf("%s(%d) values", t.physical, t.width) // unless it is one of the types below
	default:
		t.unread = fmt.Sprintf("%s values", t.physical)
		return t
	}
	t.logical(c.LogicalType())
	return t
}

// logical takes over what the values mean.
func (t *columnType) logical(l pqschema.LogicalType) {
	switch l := l.(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType, pqschema.StringLogicalType, *pqschema.StringLogicalType,
		pqschema.EnumLogicalType, *pqschema.EnumLogicalType, pqschema.JSONLogicalType, *pqschema.JSONLogicalType:
	case pqschema.NullLogicalType, *pqschema.NullLogicalType:
		t.null = true
	case *pqschema.IntLogicalType:
		t.number.natural = !l.IsSigned()
	case pqschema.DateLogicalType, *pqschema.DateLogicalType:
		t.kind, t.number.days, t.number.local = workload.TableTime, true, true
	case *pqschema.TimestampLogicalType:
		t.kind, t.number.perUnit, t.number.local = workload.TableTime, perSecond(l.TimeUnit()), !l.IsAdjustedToUTC()
	case *pqschema.TimeLogicalType: // of day, or a length of time
		t.kind, t.number.perUnit = workload.TableNumber, perSecond(l.TimeUnit())
	case *pqschema.DecimalLogicalType:
		t.decimal(int(l.Scale()), fmt.Sprintf("DECIMAL(%d, %d) values", l.Precision(), l.Scale()))
	case pqschema.UUIDLogicalType, *pqschema.UUIDLogicalType:
		t.unread, t.kind, t.text = "", workload.TableText, appendUUID
	case pqschema.IntervalLogicalType, *pqschema.IntervalLogicalType:
		t.unread, t.kind, t.number.float, t.word = "", workload.TableNumber, true, intervalSeconds
	case pqschema.Float16LogicalType, *pqschema.Float16LogicalType:
		t.unread, t.kind, t.number.float, t.word = "", workload.TableNumber, true, halfFloat
	default:
		t.unread = strings.ToUpper(l.String()) + " values"
	}
}

// decimal makes the column one of decimals with scale digits after the point.
func (t *columnType) decimal(scale int, name string) {
	if scale < 0 || scale > maxDecimal {
		t.unread = name
		return
	}
	t.kind, t.unread = workload.TableWhole, ""
	if scale > 0 {
		t.kind = workload.TableNumber
	}
	switch {
	case t.bytes && scale > 0:
		t.number.float, t.word = true, bigDecimal(scale)
	case t.bytes:
		t.word = bigWhole
	case scale > 0:
		t.number.scale = scale
	}
}

// perSecond is how many units a second has.
func perSecond(unit pqschema.TimeUnitType) float64 {
	switch unit {
	case pqschema.TimeUnitMillis:
		return 1e3
	case pqschema.TimeUnitMicros:
		return 1e6
	}
	return 1e9
}
