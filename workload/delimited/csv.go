package delimited

import (
	"io"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// NewWriter returns a writer of the job table: all required columns, and those optional
// columns that are in set.
func NewWriter(w io.Writer, set workload.ColumnSet) *parse.Writer {
	columns := set.Written()
	out := parse.NewWriter(w, AppendHeader(nil, columns), "", func(dst []byte, b *workload.Batch) []byte { return Append(dst, b, columns) })
	out.Columns = &set
	return out
}

// AppendHeader appends the header line: the names of the columns, which are positions in
// the job table, with commas between them.
func AppendHeader(dst []byte, columns []int) []byte {
	return append(append(dst, strings.Join(workload.ColumnNames(columns), ",")...), '\n')
}

// Append appends a line for each job in b, with the given columns of the job table.
// Unknown values are empty fields; numbers have the shortest form that reads back as the
// same number. It is safe for concurrent use.
func Append(dst []byte, b *workload.Batch, columns []int) []byte {
	for i := range b.Rows {
		for _, c := range columns {
			if x := b.Float(c, i); !math.IsNaN(x) {
				dst = parse.AppendNumber(dst, x)
			} else if n := b.Int(c, i); n != workload.Unknown {
				dst = parse.AppendWhole(dst, n)
			}
			dst = append(dst, ',')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// HeaderLosses returns what a CSV file loses of a log's header: everything, since CSV has
// no place for one. Names of users, groups and the like are listed by column, since the
// numbers that they stand for are kept.
func HeaderLosses(h *workload.Header) []workload.Loss {
	var losses []workload.Loss
	lines := int64(len(h.Lines))
	for _, col := range workload.NamedColumns() {
		if n := int64(len(h.Names(workload.NameKey(col)))); n > 0 {
			losses = append(losses, workload.Loss{Column: workload.ColumnAt(col).Name, Why: "its numbers are written, without their names in the header", Values: n, Unit: "name"})
			lines -= n
		}
	}
	if lines > 0 {
		losses = append(losses, workload.Loss{Column: "header", Why: "the format has no header", Values: lines})
	}
	return losses
}
