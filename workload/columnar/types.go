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
	words    string // the type in Parquet's words
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
	t.words = t.physical.String()
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
		t.words = fmt.Sprintf("%s(%d)", t.words, t.width)
		t.unread = t.words + " values" // unless it is one of the types below
	default:
		t.unread = t.words + " values"
		return t
	}
	t.logical(c.LogicalType())
	return t
}

// logical takes over what the values mean.
func (t *columnType) logical(l pqschema.LogicalType) {
	switch l := l.(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType:
		return
	case pqschema.NullLogicalType, *pqschema.NullLogicalType:
		t.words, t.null = "NULL", true
	case pqschema.StringLogicalType, *pqschema.StringLogicalType:
		t.words = "STRING"
	case pqschema.EnumLogicalType, *pqschema.EnumLogicalType:
		t.words = "ENUM"
	case pqschema.JSONLogicalType, *pqschema.JSONLogicalType:
		t.words = "JSON"
	case *pqschema.IntLogicalType:
		t.number.natural = !l.IsSigned()
		t.words = fmt.Sprintf("%sINT_%d", map[bool]string{true: "U"}[!l.IsSigned()], l.BitWidth())
	case pqschema.DateLogicalType, *pqschema.DateLogicalType:
		t.words, t.kind = "DATE", workload.TableTime
		t.number.days, t.number.local = true, true
	case *pqschema.TimestampLogicalType:
		t.kind = workload.TableTime
		t.number.local = !l.IsAdjustedToUTC()
		t.words, t.number.perUnit = timeWords("TIMESTAMP", l.TimeUnit(), l.IsAdjustedToUTC())
	case *pqschema.TimeLogicalType: // of day, or a length of time
		t.kind = workload.TableNumber
		t.words, t.number.perUnit = timeWords("TIME", l.TimeUnit(), l.IsAdjustedToUTC())
	case *pqschema.DecimalLogicalType:
		t.words = fmt.Sprintf("DECIMAL(%d, %d)", l.Precision(), l.Scale())
		t.decimal(int(l.Scale()))
	case pqschema.UUIDLogicalType, *pqschema.UUIDLogicalType:
		t.words, t.unread, t.kind, t.text = "UUID", "", workload.TableText, appendUUID
	case pqschema.IntervalLogicalType, *pqschema.IntervalLogicalType:
		t.words, t.unread, t.kind = "INTERVAL", "", workload.TableNumber
		t.number.float, t.word = true, intervalSeconds
	case pqschema.Float16LogicalType, *pqschema.Float16LogicalType:
		t.words, t.unread, t.kind = "FLOAT16", "", workload.TableNumber
		t.number.float, t.word = true, halfFloat
	default:
		t.words = strings.ToUpper(l.String())
		t.unread = t.words + " values"
	}
}

// decimal makes the column one of decimals with scale digits after the point.
func (t *columnType) decimal(scale int) {
	if scale < 0 || scale > maxDecimal {
		t.unread = t.words + " values"
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

// timeWords are Parquet's words for a type of times, and its units in a second.
func timeWords(name string, unit pqschema.TimeUnitType, utc bool) (words string, perUnit float64) {
	zone := "local"
	if utc {
		zone = "UTC"
	}
	word := "NANOS"
	perUnit = 1e9
	switch unit {
	case pqschema.TimeUnitMillis:
		word, perUnit = "MILLIS", 1e3
	case pqschema.TimeUnitMicros:
		word, perUnit = "MICROS", 1e6
	}
	return fmt.Sprintf("%s(%s, %s)", name, word, zone), perUnit
}
