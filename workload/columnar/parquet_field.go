package columnar

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"
)

// parquetField says how a column of a Parquet file becomes one of ours.
type parquetField struct {
	numberColumn
	physical parquet.Type
	optional bool
}

// newParquetField returns the conversion to column i of the job table. The
// error says what the file's column is.
func newParquetField(c *pqschema.Column, i int) (f parquetField, err error) {
	f.physical, f.optional = c.PhysicalType(), c.MaxDefinitionLevel() == 1
	if c.MaxRepetitionLevel() > 0 || c.MaxDefinitionLevel() > 1 {
		return f, errors.New("a list or structure")
	}
	var k numberKind
	switch f.physical {
	case parquet.Types.Int32:
		k.narrow = true
	case parquet.Types.Int64:
	case parquet.Types.Float:
		k.float, k.narrow = true, true
	case parquet.Types.Double:
		k.float = true
	default:
		return f, fmt.Errorf("%s values", f.physical)
	}
	switch t := c.LogicalType().(type) {
	case nil, pqschema.NoLogicalType, pqschema.UnknownLogicalType:
	case *pqschema.TimestampLogicalType:
		k.perUnit = 1e9
		switch t.TimeUnit() {
		case pqschema.TimeUnitMillis:
			k.perUnit = 1e3
		case pqschema.TimeUnitMicros:
			k.perUnit = 1e6
		}
	case *pqschema.IntLogicalType:
		k.natural = !t.IsSigned()
	default:
		return f, fmt.Errorf("%s values", t)
	}
	f.numberColumn, err = newNumberColumn(k, i)
	return f, err
}
