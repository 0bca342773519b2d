package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

func within(path string, x, lo, hi float64) error {
	if x >= lo && x <= hi {
		return nil
	}
	want := fmt.Sprintf("a number from %g to %g", lo, hi)
	if lo == math.SmallestNonzeroFloat64 {
		want = fmt.Sprintf("a number above 0, at most %g", hi)
	}
	return &FieldError{Path: path, Saw: number(x), Want: want}
}

func wholeWithin(path string, n, lo, hi int64) error {
	if n >= lo && n <= hi {
		return nil
	}
	want := fmt.Sprintf("a whole number from %d to %d", lo, hi)
	if hi == math.MaxInt64 {
		want = fmt.Sprintf("a whole number of at least %d", lo)
	}
	return &FieldError{Path: path, Saw: strconv.FormatInt(n, 10), Want: want}
}

// meanOne checks weights, which have mean 1.
func meanOne(path string, weights []float64) error {
	n, sum := float64(len(weights)), 0.0
	for i, w := range weights {
		if err := within(fmt.Sprintf("%s[%d]", path, i), w, 0, n); err != nil {
			return err
		}
		sum += w
	}
	if math.Abs(sum-n) > 1e-6 {
		return &FieldError{Path: path, Saw: fmt.Sprintf("weights with mean %s", number(sum/n)), Want: "weights with mean 1"}
	}
	return nil
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

const maxLine = 500

// line checks a text that fits in one line of a header.
func line(path, s string, n need) error {
	odd := func(r rune) bool { return !unicode.IsGraphic(r) || r == unicode.ReplacementChar }
	switch {
	case len(s) <= maxLine && !strings.ContainsFunc(s, odd) && !(n == required && s == ""):
		return nil
	case n == required:
		return &FieldError{Path: path, Saw: shorten(s), Want: "text of 1 to 500 bytes on one line"}
	}
	return &FieldError{Path: path, Saw: shorten(s), Want: "text on one line"}
}

// shorten quotes a text for a message.
func shorten(s string) string {
	if len(s) > 40 {
		return strconv.Quote(s[:40]) + "..."
	}
	return strconv.Quote(s)
}
