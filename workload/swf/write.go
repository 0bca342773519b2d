package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Append appends a line for each job in b: 18 fields separated by single blanks, -1 for
// unknown values, and numbers in the shortest form that reads back as the same number.
// Columns that SWF does not have are left out; see Losses. It is safe for concurrent use.
func Append(dst []byte, b *workload.Batch) []byte {
	for i := range b.Rows {
		for f := range parse.Fields {
			if x := b.Floats[f]; x != nil {
				dst = parse.AppendNumber(dst, x[i])
			} else if n := b.Ints[f]; n != nil && n[i] != workload.Unknown {
				dst = parse.AppendWhole(dst, n[i])
			} else {
				dst = append(dst, '-', '1')
			}
			dst = append(dst, ' ')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// AppendHeader appends the lines of h as comments, unchanged.
func AppendHeader(dst []byte, h workload.Header) []byte {
	for _, line := range h.Lines {
		dst = parse.AppendComment(dst, ';', line)
	}
	return dst
}
