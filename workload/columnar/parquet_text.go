package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Byte arrays, in which other programs keep identifiers. A value of such a
// column is handed to chunkReader.intern at once, which makes a number of it:
// nothing of the text stays behind.

const (
	// maxTextPageBytes bounds a page of texts; writers cut them at 1 MiB.
	maxTextPageBytes = 16 << 20
)

var errTextPage = errors.New("a text's length does not fit its page")

// nextText takes a text off a page of plain byte arrays.
func nextText(b []byte) (text, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errShortPage
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > uint64(len(b)) {
		return nil, nil, errTextPage
	}
	if n > parse.MaxText {
		return nil, nil, fmt.Errorf("a text of %d bytes; at most %d can be read", n, parse.MaxText)
	}
	return b[:n], b[n:], nil
}

// textDictionary keeps a dictionary page of n texts: the words of c.dict are
// the place of each in c.texts.
func (c *chunkReader) textDictionary(body []byte, n int64) error {
	if n < 0 || n*4 > int64(len(body)) {
		return fmt.Errorf("a dictionary of %d texts in %d bytes", n, len(body))
	}
	c.texts = append([]byte{}, body...) // the next page overwrites body
	c.dict = make([]uint64, n)
	rest := c.texts
	for i := range c.dict {
		text, after, err := nextText(rest)
		if err != nil {
			return err
		}
		at := len(c.texts) - len(after) - len(text)
		c.dict[i] = uint64(at)<<32 | uint64(len(text))
		rest = after
	}
	return nil
}

// textDecoder returns the function that makes the numbers of a page's texts.
func (c *chunkReader) textDecoder(body []byte, h pageHeader) (func([]uint64) error, error) {
	switch parquet.Encoding(h.encoding) {
	case parquet.Encodings.Plain:
		return func(dst []uint64) (err error) {
			for i := range dst {
				var text []byte
				if text, body, err = nextText(body); err != nil {
					return err
				}
				if dst[i], err = c.intern(text); err != nil {
					return err
				}
			}
			return nil
		}, nil
	case parquet.Encodings.PlainDict, parquet.Encodings.RLEDict:
		indices, err := c.indices(body)
		if err != nil {
			return nil, err
		}
		return func(dst []uint64) error {
			if err := indices(dst); err != nil {
				return err
			}
			var last, number uint64
			for i, word := range dst {
				if i == 0 || word != last { // the same texts often stand together
					at, n := word>>32, word&(1<<32-1)
					var err error
					if number, err = c.intern(c.texts[at : at+n]); err != nil {
						return err
					}
					last = word
				}
				dst[i] = number
			}
			return nil
		}, nil
	}
	return nil, fmt.Errorf("texts in encoding %v cannot be read", parquet.Encoding(h.encoding))
}
