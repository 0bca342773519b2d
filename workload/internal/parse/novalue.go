package parse

import "bytes"

// NoValue says that a field that should hold a number says that there is none,
// in the words of R, pandas, SQL and Slurm.
func NoValue(v []byte) bool {
	if len(v) == 0 {
		return true
	}
	if c := v[0]; c-'0' <= 9 || c == '-' && len(v) > 1 {
		return false
	}
	for _, word := range [...]string{"NA", "N/A", "NaN", "null", "None", "Unknown", "-", `\N`} {
		if len(v) == len(word) && bytes.EqualFold(v, []byte(word)) {
			return true
		}
	}
	return false
}

// PlainWhole reads a number that is a few digits, as most are.
func PlainWhole(v []byte) (n int64, ok bool) {
	n, rest := Digits(v)
	return n, len(v) > 0 && len(rest) == 0
}
