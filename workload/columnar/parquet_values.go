package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"
)

// byteStreamSplit is an encoding that the library has no name for yet.
const byteStreamSplit parquet.Encoding = 9

// decoder returns the function that decodes a page's values.
func (c *chunkReader) decoder(body []byte, h pageHeader) (func([]uint64) error, error) {
	switch c.typ.physical {
	case parquet.Types.Boolean:
		return booleans(body, h)
	case parquet.Types.ByteArray, parquet.Types.FixedLenByteArray, parquet.Types.Int96:
		return c.bytesDecoder(body, h)
	}
	switch parquet.Encoding(h.encoding) {
	case parquet.Encodings.Plain:
		return c.plain(body), nil
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		return c.indices(body)
	case parquet.Encodings.DeltaBinaryPacked:
		if c.typ.physical != parquet.Types.Int32 && c.typ.physical != parquet.Types.Int64 {
			break
		}
		words, _, err := decodeDelta(body, uint(8*c.width()), int(h.values))
		if err != nil {
			return nil, err
		}
		return func(dst []uint64) error {
			if copy(dst, words) < len(dst) {
				return errShortPage
			}
			words = words[len(dst):]
			return nil
		}, nil
	case byteStreamSplit:
		width := c.width()
		values := len(body) / width
		at := 0
		return func(dst []uint64) error {
			if len(dst) > values-at {
				return errShortPage
			}
			for i := range dst {
				dst[i] = 0
				for b := range width {
					dst[i] |= uint64(body[b*values+at+i]) << (8 * b)
				}
			}
			at += len(dst)
			return nil
		}, nil
	}
	return nil, wrongEncoding(h)
}

func wrongEncoding(h pageHeader) error {
	return fmt.Errorf("encoding %v cannot be read", parquet.Encoding(h.encoding))
}

// booleans returns the decoder of a page of them: bits, the lowest first, or
// runs.
func booleans(body []byte, h pageHeader) (func([]uint64) error, error) {
	both := []uint64{0, 1}
	switch parquet.Encoding(h.encoding) {
	case parquet.Encodings.RLE:
		body, _, err := levelBytes(body)
		if err != nil {
			return nil, err
		}
		runs := newHybridReader(body, 1)
		return func(dst []uint64) error { return runs.lookup(dst, both) }, nil
	case parquet.Encodings.Plain:
		bits := hybridReader{width: 1, packed: body, literal: 8 * len(body)}
		return func(dst []uint64) error {
			if len(dst) > bits.literal {
				return errShortPage
			}
			return bits.lookup(dst, both)
		}, nil
	}
	return nil, wrongEncoding(h)
}

// indices returns the decoder of a page's places in the dictionary, which
// puts the dictionary's words there.
func (c *chunkReader) indices(body []byte) (func([]uint64) error, error) {
	if c.dict == nil {
		return nil, errors.New("indices without a dictionary")
	}
	if len(body) == 0 { // a page of nulls
		return c.plain(nil), nil
	}
	if body[0] > 32 {
		return nil, fmt.Errorf("indices of %d bits", body[0])
	}
	indices := newHybridReader(body[1:], uint(body[0]))
	return func(dst []uint64) error { return indices.lookup(dst, c.dict) }, nil
}

var errShortPage = errors.New("a page holds fewer values than its levels say")

// plain returns the decoder of values one after the other.
func (c *chunkReader) plain(b []byte) func([]uint64) error {
	if c.width() == 4 {
		return func(dst []uint64) error {
			if len(b) < 4*len(dst) {
				return errShortPage
			}
			for i := range dst {
				dst[i] = uint64(binary.LittleEndian.Uint32(b[4*i:]))
			}
			b = b[4*len(dst):]
			return nil
		}
	}
	return func(dst []uint64) error {
		if len(b) < 8*len(dst) {
			return errShortPage
		}
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		b = b[8*len(dst):]
		return nil
	}
}

// spread moves the first set words to where the bitmap, from position at, has
// its ones, and puts zeros between them.
func spread(words []uint64, set int, bitmap []byte, at int) {
	for i := len(words) - 1; i >= 0; i-- {
		if set == i+1 {
			return // what is left is where it belongs
		}
		if bitmap[(at+i)>>3]>>((at+i)&7)&1 == 0 {
			words[i] = 0
			continue
		}
		set--
		words[i] = words[set]
	}
}
