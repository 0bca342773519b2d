package delimited

import (
	"io"
	"math"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// NewWriter returns a writer of the job table in CSV, with all required columns and the optional
// columns in set.
func NewWriter(w io.Writer, set workload.ColumnSet) *parse.Writer {
	columns := set.Written()
	out := parse.NewWriter(w, AppendHeader(nil, columns), "", func(dst []byte, b *workload.Batch) []byte { return Append(dst, b, columns) })
	out.Columns = &set
	return out
}

// AppendHeader appends the header line: the names of the given columns of the job table, separated
// by commas.
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

// HeaderLosses returns the losses of writing a log's header to CSV, which has no header: all of its
// lines.
func HeaderLosses(h *workload.Header) []workload.Loss {
	if len(h.Lines) == 0 {
		return nil
	}
	return []workload.Loss{{Column: "header", Why: "this format has no header: its lines, with names of users and the like, are lost", Values: int64(len(h.Lines))}}
}
