package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/field"
)

// Full formats a number with all digits, for CSV; "" if it has no value.
func Full[F ~float64](n F) string { return field.Full(float64(n)) }

// Sig formats a number for people: whole numbers below 1e15 in full, others with four
// significant digits, with an exponent only if it is very small or large; "-" if it has
// no value.
func Sig[F ~float64](n F) string {
	x := float64(n)
	switch ax := math.Abs(x); {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return "-"
	case ax < 1e15 && x == math.Trunc(x):
		return strconv.FormatFloat(x, 'f', -1, 64)
	case ax >= 1e9 || ax < 1e-4:
		return strconv.FormatFloat(x, 'e', 3, 64)
	case ax >= 1000:
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	default:
		digits := 3 - int(math.Floor(math.Log10(ax)))
		return strconv.FormatFloat(x, 'f', digits, 64)
	}
}

// Fixed formats a number with the given number of decimals; "-" if it has no value. It
// formats numbers from 1e15 on as Sig does, since a float64 has hardly any decimals there.
func Fixed[F ~float64](n F, decimals int) string {
	x := float64(n)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	if math.Abs(x) >= 1e15 {
		return Sig(x)
	}
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.HasPrefix(s, "-") && strings.Trim(s, "-0.") == "" {
		return s[1:] // no minus sign if it rounds to zero
	}
	return s
}

// Percent formats x, a number of per cent, with one decimal; "-" if it has no value.
func Percent[F ~float64](x F) string {
	if s := Fixed(x, 1); s != "-" {
		return s + "%"
	}
	return "-"
}

// Level formats a quantile or a confidence in per cent, without trailing zeros.
func Level[F ~float64](x F) string {
	return strconv.FormatFloat(math.Round(1e8*float64(x))/1e6, 'g', -1, 64) + "%"
}

// Duration formats a single time, given in seconds, in the unit that suits it. Times that are
// compared should have the same unit: see TimeUnitOf.
func Duration[F ~float64](seconds F) string {
	return TimeUnitOf(float64(seconds)).Write(float64(seconds))
}

// Grouped formats a whole number in groups of three digits.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = s[:1], s[1:]
	}
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return sign + b.String()
}

// Known reports whether a number has a value, that is, is neither NaN nor infinite.
func Known[N ~float64](x N) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// Range formats a range, or its only value.
func Range(from, to int64) string {
	if from == to {
		return strconv.FormatInt(from, 10)
	}
	return fmt.Sprintf("%d-%d", from, to)
}
