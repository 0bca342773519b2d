package columnar

import (
	"errors"

	"github.com/apache/arrow/go/v15/parquet"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// parquetField converts a column of a Parquet file to one of the job table.
type parquetField struct {
	numberColumn
	stored columnType
}

// newParquetField returns the conversion to column i of the job table. The error describes
// the type of the file's column.
func newParquetField(c *pqschema.Column, i int) (f parquetField, err error) {
	f.stored = typeOf(c)
	if saw := f.stored.noNumber(); saw != "" {
		return f, errors.New(saw)
	}
	f.numberColumn, err = newNumberColumn(f.stored.number, f.stored.kind == workload.TableTime, i)
	return f, err
}

// noNumber returns "" if the column holds numbers, else what it holds, for a message.
func (t *columnType) noNumber() string {
	switch {
	case t.unread != "":
		return t.unread
	case t.physical == parquet.Types.Boolean:
		return "booleans"
	case t.kind == workload.TableText:
		return "texts"
	}
	return ""
}
