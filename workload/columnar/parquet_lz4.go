package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/pierrec/lz4/v4"
)

// lz4Raw is the codec LZ4_RAW, which the library has no name for.
const lz4Raw compress.Compression = 7

var errLZ4 = errors.New("malformed LZ4 data")

// lz4Block expands a block of LZ4 to exactly dst: the codec LZ4_RAW.
func lz4Block(dst, src []byte) error {
	if n, err := lz4.UncompressBlock(src, dst); err != nil || n != len(dst) {
		return errLZ4
	}
	return nil
}

// lz4Page expands a page of the codec LZ4 to exactly dst. The format's authors
// call its framing undocumented: it is Hadoop's in most files; early releases
// of parquet-cpp wrote a bare block, and some programs LZ4's own frames
// (parquet-format, Compression.md).
func lz4Page(dst, src []byte) error {
	if hadoopLZ4(dst, src) == nil {
		return nil
	}
	const frame = 0x184D2204
	if len(src) < 4 || binary.LittleEndian.Uint32(src) != frame {
		return lz4Block(dst, src)
	}
	r := lz4.NewReader(bytes.NewReader(src))
	if _, err := io.ReadFull(r, dst); err != nil {
		return err
	}
	// One more read sees the end, and checks what checksum there is.
	if n, err := r.Read(make([]byte, 1)); n > 0 || err != io.EOF {
		return errLZ4
	}
	return nil
}

// hadoopLZ4 expands what Hadoop's BlockCompressorStream writes: frames that
// begin with the number of bytes expanded, followed by blocks that each begin
// with the number of their bytes; both are four bytes, the highest first.
func hadoopLZ4(dst, src []byte) error {
	number := func() int {
		if len(src) < 4 {
			return -1
		}
		n := binary.BigEndian.Uint32(src)
		src = src[4:]
		return int(n)
	}
	for len(src) > 0 {
		left := number()
		if left < 0 || left > len(dst) {
			return errLZ4
		}
		for left > 0 {
			size := number()
			if size <= 0 || size > len(src) {
				return errLZ4
			}
			n, err := lz4.UncompressBlock(src[:size], dst[:left])
			if err != nil || n == 0 {
				return errLZ4
			}
			src, dst = src[size:], dst[n:]
			left -= n
		}
	}
	if len(dst) > 0 {
		return errLZ4
	}
	return nil
}
