package columnar

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// numberKind is the type of the numbers in a column. Each is a word of 64 bits: an int64, a uint64
// or a float64.
type numberKind struct {
	float   bool
	natural bool          // unsigned
	unit    time.Duration // of times; else 0
	scale   int           // of decimals: digits after the point
}

// widened extends a value of 32 bits to a word.
func (k numberKind) widened(w uint32) uint64 {
	switch {
	case k.float:
		return math.Float64bits(float64(math.Float32frombits(w)))
	case k.natural:
		return uint64(w)
	}
	return uint64(int32(w))
}

// convert converts words in place to numbers of the column's kind: int64 for TableWhole, else
// float64. Words of nulls are not changed. row is the number of the first row, for messages.
func (k numberKind) convert(words []uint64, bitmap []byte, kind workload.TableKind, row int64) error {
	whole := kind == workload.TableWhole
	if k == (numberKind{float: !whole}) {
		return nil
	}
	for i, w := range words {
		switch {
		case !isSet(bitmap, i):
		case !whole:
			words[i] = math.Float64bits(k.value(w))
		case k.natural && int64(w) < 0:
			return fmt.Errorf("row %d: saw %d, want at most %d", row+int64(i), w, int64(math.MaxInt64))
		}
	}
	return nil
}

// value returns a word of a column as a float64; for moments, the seconds since 1970 on the
// column's clock. NaN stays NaN.
func (k numberKind) value(w uint64) float64 {
	switch n := int64(w); {
	case k.float:
		return math.Float64frombits(w)
	case k.unit > 0:
		seconds, part := k.seconds(n)
		return float64(seconds) + part
	case k.scale > 0:
		return decimal(n, k.scale)
	case k.natural:
		return float64(w)
	default:
		return float64(n)
	}
}

// seconds returns n units of time in seconds, as a whole number and a fraction, so that present
// times in nanoseconds are rounded only once.
func (k numberKind) seconds(n int64) (whole int64, part float64) {
	if k.unit > time.Second { // a date: n has 32 bits
		return n * int64(k.unit/time.Second), 0
	}
	units := int64(time.Second / k.unit)
	whole = n / units
	if n %= units; n < 0 {
		whole, n = whole-1, n+units
	}
	return whole, float64(n) / float64(units)
}

// decimal returns n with scale digits after the point.
func decimal(n int64, scale int) float64 {
	x, _ := strconv.ParseFloat(fmt.Sprintf("%de-%d", n, scale), 64) // correctly rounded
	return x
}

// decimalDigits returns a decimal without its point. raw is a big-endian number in two's
// complement.
func decimalDigits(raw []byte) (uint64, error) {
	sign := int8(raw[0]) >> 7
	n := int64(sign)
	for i, digit := range raw {
		if i < len(raw)-8 && digit != byte(sign) || i == len(raw)-8 && int8(digit)>>7 != sign {
			return 0, fmt.Errorf("saw a decimal of the bytes %x, want one of at most 18 digits", raw)
		}
		n = n<<8 | int64(digit)
	}
	return uint64(n), nil
}

// int96Micros returns a timestamp of Impala, Hive and Spark in microseconds since 1970. raw holds
// the nanoseconds of the day and the Julian day. The file does not name a time zone; Spark, which
// writes most of them, uses UTC.
func int96Micros(raw []byte) (uint64, error) {
	const epoch = 2440588 // the Julian day of 1 January 1970
	nanos, day := int64(binary.LittleEndian.Uint64(raw)), int64(int32(binary.LittleEndian.Uint32(raw[8:])))-epoch
	if day < -1e8 || day > 1e8 {
		return 0, fmt.Errorf("a time %d days from 1970", day)
	}
	return uint64(day*86400e6 + nanos/1e3), nil
}
