package swf

import (
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Append appends the jobs of a record as lines of the standard workload
// format: 18 fields, single blanks between, -1 where a value is unknown,
// numbers in the shortest form that reads back as the same number. The columns
// that the format has not are left out: see Losses. It may be called from
// several goroutines at once, so that batches are formatted in parallel.
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

// AppendHeader appends a header as comment lines, unchanged.
func AppendHeader(dst []byte, h workload.Header) []byte {
	for _, line := range h.Lines {
		dst = parse.AppendComment(dst, ';', line)
	}
	return dst
}
