package columnar

import (
	"fmt"
	"strings"
	"time"

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
		t.width = 4
	case parquet.Types.Int64:
		t.width = 8
	case parquet.Types.Int96:
		t.kind, t.bytes, t.width, t.word, t.number.unit = workload.TableTime, true, 12, int96Micros, time.Microsecond
	case parquet.Types.Float:
		t.kind, t.width, t.number.float = workload.TableNumber, 4, true
	case parquet.Types.Double:
		t.kind, t.width, t.number.float = workload.TableNumber, 8, true
	case parquet.Types.ByteArray:
		t.kind, t.bytes = workload.TableText, true
	case parquet.Types.FixedLenByteArray:
		t.bytes, t.width = true, c.TypeLength()
		t.unread = fmt.Sprintf("%s(%d) values", t.physical, t.width) // unless it is one of the types below
	default:
		t.unread = fmt.Sprintf("%s values", t.physical)
		return t
	}
	float := func(word func([]byte) (uint64, error)) {
		t.unread, t.kind, t.number.float, t.word = "", workload.TableNumber, true, word
	}
	switch l := c.LogicalType().(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType, pqschema.StringLogicalType, pqschema.EnumLogicalType, pqschema.JSONLogicalType:
	case pqschema.NullLogicalType:
		t.null = true
	case *pqschema.IntLogicalType:
		t.number.natural = !l.IsSigned()
	case pqschema.DateLogicalType:
		t.kind, t.number.unit, t.number.local = workload.TableTime, 24*time.Hour, true
	case *pqschema.TimestampLogicalType:
		t.kind, t.number.unit, t.number.local = workload.TableTime, units[l.TimeUnit()], !l.IsAdjustedToUTC()
	case *pqschema.TimeLogicalType: // of day, or a length of time
		t.kind, t.number.unit = workload.TableNumber, units[l.TimeUnit()]
	case *pqschema.DecimalLogicalType:
		switch scale := int(l.Scale()); {
		case scale < 0 || scale > maxDecimal:
			t.unread = fmt.Sprintf("DECIMAL(%d, %d) values", l.Precision(), scale)
		case scale > 0 && t.bytes:
			float(bigDecimal(scale))
		case scale > 0:
			t.kind, t.number.scale = workload.TableNumber, scale
		default:
			t.unread, t.kind, t.word = "", workload.TableWhole, bigWhole
		}
	case pqschema.UUIDLogicalType:
		t.unread, t.kind, t.text = "", workload.TableText, appendUUID
	case pqschema.IntervalLogicalType:
		float(intervalSeconds)
	case pqschema.Float16LogicalType:
		float(halfFloat)
	default:
		t.unread = strings.ToUpper(l.String()) + " values"
	}
	return t
}

// units are the units of Parquet's times.
var units = map[pqschema.TimeUnitType]time.Duration{
	pqschema.TimeUnitMillis: time.Millisecond, pqschema.TimeUnitMicros: time.Microsecond, pqschema.TimeUnitNanos: time.Nanosecond,
}
