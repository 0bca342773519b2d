package workload

import (
	"math"
	"strconv"
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
	for f := range swfFields {
		if v.nulls[f] {
			valid[f], offset[f] = v.cols[f].NullBitmapBytes(), v.cols[f].Data().Offset()
		}
	}
	for i := range v.rows {
		for f := range swfFields {
			if bits := valid[f]; bits != nil {
				if at := uint(offset[f] + i); bits[at/8]>>(at%8)&1 == 0 {
					dst = append(dst, '-', '1', ' ')
					continue
				}
			}
			if floats := v.floats[f]; floats != nil {
				dst = appendNumber(dst, floats[i])
			} else {
				dst = appendWhole(dst, v.ints[f][i])
			}
			dst = append(dst, ' ')
		}
		dst[len(dst)-1] = '\n'
	}
	return dst
}

// appendNumber appends the shortest text that reads back as x, without an
// exponent where that stays short; NaN is written as unknown. Infinity, which
// the Writers refuse, becomes a word that no reader takes for a number.
func appendNumber(dst []byte, x float64) []byte {
	if n := int64(x); float64(n) == x && n > -1<<53 && n < 1<<53 && (n != 0 || !math.Signbit(x)) {
		return appendWhole(dst, n)
	}
	switch abs := math.Abs(x); {
	case math.IsNaN(x):
		return append(dst, "-1"...)
	case math.IsInf(x, 0):
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	case abs >= 1e-7 && abs < 1e21 || abs == 0:
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'e', -1, 64)
}

func formatNumber(x float64) string { return string(appendNumber(nil, x)) }

// twoDigits are the numbers 00 to 99.
const twoDigits = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

func appendWhole(dst []byte, n int64) []byte {
	if n < 0 || n >= 1e8 {
		return strconv.AppendInt(dst, n, 10)
	}
	if n < 10 {
		return append(dst, byte('0'+n))
	}
	var buf [8]byte
	i := len(buf)
	u := uint32(n)
	for u >= 100 {
		i -= 2
		copy(buf[i:i+2], twoDigits[u%100*2:][:2])
		u /= 100
	}
	if u >= 10 {
		i -= 2
		copy(buf[i:i+2], twoDigits[u*2:][:2])
	} else {
		i--
		buf[i] = byte('0' + u)
	}
	return append(dst, buf[i:]...)
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
