package columnar

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/big"

	"github.com/loadstone-hpc/loadstone/workload"
)

// numberKind is the type of the numbers in a column.
type numberKind struct {
	float   bool
	narrow  bool    // 32 bits: the upper half of a word is to be ignored
	natural bool    // unsigned
	perUnit float64 // of times: units in a second; else 0
	days    bool    // of dates
	local   bool    // of times and dates: those of a clock in no known zone
	scale   int     // of decimals: digits after the point
}

// convert makes numbers of words in place: int64 for TableWhole, else float64. Those of nulls
// stay as they are. row is the number of the first, for messages.
func (k numberKind) convert(words []uint64, bitmap []byte, kind workload.TableKind, row int64) error {
	whole := kind == workload.TableWhole
	if k == (numberKind{float: !whole}) {
		return nil
	}
	for i, w := range words {
		if !isSet(bitmap, i) {
			continue
		}
		if !whole {
			words[i] = math.Float64bits(k.value(w))
			continue
		}
		n, err := k.whole(w)
		if err != nil {
			return fmt.Errorf("row %d: %w", row+int64(i), err)
		}
		words[i] = uint64(n)
	}
	return nil
}

// checkFinite returns an error if an infinite value is among float64s.
func checkFinite(words []uint64, row int64) error {
	for i, w := range words {
		if w<<1 == 0x7ff<<53 {
			return fmt.Errorf("row %d: saw %g, want %s", row+int64(i), math.Float64frombits(w), workload.WantFinite)
		}
	}
	return nil
}

// value is a word of a column as a number: of moments, the seconds since 1970 as
// the column's clock has them. NaN stands for itself.
func (k numberKind) value(w uint64) float64 {
	switch {
	case k.float && k.narrow:
		return float64(math.Float32frombits(uint32(w)))
	case k.float:
		return math.Float64frombits(w)
	}
	n := k.integer(w)
	switch {
	case k.perUnit != 0 || k.days:
		seconds, part := k.seconds(n)
		return float64(seconds) + part
	case k.scale > 0:
		return decimal(big.NewInt(n), k.scale)
	case k.natural && n < 0:
		return float64(w)
	}
	return float64(n)
}

// seconds are n units of a time, in two parts, so that nanoseconds of today are
// rounded once.
func (k numberKind) seconds(n int64) (whole int64, part float64) {
	if k.days {
		return n * 86400, 0 // n is of 32 bits
	}
	units := int64(k.perUnit)
	whole = n / units
	if n %= units; n < 0 {
		whole, n = whole-1, n+units
	}
	return whole, float64(n) / k.perUnit
}

// integer is a word of a column of whole numbers; an unsigned one beyond int64
// comes out negative.
func (k numberKind) integer(w uint64) int64 {
	switch {
	case k.narrow && k.natural:
		return int64(uint32(w))
	case k.narrow:
		return int64(int32(w))
	}
	return int64(w)
}

// whole is a word of the file as a whole number.
func (k numberKind) whole(w uint64) (n int64, err error) {
	if !k.float && k.scale == 0 && k.perUnit == 0 {
		if n = k.integer(w); k.natural && n < 0 {
			err = fmt.Errorf("saw %d, want at most %d", w, int64(math.MaxInt64))
		}
		return n, err
	}
	x := k.value(w)
	switch {
	case x != x:
		return workload.Unknown, nil
	case x != math.Trunc(x) || x < -1<<63 || x >= 1<<63:
		return 0, fmt.Errorf("saw %g, want a whole number", x)
	}
	return int64(x), nil
}

// maxDecimal bounds the bytes of a decimal and its digits after the point. Writers use at
// most 32 bytes.
const maxDecimal = 64

// decimal returns n with scale digits after the point.
func decimal(n *big.Int, scale int) float64 {
	x, _ := new(big.Rat).SetFrac(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).Float64()
	return x
}

// bigInt reads a big-endian number in two's complement.
func bigInt(raw []byte) (*big.Int, error) {
	if len(raw) > maxDecimal {
		return new(big.Int), fmt.Errorf("a decimal of more than %d bytes", maxDecimal)
	}
	n := new(big.Int).SetBytes(raw)
	if len(raw) > 0 && raw[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw))))
	}
	return n, nil
}

// bigDecimal returns the function that reads decimals of any length with scale digits after
// the point.
func bigDecimal(scale int) func(raw []byte) (uint64, error) {
	return func(raw []byte) (uint64, error) {
		n, err := bigInt(raw)
		return math.Float64bits(decimal(n, scale)), err
	}
}

// bigWhole reads a decimal without digits after its point.
func bigWhole(raw []byte) (uint64, error) {
	n, err := bigInt(raw)
	if err == nil && !n.IsInt64() {
		err = fmt.Errorf("saw %v, want a whole number of at most 9.2e18", n)
	}
	return uint64(n.Int64()), err
}

// int96Micros is a time stamp of Impala, Hive and Spark: nanoseconds of a Julian
// day. The file does not name a zone; Spark, which writes most of them, has UTC.
func int96Micros(raw []byte) (uint64, error) {
	const epoch = 2440588 // 1 January 1970
	nanos, day := int64(binary.LittleEndian.Uint64(raw)), int64(int32(binary.LittleEndian.Uint32(raw[8:])))-epoch
	if day < -1e8 || day > 1e8 {
		return 0, fmt.Errorf("a time %d days from 1970", day)
	}
	return uint64(day*86400e6 + nanos/1e3), nil
}

// intervalSeconds is an interval: months, days and milliseconds.
func intervalSeconds(raw []byte) (uint64, error) {
	if len(raw) != 12 {
		return 0, fmt.Errorf("an interval of %d bytes", len(raw))
	}
	if binary.LittleEndian.Uint32(raw) != 0 {
		return 0, errors.New("an interval with months, whose length is not known")
	}
	days, millis := binary.LittleEndian.Uint32(raw[4:]), binary.LittleEndian.Uint32(raw[8:])
	return math.Float64bits(float64(days)*86400 + float64(millis)/1000), nil
}

// halfFloat is a float of 16 bits.
func halfFloat(raw []byte) (uint64, error) {
	if len(raw) != 2 {
		return 0, fmt.Errorf("a float of %d bytes", len(raw))
	}
	h := binary.LittleEndian.Uint16(raw)
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	var x float64
	switch {
	case exponent == 0x1f && fraction != 0:
		x = math.NaN()
	case exponent == 0x1f:
		x = math.Inf(1)
	case exponent == 0:
		x = math.Ldexp(fraction, -24)
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 != 0 {
		x = -x
	}
	return math.Float64bits(x), nil
}

// appendUUID appends the usual form of a UUID.
func appendUUID(dst, raw []byte) []byte {
	for i, b := range raw {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, []byte{b})
	}
	return dst
}
