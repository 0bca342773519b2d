package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

var (
	errShortPage = errors.New("a page holds fewer values than its levels say")
	errTextPage  = errors.New("a text's length does not fit its page")
	errHybrid    = errors.New("run lengths do not fit the page")
)

// decoder returns the function that decodes a page's values.
func (c *chunkReader) decoder(body []byte, h pageHeader) (func([]uint64) error, error) {
	switch e := parquet.Encoding(h.encoding); {
	case e == parquet.Encodings.PlainDict || e == parquet.Encodings.RLEDict:
		return c.indices(body)
	case c.typ.physical == parquet.Types.Boolean && (e == parquet.Encodings.Plain || e == parquet.Encodings.RLE):
		return booleans(body, e)
	case e == parquet.Encodings.Plain:
		return c.plain(body, false), nil
	default:
		return nil, fmt.Errorf("values in the encoding %v, %s", e, notRead)
	}
}

// booleans returns the decoder of a page of booleans: bits, the lowest first, or runs.
func booleans(body []byte, e parquet.Encoding) (func([]uint64) error, error) {
	both := []uint64{0, 1}
	bits := hybridReader{width: 1, packed: body, literal: 8 * len(body)}
	if e == parquet.Encodings.RLE {
		runs, _, err := levelBytes(body)
		if err != nil {
			return nil, err
		}
		bits = hybridReader{b: runs, width: 1}
	}
	return func(dst []uint64) error { return bits.lookup(dst, both) }, nil
}

// indices returns the decoder of a page of dictionary indices, which replaces each by the
// dictionary's word.
func (c *chunkReader) indices(body []byte) (func([]uint64) error, error) {
	switch {
	case c.dict == nil:
		return nil, errors.New("indices without a dictionary")
	case len(body) == 0: // a page of nulls
		return c.plain(nil, false), nil
	case body[0] > 32:
		return nil, fmt.Errorf("indices of %d bits", body[0])
	}
	indices := hybridReader{b: body[1:], width: uint(body[0])}
	return func(dst []uint64) error { return indices.lookup(dst, c.dict) }, nil
}

// plain returns the decoder of consecutive values; entries is true for those of a dictionary.
func (c *chunkReader) plain(b []byte, entries bool) func([]uint64) error {
	width := c.typ.width
	return func(dst []uint64) (err error) {
		if len(b) < width*len(dst) {
			return errShortPage
		}
		if width == 8 && !c.typ.digits {
			b = b[copy(arrow.Uint64Traits.CastToBytes(dst), b):]
			return nil
		}
		for i := range dst {
			switch {
			case c.typ.digits:
				dst[i], err = decimalDigits(b[width*i:][:width])
			case width == 4:
				dst[i] = c.typ.number.widened(binary.LittleEndian.Uint32(b[4*i:]))
			case width == 12:
				dst[i], err = int96Micros(b[12*i:])
			default:
				dst[i], b, err = c.text(b, entries)
			}
			if err != nil {
				return err
			}
		}
		b = b[width*len(dst):]
		return nil
	}
}

// text returns the word of the text at the beginning of b, which follows its length, and the rest
// of b.
func (c *chunkReader) text(b []byte, entry bool) (word uint64, rest []byte, err error) {
	if len(b) < 4 {
		return 0, nil, errShortPage
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	switch b = b[4:]; {
	case n > parse.MaxText:
		return 0, nil, fmt.Errorf("a text of %d bytes; at most %d can be read", n, parse.MaxText)
	case n > uint64(len(b)):
		return 0, nil, errTextPage
	}
	word, err = c.wordOf(b[:n], entry)
	return word, b[n:], err
}

// levelBytes splits off runs that begin with their length.
func levelBytes(body []byte) (runs, rest []byte, err error) {
	if len(body) < 4 || uint64(binary.LittleEndian.Uint32(body)) > uint64(len(body)-4) {
		return nil, nil, errHybrid
	}
	n := 4 + int(binary.LittleEndian.Uint32(body))
	return body[4:n], body[n:], nil
}
