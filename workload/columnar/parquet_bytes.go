package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v15/parquet"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Values that are stored as bytes: texts, and numbers of unusual lengths. Each is
// handed to a wordOf at once: nothing of the page stays behind.

// wordOf makes a word of a value. entry says that it is one of a dictionary, of
// which each is asked for once in a row group, where it first appears.
type wordOf func(raw []byte, entry bool) (uint64, error)

const (
	// maxTextPageBytes bounds a page of texts; writers cut them at 1 MiB.
	maxTextPageBytes = 16 << 20
	// maxSharedBytes bounds what the texts of a page come to where they share
	// their beginnings.
	maxSharedBytes = 256 << 20
)

var (
	errTextPage   = errors.New("a text's length does not fit its page")
	errSharedPage = fmt.Errorf("a page whose texts take more than %d MiB", maxSharedBytes>>20)
)

// checkText returns an error for a text that cannot be a value.
func checkText(text []byte) error {
	if want := parse.CheckText(text); want != "" {
		return fmt.Errorf("saw %s, want %s", workload.Shorten(text), want)
	}
	return nil
}

// entries are the values of a dictionary of bytes. The words of c.dict are their
// numbers.
type entries struct {
	bytes  []byte
	places []uint64 // in bytes: the position, and the length in the lower half
	words  []uint64 // of those met so far
	met    []bool
}

// entryBytes is what an entry takes beside its bytes: its number too.
const entryBytes = 8 + 8 + 8 + 1

// nextText takes a text off a page of plain byte arrays.
func nextText(b []byte) (text, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, errShortPage
	}
	n := uint64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > uint64(len(b)) {
		return nil, nil, errTextPage
	}
	return b[:n], b[n:], checkLength(n)
}

func checkLength(n uint64) error {
	if n > parse.MaxText {
		return fmt.Errorf("a text of %d bytes; at most %d can be read", n, parse.MaxText)
	}
	return nil
}

// nextPlain takes a value off a plain page.
func (c *chunkReader) nextPlain(b []byte) (raw, rest []byte, err error) {
	n := c.typ.width
	switch {
	case n == 0:
		return nextText(b)
	case n > len(b):
		return nil, nil, errShortPage
	}
	return b[:n], b[n:], nil
}

// bytesDictionary keeps a dictionary page of n values.
func (c *chunkReader) bytesDictionary(body []byte, n int64) error {
	least := c.typ.width
	if least == 0 {
		least = 4 // the length of a text
	}
	if n < 0 || n > int64(len(body)/least) {
		return fmt.Errorf("a dictionary of %d values in %d bytes", n, len(body))
	}
	e := &c.entries
	e.bytes = append([]byte{}, body...) // the next page overwrites body
	e.places, e.words, e.met = make([]uint64, n), make([]uint64, n), make([]bool, n)
	c.dict = make([]uint64, n)
	rest := e.bytes
	for i := range c.dict {
		raw, after, err := c.nextPlain(rest)
		if err != nil {
			return err
		}
		at := len(e.bytes) - len(after) - len(raw)
		c.dict[i] = uint64(i)
		e.places[i] = uint64(at)<<32 | uint64(len(raw))
		rest = after
	}
	return nil
}

// entry is the word of a value of the dictionary.
func (c *chunkReader) entry(i uint64) (uint64, error) {
	e := &c.entries
	if !e.met[i] {
		at, n := e.places[i]>>32, e.places[i]&(1<<32-1)
		word, err := c.word(e.bytes[at:at+n], true)
		if err != nil {
			return 0, err
		}
		e.words[i], e.met[i] = word, true
	}
	return e.words[i], nil
}

// bytesDecoder returns the function that makes the words of a page's values.
func (c *chunkReader) bytesDecoder(body []byte, h pageHeader) (func([]uint64) error, error) {
	if e := parquet.Encoding(h.encoding); e == parquet.Encodings.PlainDict || e == parquet.Encodings.RLEDict {
		indices, err := c.indices(body)
		if err != nil {
			return nil, err
		}
		return func(dst []uint64) (err error) {
			if err := indices(dst); err != nil {
				return err
			}
			for i := range dst {
				if dst[i], err = c.entry(dst[i]); err != nil {
					return err
				}
			}
			return nil
		}, nil
	}
	next, err := c.rawValues(body, h)
	if err != nil {
		return nil, err
	}
	return func(dst []uint64) error {
		for i := range dst {
			raw, err := next()
			if err != nil {
				return err
			}
			if dst[i], err = c.word(raw, false); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// rawValues returns the function that takes the next value off a page. It is
// valid until the one behind it.
func (c *chunkReader) rawValues(body []byte, h pageHeader) (func() ([]byte, error), error) {
	texts := c.typ.physical == parquet.Types.ByteArray
	fixed := c.typ.physical == parquet.Types.FixedLenByteArray
	switch e := parquet.Encoding(h.encoding); {
	case e == parquet.Encodings.Plain:
		return func() (raw []byte, err error) {
			raw, body, err = c.nextPlain(body)
			return raw, err
		}, nil
	case e == parquet.Encodings.DeltaLengthByteArray && texts:
		return deltaLengths(body, h)
	case e == parquet.Encodings.DeltaByteArray && (texts || fixed):
		next, err := deltaBytes(body, h)
		if err != nil || texts {
			return next, err
		}
		return func() ([]byte, error) {
			raw, err := next()
			if err == nil && len(raw) != c.typ.width {
				err = errTextPage
			}
			return raw, err
		}, nil
	case e == byteStreamSplit && fixed:
		return splitBytes(body, c.typ.width), nil
	}
	return nil, wrongEncoding(h)
}

// deltaLengths returns the values of DELTA_LENGTH_BYTE_ARRAY: all lengths, and all
// texts behind them.
func deltaLengths(body []byte, h pageHeader) (func() ([]byte, error), error) {
	if len(body) == 0 { // a page of nulls
		return func() ([]byte, error) { return nil, errShortPage }, nil
	}
	lengths, rest, err := decodeDelta(body, 32, int(h.values))
	if err != nil {
		return nil, err
	}
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
	}, nil
}

// deltaBytes returns the values of DELTA_BYTE_ARRAY: how many bytes each shares
// with the one before, and the rest of each by deltaLengths.
func deltaBytes(body []byte, h pageHeader) (func() ([]byte, error), error) {
	if len(body) == 0 {
		return deltaLengths(body, h)
	}
	shared, rest, err := decodeDelta(body, 32, int(h.values))
	if err != nil {
		return nil, err
	}
	suffix, err := deltaLengths(rest, h)
	if err != nil {
		return nil, err
	}
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
			return nil, errSharedPage
		}
		return value, checkLength(uint64(len(value)))
	}, nil
}

// splitBytes returns the values of BYTE_STREAM_SPLIT: the first bytes of all,
// then the second ones, and so on.
func splitBytes(body []byte, width int) func() ([]byte, error) {
	values, at := len(body)/width, 0
	raw := make([]byte, width)
	return func() ([]byte, error) {
		if at == values {
			return nil, errShortPage
		}
		for b := range raw {
			raw[b] = body[b*values+at]
		}
		at++
		return raw, nil
	}
}
