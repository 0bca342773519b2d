package columnar

import (
	"errors"

	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// parquetField says how a column of a Parquet file becomes one of ours.
type parquetField struct {
	numberColumn
	stored columnType
}

// newParquetField returns the conversion to column i of the job table. The
// error says what the file's column is.
func newParquetField(c *pqschema.Column, i int) (f parquetField, err error) {
	f.stored = typeOf(c)
	if f.stored.unread != "" {
		return f, errors.New(f.stored.unread)
	}
	if f.stored.kind == workload.TableText {
		return f, errors.New("texts")
	}
	f.numberColumn, err = newNumberColumn(f.stored.number, i)
	return f, err
}
