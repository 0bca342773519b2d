package workload

import (
	"strings"

	"github.com/apache/arrow/go/v15/arrow"
)

// AppendSWF appends the jobs of a record as lines of the standard workload
// format: 18 fields, single blanks between, -1 where a value is unknown,
// numbers in the shortest form that reads back as the same number. The columns
// that the format has not are left out: see SWFLosses. It may be called from
// several goroutines at once, so that batches are formatted in parallel.
func AppendSWF(dst []byte, rec arrow.Record) []byte {
	v := NewView(rec)
	var valid [swfFields][]byte
	var offset [swfFields]int
	var columns [swfFields]struct {
		floats []float64
		ints   []int64
	}
	for f := range swfFields {
		valid[f], offset[f] = v.Validity(f)
		columns[f].floats, columns[f].ints = v.Floats(f), v.Ints(f)
	}
	for i := range v.Len() {
		for f := range swfFields {
			if bits := valid[f]; bits != nil {
				if at := uint(offset[f] + i); bits[at/8]>>(at%8)&1 == 0 {
					dst = append(dst, '-', '1', ' ')
					continue
				}
			}
			if floats := columns[f].floats; floats != nil {
				dst = appendNumber(dst, floats[i])
			} else {
				dst = appendWhole(dst, columns[f].ints[i])
			}
			dst = append(dst, ' ')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// AppendSWFHeader appends a header as comment lines, as they stand.
func AppendSWFHeader(dst []byte, h Header) []byte {
	for _, line := range h.Lines {
		dst = appendComment(dst, ';', line)
	}
	return dst
}

// appendComment appends a header's line behind the mark of comments: in parts,
// since a newline would turn the rest of it into a job, and without the carriage
// returns at its end, which would be read as part of the line's end.
func appendComment(dst []byte, mark byte, line string) []byte {
	for part := range strings.SplitSeq(line, "\n") {
		dst = append(dst, mark)
		dst = append(dst, strings.TrimRight(part, "\r")...)
		dst = append(dst, '\n')
	}
	return dst
}
