package parse

import (
	"math"
	"strconv"
)

// AppendNumber appends the shortest text that reads back as x, without an
// exponent where that stays short; NaN is written as unknown. Infinity, which
// the Writers refuse, becomes a word that no reader takes for a number.
func AppendNumber(dst []byte, x float64) []byte {
	if n := int64(x); float64(n) == x && n > -1<<53 && n < 1<<53 && (n != 0 || !math.Signbit(x)) {
		return AppendWhole(dst, n)
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

// FormatNumber returns the text that AppendNumber appends.
func FormatNumber(x float64) string { return string(AppendNumber(nil, x)) }

// twoDigits are the numbers 00 to 99.
const twoDigits = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// AppendWhole appends a whole number.
func AppendWhole(dst []byte, n int64) []byte {
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
