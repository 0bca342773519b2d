package slurm

import (
	"bytes"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// sacctShape is what the values of a column look like, as far as it helps to
// find the columns again in a line that has more bars than it should.
type sacctShape uint8

const (
	shapeText sacctShape = iota
	shapeWord
	shapeCount
	shapeSize
	shapeTime
	shapeDuration
	shapeLimit
	shapeExit
	shapeState
	shapeJobID
	shapeTRES
	shapeRange
)

// fits reports whether a value looks like one of the column. Every column but the
// job's number may be empty.
func (s sacctShape) fits(v []byte) bool {
	if len(v) == 0 {
		return s != shapeJobID
	}
	switch s {
	case shapeText:
		return true
	case shapeCount:
		_, err := parseSacctCount(v)
		return parse.IsDigits(v) || err == "" && v[0] <= '9'
	case shapeRange:
		_, ok := squeueCount(v)
		return ok
	case shapeSize:
		if _, _, err := parseSacctSize(v, 'K'); err == "" {
			return true
		}
		return isUnknownWord(v)
	case shapeTime:
		t, err := parseSacctTime(v)
		return err == "" && (t.kind != timeUnix || len(v) >= 9) // not any small count
	case shapeDuration:
		_, err := parseSacctDuration(v)
		return err == ""
	case shapeLimit:
		if parse.IsDigits(v) {
			return true
		}
		_, err := parseSacctDuration(v)
		return err == ""
	case shapeExit:
		a, b, ok := bytes.Cut(v, []byte{':'})
		return ok && parse.IsDigits(a) && parse.IsDigits(b)
	case shapeState:
		return parseSacctState(v) != stateUnknown
	case shapeJobID:
		_, err := parseSacctID(v)
		return err == ""
	case shapeTRES:
		return bytes.IndexByte(v, '=') > 0 && bytes.IndexByte(v, ' ') < 0 && isOneLine(v)
	}
	return isOneLine(v)
}

// isOneLine reports whether a text has neither a line's end nor an indent, as no
// word that Slurm prints has.
func isOneLine(v []byte) bool {
	return v[0] != ' ' && v[0] != '\t' && bytes.IndexByte(v, '\n') < 0 && bytes.IndexByte(v, '\r') < 0
}

// isNoValue reports whether a value is one that Slurm writes for a number or a time that is
// not set, or has no limit: a word, or NO_VAL and INFINITE of 32 or 64 bits, where a
// printer did not look for them.
func isNoValue(v []byte) bool {
	switch string(v) {
	case "", "4294967294", "4294967295", "18446744073709551614", "18446744073709551615",
		"NO_VAL", "NOT_SET", "UNLIMITED", "Unlimited", "INFINITE", "Partition_Limit":
		return true
	}
	return isUnknownWord(v)
}

// isUnknownWord reports whether Slurm means that it does not know.
func isUnknownWord(v []byte) bool {
	switch string(v) {
	case "Unknown", "None", "N/A", "None assigned", "(null)", "INVALID":
		return true
	}
	return false
}
