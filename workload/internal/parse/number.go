package parse

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ShortNumber is the maximum number of digits that can be read without checking for overflow or,
// in a float64, for rounding: 10^15 < 2^53.
const ShortNumber = 15

// IsDigits reports whether v consists of digits and is not empty.
func IsDigits(v []byte) bool {
	for _, c := range v {
		if c-'0' > 9 {
			return false
		}
	}
	return len(v) > 0
}

// Digits reads up to 15 digits and returns the rest of v.
func Digits(v []byte) (n int64, rest []byte) {
	i := 0
	for i < len(v) && i < ShortNumber && v[i]-'0' <= 9 {
		n = n*10 + int64(v[i]-'0')
		i++
	}
	return n, v[i:]
}

// ExactPowers are the powers of ten that a float64 holds exactly.
var ExactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Decimal parses digits with an optional minus sign and at most one point, if the result is exact:
// the digits without the point fit 53 bits and the power of ten is a float64, so that one division
// rounds once, as the correctly rounded strconv.ParseFloat would. Otherwise it returns false.
func Decimal(tok []byte) (float64, bool) {
	i, negative := 0, false
	if tok[0] == '-' {
		negative = true
		i = 1
	}
	var m uint64
	digits, point := 0, -1
	for ; i < len(tok); i++ {
		switch c := tok[i]; {
		case c-'0' <= 9:
			m = m*10 + uint64(c-'0')
			digits++
		case c == '.' && point < 0:
			point = digits
		default:
			return 0, false
		}
	}
	if digits == 0 || digits > 19 || bits.Len64(m) > 53 {
		return 0, false
	}
	x := float64(m)
	if point >= 0 {
		x /= ExactPowers[digits-point]
	}
	if negative {
		x = -x
	}
	return x, true
}

// Number parses a decimal number with optional sign, point and exponent. want is empty if a
// float64 can hold the number; otherwise it is what was expected.
func Number(tok []byte) (x float64, want string) {
	if len(tok) == 0 {
		return 0, "a number"
	}
	if x, ok := Decimal(tok); ok {
		return x, ""
	}
	for _, c := range tok {
		// ParseFloat would also accept hexadecimal, "inf" and "nan".
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, "a number"
		}
	}
	x, err := strconv.ParseFloat(string(tok), 64)
	if err != nil {
		if math.IsInf(x, 0) {
			return 0, "a number of at most 1.8e308"
		}
		return 0, "a number"
	}
	return x, ""
}

// Whole parses an integer, which may have a point or an exponent as long as its value is whole.
// want is empty if that succeeds.
func Whole(tok []byte) (n int64, want string) {
	n, err := strconv.ParseInt(string(tok), 10, 64)
	if err == nil && n != workload.Unknown {
		return n, ""
	}
	x, want := Number(tok)
	switch {
	case want != "":
		return 0, "a whole number"
	case x != math.Trunc(x):
		return 0, "a whole number, not a fraction"
	case math.Abs(x) >= 1<<63:
		return 0, "a whole number of at most 9.2e18"
	case math.Abs(x) > 1<<53:
		// A float64 cannot distinguish neighbouring integers here.
		return 0, "a whole number written in digits alone"
	}
	return int64(x), ""
}

// Infinite reports whether a text is an infinite number, or one too large for a float64, rather
// than a name.
func Infinite(text []byte) bool {
	x, _ := strconv.ParseFloat(string(text), 64)
	return math.IsInf(x, 0)
}

// NoValue reports whether the text of a numeric field means that there is no number, in the
// notation of R, pandas, SQL or Slurm.
func NoValue(v []byte) bool {
	if len(v) == 0 {
		return true
	}
	if c := v[0]; c-'0' <= 9 || c == '-' && len(v) > 1 {
		return false
	}
	for _, word := range [...]string{"NA", "N/A", "NaN", "null", "None", "Unknown", "-", `\N`} {
		if bytes.EqualFold(v, []byte(word)) {
			return true
		}
	}
	return false
}

// PlainWhole parses a whole number of at most 15 digits, as most are.
func PlainWhole(v []byte) (n int64, ok bool) {
	n, rest := Digits(v)
	return n, len(v) > 0 && len(rest) == 0
}

// MemorySuffix splits the unit from an amount of memory. kb is the unit in kilobytes, 0 if there
// is none.
func MemorySuffix(text []byte) (number []byte, kb float64) {
	if len(text) == 0 {
		return text, 0
	}
	last := len(text) - 1
	if kb = MemoryUnit(text[last]); kb == 0 {
		return text, 0
	}
	return text[:last], kb
}

// MemoryUnit returns a unit, B to E (of 1024), in kilobytes, or 0 for other letters.
func MemoryUnit(letter byte) float64 {
	exponent := strings.IndexByte("BKMGTPE", letter&^0x20)
	if exponent < 0 || letter < 'A' {
		return 0
	}
	return math.Ldexp(1, 10*(exponent-1))
}

// AppendNumber appends the shortest text that is parsed as x, without an exponent if that stays
// short. NaN becomes -1, for unknown. Infinity, which Writers reject, becomes a word that no
// reader takes for a number.
func AppendNumber(dst []byte, x float64) []byte {
	if n := int64(x); float64(n) == x && n > -1<<53 && n < 1<<53 && (n != 0 || !math.Signbit(x)) {
		return AppendWhole(dst, n)
	}
	switch abs := math.Abs(x); {
	case math.IsNaN(x):
		return append(dst, "-1"...)
	case abs >= 1e-7 && abs < 1e21, abs == 0, math.IsInf(x, 0):
		return strconv.AppendFloat(dst, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(dst, x, 'e', -1, 64)
}

// FormatNumber returns the text that AppendNumber appends.
func FormatNumber(x float64) string { return string(AppendNumber(nil, x)) }

// AppendWhole appends a whole number.
func AppendWhole(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }
