package columnar

import (
	"fmt"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/parquet"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// columnType describes how a column of a Parquet file stores its values, and the kind of the
// values.
type columnType struct {
	kind     workload.TableKind
	unread   string // description of a column that cannot be read; else empty
	nested   bool   // it is part of a list or structure
	physical parquet.Type
	width    int  // bytes of a value; 0 for texts and bits
	digits   bool // values are decimals of width bytes (see decimalDigits)
	optional bool
	number   numberKind // type of words other than texts
}

// typeOf returns the type of a file's column. The types that pyarrow, DuckDB, Spark and Polars use
// for numbers, times and texts can be read.
func typeOf(c *pqschema.Column) columnType {
	t := columnType{physical: c.PhysicalType(), optional: c.MaxDefinitionLevel() == 1}
	if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		t.nested, t.unread = true, "a list or structure"
		return t
	}
	what := t.physical.String()
	fits := true // the logical type can be read in this physical one
	switch t.physical {
	case parquet.Types.Boolean:
	case parquet.Types.Int32:
		t.width = 4
	case parquet.Types.Int64:
		t.width = 8
	case parquet.Types.Int96:
		t.kind, t.width, t.number.unit = workload.TableTime, 12, time.Microsecond
	case parquet.Types.Float:
		t.kind, t.width, t.number.float = workload.TableNumber, 4, true
	case parquet.Types.Double:
		t.kind, t.width, t.number.float = workload.TableNumber, 8, true
	case parquet.Types.ByteArray:
		t.kind = workload.TableText
	default:
		what, fits = fmt.Sprintf("%s(%d)", what, c.TypeLength()), false
	}
	isNumber := t.kind != workload.TableText
	switch l := c.LogicalType().(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType, pqschema.NullLogicalType, pqschema.StringLogicalType, pqschema.EnumLogicalType, pqschema.JSONLogicalType:
	case *pqschema.IntLogicalType:
		t.number.natural = !l.IsSigned()
	case pqschema.DateLogicalType:
		t.kind, t.number.unit = workload.TableLocalTime, 24*time.Hour
	case *pqschema.TimestampLogicalType:
		t.kind, t.number.unit = workload.TableLocalTime, units[l.TimeUnit()]
		if l.IsAdjustedToUTC() {
			t.kind = workload.TableTime
		}
	case *pqschema.TimeLogicalType: // a time of day, or a duration
		t.kind, t.number.unit = workload.TableNumber, units[l.TimeUnit()]
	case *pqschema.DecimalLogicalType:
		what = fmt.Sprintf("DECIMAL(%d, %d)", l.Precision(), l.Scale())
		if t.physical == parquet.Types.FixedLenByteArray { // as pyarrow and Polars store all decimals
			t.digits, t.width, fits = true, c.TypeLength(), c.TypeLength() > 0
		}
		fits = fits && isNumber && l.Scale() >= 0
		if t.number.scale = int(l.Scale()); l.Scale() > 0 {
			t.kind = workload.TableNumber
		}
	default:
		what, fits = strings.ToUpper(l.String()), false
	}
	if !fits {
		t.unread = what + " values (cast them to DOUBLE or VARCHAR first)"
	}
	return t
}

// units are the units of Parquet's times.
var units = map[pqschema.TimeUnitType]time.Duration{
	pqschema.TimeUnitMillis: time.Millisecond, pqschema.TimeUnitMicros: time.Microsecond, pqschema.TimeUnitNanos: time.Nanosecond,
}
