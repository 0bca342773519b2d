package columnar

import (
	"errors"
	"fmt"
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// numberKind is the type of numbers in a column of a foreign file.
type numberKind struct {
	float   bool
	narrow  bool    // 32 bits: the upper half of a word is to be ignored
	natural bool    // unsigned
	perUnit float64 // of times: units in a second; else 0
	days    bool    // of dates
	local   bool    // of times and dates: those of a clock in no known zone
	scale   int     // of decimals: digits behind the point
}

// plain reports that a word is the number itself.
func (k numberKind) plain() bool { return k.perUnit == 0 && !k.days && k.scale == 0 }

// numberColumn converts the values of a foreign column to those of a column of the job
// table, if that is exact.
type numberColumn struct {
	kind numberKind
	note string // what values become, where that is worth a warning
	// number makes a word of the column of one of the file; nil where they
	// are the same.
	number func(uint64) (uint64, error)
}

// newNumberColumn returns the conversion of numbers, or of times, to column i of
// the job table.
func newNumberColumn(k numberKind, times bool, i int) (numberColumn, error) {
	c := numberColumn{kind: k}
	float := workload.ColumnAt(i).Float()
	switch {
	case times && !float:
		return c, errors.New("a timestamp")
	case !k.plain() && float:
		if times {
			c.note = "seconds since 1970"
		}
		c.number = func(w uint64) (uint64, error) { return math.Float64bits(k.value(w)), nil }
	case k.float && float && !k.narrow:
	case k.float || !k.plain():
		c.number = func(w uint64) (uint64, error) {
			x := k.value(w)
			if float {
				return math.Float64bits(x), nil
			}
			if x < -1<<63 || x >= 1<<63 || x != math.Trunc(x) {
				return 0, fmt.Errorf("saw %g, want a whole number", x)
			}
			return uint64(int64(x)), nil
		}
	case !float && !k.narrow && !k.natural:
	default:
		c.number = func(w uint64) (uint64, error) {
			x := k.integer(w)
			if k.natural && x < 0 {
				return 0, fmt.Errorf("saw %d, want at most %d", w, int64(math.MaxInt64))
			}
			if !float {
				return uint64(x), nil
			}
			if y := float64(x); y < 1<<63 && int64(y) == x {
				return math.Float64bits(y), nil
			}
			return 0, fmt.Errorf("saw %d, which has no exact float64", x)
		}
	}
	return c, nil
}

// convert makes values of the column in place; words of nulls are zero. NaN
// counts as unknown: other programs write it where they have no nulls. An
// infinite value is an error, as is one that the column cannot hold; row is the
// number of rows before these. It returns the number of nulls.
func (c *numberColumn) convert(words []uint64, bitmap []byte, nulls int, row int64) (int, error) {
	fault := func(i int, err error) (int, error) { return nulls, fmt.Errorf("row %d: %w", row+int64(i)+1, err) }
	if c.kind.float {
		for i, w := range words {
			if !notFinite(w, c.kind.narrow) {
				continue
			}
			x := math.Float64frombits(w)
			if c.kind.narrow {
				x = float64(math.Float32frombits(uint32(w)))
			}
			if x == x {
				return fault(i, fmt.Errorf("saw %g, want %s", x, workload.WantFinite))
			}
			words[i] = 0
			bitmap[i>>3] &^= 1 << (i & 7)
			nulls++
		}
	}
	if c.number == nil {
		return nulls, nil
	}
	for i, w := range words {
		if bitmap[i>>3]>>(i&7)&1 == 0 {
			continue
		}
		x, err := c.number(w)
		if err != nil {
			return fault(i, err)
		}
		words[i] = x
	}
	return nulls, nil
}

// notFinite reports whether the bits of a float64, or of a float32 in the lower
// half, are those of an infinite value or NaN: all of the exponent's are set.
func notFinite(w uint64, narrow bool) bool {
	if narrow {
		return w>>23&0xff == 0xff
	}
	return w>>52&0x7ff == 0x7ff
}
