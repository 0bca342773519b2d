package columnar

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/snappy"
)

// decompress expands src to exactly n bytes, which are valid until the next
// page.
func (c *chunkReader) decompress(src []byte, n int) ([]byte, error) {
	var (
		out []byte
		err error
	)
	switch c.codec {
	case compress.Codecs.Uncompressed:
		out = src
	case compress.Codecs.Zstd:
		c.body = resize(c.body, n)
		out, err = c.zstd.DecodeAll(src, c.body[:0:n])
	case compress.Codecs.Snappy:
		var size int
		if size, err = snappy.DecodedLen(src); err != nil {
			break
		}
		if size != n {
			return nil, wrongSize(size, n)
		}
		c.body = resize(c.body, n)
		out, err = snappy.Decode(c.body, src)
	case lz4Raw:
		c.body = resize(c.body, n)
		out, err = c.body, lz4Block(c.body, src)
	case compress.Codecs.Lz4:
		c.body = resize(c.body, n)
		out, err = c.body, lz4Page(c.body, src)
	default:
		codec, codecErr := compress.GetCodec(c.codec)
		if codecErr != nil {
			return nil, codecErr
		}
		c.body = resize(c.body, n)
		r := codec.NewReader(bytes.NewReader(src))
		if _, err = io.ReadFull(r, c.body); err == nil {
			// One more read sees the end, and checks what checksum there is.
			if more, end := io.CopyN(io.Discard, r, 1); more > 0 {
				return nil, wrongSize(n+1, n)
			} else if end != io.EOF {
				err = end
			}
		}
		out = c.body
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		return nil, fmt.Errorf("a page of damaged %s data", strings.ToLower(c.codec.String()))
	}
	if len(out) != n {
		return nil, wrongSize(len(out), n)
	}
	return out, nil
}

func wrongSize(got, want int) error {
	return fmt.Errorf("a page of %d bytes or more decompressed, its header says %d", got, want)
}

// resize returns b with length n, with new memory where it is too small.
func resize(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
