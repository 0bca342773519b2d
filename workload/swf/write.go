package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Append appends a line for each job in rec: 18 fields separated by single blanks, -1 for
// unknown values, and numbers in the shortest form that reads back as the same number.
// Columns that SWF does not have are left out; see Losses. It is safe for concurrent use.
func Append(dst []byte, rec workload.Batch) []byte {
	v := workload.NewView(rec)
	var valid [parse.Fields][]byte
	var offset [parse.Fields]int
	var columns [parse.Fields]struct {
		floats []float64
		ints   []int64
	}
	for f := range parse.Fields {
		valid[f], offset[f] = v.Validity(f)
		columns[f].floats, columns[f].ints = v.Floats(f), v.Ints(f)
	}
	for i := range v.Len() {
		for f := range parse.Fields {
			if bits := valid[f]; bits != nil {
				if at := uint(offset[f] + i); bits[at/8]>>(at%8)&1 == 0 {
					dst = append(dst, '-', '1', ' ')
					continue
				}
			}
			if floats := columns[f].floats; floats != nil {
				dst = parse.AppendNumber(dst, floats[i])
			} else {
				dst = parse.AppendWhole(dst, columns[f].ints[i])
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
