package parse

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// ExactPowers are the powers of ten that a float64 holds exactly.
var ExactPowers = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// Decimal reads digits with at most one point and a sign, where the
// result is exact: the digits without the point fit 53 bits and the power of
// ten is a float64, so that one division rounds once, as the correctly rounded
// strconv.ParseFloat would.
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

// Number reads a decimal number with optional sign, point and exponent.
// want is empty where it is one that a float64 can hold.
func Number(tok []byte) (x float64, want string) {
	if len(tok) == 0 {
		return 0, "a number"
	}
	if x, ok := Decimal(tok); ok {
		return x, ""
	}
	for _, c := range tok {
		// ParseFloat would also take hexadecimal, "inf" and "nan".
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

// Whole reads an integer, which may be written with a point or an
// exponent as long as nothing but zeros follows.
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
		// Here a float64 no longer tells neighbours apart.
		return 0, "a whole number written in digits alone"
	}
	return int64(x), ""
}

// Field reads a number for a column. n stands for it: the value or, for a column of
// float64, one with its sign that is -1 only if the value is. bits are those that
// the column holds.
func Field(tok []byte, float bool) (n int64, bits uint64, want string) {
	if !float {
		n, want = Whole(tok)
		return n, uint64(n), want
	}
	x, want := Number(tok)
	switch {
	case x == -1:
		n = -1
	case x < 0:
		n = -2
	case x > 0:
		n = 1
	}
	return n, math.Float64bits(x), want
}

// Infinite says whether a text is an infinite number, or one beyond a float64,
// and not the name of something.
func Infinite(text []byte) bool {
	x, _ := strconv.ParseFloat(string(text), 64)
	return math.IsInf(x, 0)
}
