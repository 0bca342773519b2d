package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

const (
	// maxDeltaValues bounds what one page of deltas is expanded to: a corrupt one
	// can claim any number in a few bytes.
	maxDeltaValues = 1 << 24
	// maxSharedBytes bounds what the texts of a page come to where they share
	// their beginnings.
	maxSharedBytes = 256 << 20
)

var (
	errShortPage = errors.New("a page holds fewer values than its levels say")
	errTextPage  = errors.New("a text's length does not fit its page")
	errHybrid    = errors.New("run lengths do not fit the page")
	errDelta     = errors.New("delta blocks do not fit the page")
)

// wordOf makes a word of a value that is stored as bytes, of which nothing stays behind.
// entry is true for a value of a dictionary.
type wordOf func(raw []byte, entry bool) (uint64, error)

// decoder returns the function that decodes a page's values.
func (c *chunkReader) decoder(body []byte, h pageHeader) (func([]uint64) error, error) {
	switch e, physical := parquet.Encoding(h.encoding), c.typ.physical; {
	case e == parquet.Encodings.PlainDict || e == parquet.Encodings.RLEDict:
		return c.indices(body)
	case physical == parquet.Types.Boolean:
		return booleans(body, e)
	case c.typ.bytes:
		next, err := c.rawValues(body, h)
		return c.words(next, false), err
	case e == parquet.Encodings.Plain:
		return c.plain(body), nil
	case e == parquet.Encodings.DeltaBinaryPacked && (physical == parquet.Types.Int32 || physical == parquet.Types.Int64):
		words, _, err := decodeDelta(body, uint(8*c.typ.width), h)
		for i := range words {
			if c.typ.width == 4 {
				words[i] = c.typ.number.widened(uint32(words[i]))
			}
		}
		return func(dst []uint64) error {
			if copy(dst, words) < len(dst) {
				return errShortPage
			}
			words = words[len(dst):]
			return nil
		}, err
	}
	return nil, wrongEncoding(h)
}

func wrongEncoding(h pageHeader) error {
	return fmt.Errorf("values in the encoding %v, %s", parquet.Encoding(h.encoding), notRead)
}

// booleans returns the decoder of a page of them: bits, the lowest first, or
// runs.
func booleans(body []byte, e parquet.Encoding) (func([]uint64) error, error) {
	both := []uint64{0, 1}
	bits := hybridReader{width: 1, packed: body, literal: 8 * len(body)}
	switch e {
	case parquet.Encodings.Plain:
	case parquet.Encodings.RLE:
		runs, _, err := levelBytes(body)
		if err != nil {
			return nil, err
		}
		bits = hybridReader{b: runs, width: 1}
	default:
		return nil, wrongEncoding(pageHeader{encoding: int32(e)})
	}
	return func(dst []uint64) error { return bits.lookup(dst, both) }, nil
}

// indices returns the decoder of a page's places in the dictionary, which
// puts the dictionary's words there.
func (c *chunkReader) indices(body []byte) (func([]uint64) error, error) {
	switch {
	case c.dict == nil:
		return nil, errors.New("indices without a dictionary")
	case len(body) == 0: // a page of nulls
		return c.plain(nil), nil
	case body[0] > 32:
		return nil, fmt.Errorf("indices of %d bits", body[0])
	}
	indices := hybridReader{b: body[1:], width: uint(body[0])}
	return func(dst []uint64) error { return indices.lookup(dst, c.dict) }, nil
}

// plain returns the decoder of numbers one after the other.
func (c *chunkReader) plain(b []byte) func([]uint64) error {
	width := c.typ.width
	return func(dst []uint64) error {
		if len(b) < width*len(dst) {
			return errShortPage
		}
		for i := range dst {
			if width == 4 {
				dst[i] = c.typ.number.widened(binary.LittleEndian.Uint32(b[4*i:]))
			} else {
				dst[i] = binary.LittleEndian.Uint64(b[8*i:])
			}
		}
		b = b[width*len(dst):]
		return nil
	}
}

// words returns the function that makes words of values that are stored as bytes.
func (c *chunkReader) words(next func() ([]byte, error), entries bool) func([]uint64) error {
	return func(dst []uint64) error {
		for i := range dst {
			raw, err := next()
			if err != nil {
				return err
			}
			if dst[i], err = c.word(raw, entries); err != nil {
				return err
			}
		}
		return nil
	}
}

// rawValues returns the function that takes the next value off a page of bytes. The value is
// valid until the next one.
func (c *chunkReader) rawValues(body []byte, h pageHeader) (next func() ([]byte, error), err error) {
	texts := c.typ.physical == parquet.Types.ByteArray
	switch e := parquet.Encoding(h.encoding); {
	case e == parquet.Encodings.Plain:
		return c.plainBytes(body), nil
	case len(body) == 0: // a page of nulls
		return func() ([]byte, error) { return nil, errShortPage }, nil
	case e == parquet.Encodings.DeltaLengthByteArray && texts:
		return deltaLengths(body, h)
	case e == parquet.Encodings.DeltaByteArray && c.typ.physical != parquet.Types.Int96:
		next, err := deltaBytes(body, h)
		return func() ([]byte, error) {
			raw, err := next()
			if err == nil && !texts && len(raw) != c.typ.width {
				err = errTextPage
			}
			return raw, err
		}, err
	}
	return nil, wrongEncoding(h)
}

// plainBytes returns the values of a plain page: of a fixed width, or texts behind their
// lengths.
func (c *chunkReader) plainBytes(b []byte) func() ([]byte, error) {
	return func() (raw []byte, err error) {
		n := uint64(c.typ.width)
		if n == 0 {
			if len(b) < 4 {
				return nil, errShortPage
			}
			n, b = uint64(binary.LittleEndian.Uint32(b)), b[4:]
			err = checkLength(n)
		}
		if n > uint64(len(b)) {
			return nil, errTextPage
		}
		raw, b = b[:n], b[n:]
		return raw, err
	}
}

func checkLength(n uint64) error {
	if n > parse.MaxText {
		return fmt.Errorf("a text of %d bytes; at most %d can be read", n, parse.MaxText)
	}
	return nil
}

// deltaLengths returns the values of DELTA_LENGTH_BYTE_ARRAY: all lengths, and all
// texts behind them.
func deltaLengths(body []byte, h pageHeader) (func() ([]byte, error), error) {
	lengths, rest, err := decodeDelta(body, 32, h)
	return func() ([]byte, error) {
		if len(lengths) == 0 {
			return nil, errShortPage
		}
		n := lengths[0]
		if n > uint64(len(rest)) {
			return nil, errTextPage
		}
		raw := rest[:n]
		lengths, rest = lengths[1:], rest[n:]
		return raw, checkLength(n)
	}, err
}

// deltaBytes returns the values of DELTA_BYTE_ARRAY: how many bytes each shares
// with the one before, and the rest of each by deltaLengths.
func deltaBytes(body []byte, h pageHeader) (func() ([]byte, error), error) {
	shared, rest, err := decodeDelta(body, 32, h)
	if err != nil {
		return nil, err
	}
	suffix, err := deltaLengths(rest, h)
	var value []byte
	total := 0
	return func() ([]byte, error) {
		if len(shared) == 0 {
			return nil, errShortPage
		}
		raw, err := suffix()
		if err != nil {
			return nil, err
		}
		n := shared[0]
		if n > uint64(len(value)) {
			return nil, errTextPage
		}
		shared = shared[1:]
		value = append(value[:n], raw...)
		if total += len(value); total > maxSharedBytes {
			return nil, fmt.Errorf("a page whose texts take more than %d MiB", maxSharedBytes>>20)
		}
		return value, checkLength(uint64(len(value)))
	}, err
}

// decodeDelta decodes Parquet's DELTA_BINARY_PACKED encoding: the
// first value, then blocks of differences, each block's least difference apart
// and the rest bit-packed. bits is 32 or 64, the width that sums wrap at. rest is
// what follows them.
func decodeDelta(b []byte, bits uint, h pageHeader) (out []uint64, rest []byte, err error) {
	var head [3]uint64
	for i := range head {
		x, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, nil, errDelta
		}
		head[i], b = x, b[n:]
	}
	block, minis, total := head[0], head[1], head[2]
	first, n := binary.Varint(b)
	if n <= 0 || total > uint64(h.values) || total > maxDeltaValues || minis == 0 || minis > 1<<16 || block > 1<<24 || block%minis != 0 || block/minis%8 != 0 || block == 0 {
		return nil, nil, errDelta
	}
	wrap := ^uint64(0) >> (64 - bits)
	out = make([]uint64, 0, total)
	if total == 0 {
		return out, b[n:], nil
	}
	b = b[n:]
	x := uint64(first)
	out = append(out, x&wrap)
	each := int(block / minis)
	for len(out) < int(total) {
		least, n := binary.Varint(b)
		if n <= 0 || uint64(len(b)-n) < minis {
			return nil, nil, errDelta
		}
		widths := b[n:][:minis]
		b = b[n:][minis:]
		for _, width := range widths {
			if len(out) == int(total) {
				break // what follows has no data
			}
			size := each / 8 * int(width)
			if width > 64 || size > len(b) {
				return nil, nil, errDelta
			}
			packed := b[:size]
			b = b[size:]
			for i := range min(each, int(total)-len(out)) {
				x += uint64(least) + unpackWide(packed, i*int(width), uint(width))
				out = append(out, x&wrap)
			}
		}
	}
	return out, b, nil
}

// unpackWide reads up to 64 bits from a bit position.
func unpackWide(b []byte, bit int, width uint) uint64 {
	var word [9]byte
	copy(word[:], b[bit>>3:])
	shift := uint(bit & 7)
	x := binary.LittleEndian.Uint64(word[:8])>>shift | uint64(word[8])<<(64-shift)
	return x & (1<<width - 1)
}
