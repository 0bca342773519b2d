package columnar

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/apache/arrow/go/v15/arrow/bitutil"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

const (
	// maxPageBytes bounds a page: a corrupt header can claim any size.
	maxPageBytes = 128 << 20
	// maxPageHeaderBytes bounds its header, which may hold statistics.
	maxPageHeaderBytes = 64 << 10
)

// chunk is where a column of a row group stands, and how it is written.
type chunk struct {
	column       int // of the job table
	start, size  int64
	rows         int64
	uncompressed int64 // bytes of all its pages
	codec        compress.Compression
	typ          *columnType
}

// width is the bytes of a number.
func (c *chunk) width() int {
	if c.typ.number.narrow {
		return 4
	}
	return 8
}

// chunkReader decodes a column chunk page by page. Every length that the file
// claims is held against what is there before memory is taken or bytes are
// touched: Arrow's own page and column readers are not that careful (they stop
// the process, or loop, on damaged files).
type chunkReader struct {
	chunk
	r    *bufio.Reader
	left int64 // bytes not yet read
	zstd *zstd.Decoder

	unread int64 // rows in pages to come
	rows   int   // rows left in the page
	levels hybridReader
	dict   []uint64
	values func(dst []uint64) error // decodes the next values of the page

	// Of a column of bytes: what makes words of values, and those of the
	// dictionary.
	word    wordOf
	entries entries

	stored, body []byte // kept for the next page

	budget            *pageBudget
	pages, kept, held int64 // bytes of the largest page, of the dictionary, and charged
}

func newChunkReader(c chunk, file io.ReaderAt, z *zstd.Decoder) *chunkReader {
	return &chunkReader{
		chunk: c, zstd: z, left: c.size, unread: c.rows,
		r: bufio.NewReaderSize(io.NewSectionReader(file, c.start, c.size), maxPageHeaderBytes),
	}
}

// read decodes the next len(words) rows: the bits of each value, zeros where
// it is null, and the validity bitmap.
func (c *chunkReader) read(words []uint64, bitmap []byte) (nulls int, err error) {
	for at := 0; at < len(words); {
		for c.rows == 0 {
			if err := c.nextPage(); err != nil {
				return nulls, err
			}
		}
		k := min(c.rows, len(words)-at)
		set := k
		if !c.typ.optional {
			bitutil.SetBitsTo(bitmap, int64(at), int64(k), true)
		} else if set, err = c.levels.bits(bitmap, at, k); err != nil {
			return nulls, err
		}
		if err := c.values(words[at : at+set]); err != nil {
			return nulls, err
		}
		if set < k {
			spread(words[at:at+k], set, bitmap, at)
			nulls += k - set
		}
		c.rows -= k
		at += k
	}
	return nulls, nil
}

// end checks that the pages hold no rows beyond those read.
func (c *chunkReader) end() error {
	for c.left > 0 {
		h, err := c.header()
		if err != nil {
			return err
		}
		if (h.kind == dataPage || h.kind == dataPageV2) && h.values > 0 {
			return fmt.Errorf("a page of %d rows beyond the footer's count", h.values)
		}
		if h.compressed < 0 || h.compressed > c.left {
			return errCompact
		}
		if _, err := c.r.Discard(int(h.compressed)); err != nil {
			return err
		}
		c.left -= h.compressed
	}
	return nil
}

// nextPage reads pages until one with data is ready.
func (c *chunkReader) nextPage() error {
	if c.unread == 0 {
		return errors.New("more rows asked for than the footer promises")
	}
	h, err := c.header()
	if err != nil {
		return err
	}
	switch {
	case h.compressed < 0 || h.compressed > c.left:
		return fmt.Errorf("a page of %d bytes where the column has %d left", h.compressed, c.left)
	case h.uncompressed < 0 || h.uncompressed > c.uncompressed:
		return fmt.Errorf("a page of %d bytes decompressed, in a column of %d", h.uncompressed, c.uncompressed)
	case h.uncompressed > maxPageBytes || h.compressed > maxPageBytes:
		return fmt.Errorf("a page of %d bytes; at most %d can be read", max(h.compressed, h.uncompressed), maxPageBytes)
	case c.typ.physical == parquet.Types.ByteArray && h.uncompressed > maxTextPageBytes:
		return fmt.Errorf("a page of %d bytes of texts; at most %d can be read", h.uncompressed, maxTextPageBytes)
	}
	if err := c.charge(h); err != nil {
		return err
	}
	c.stored = resize(c.stored, int(h.compressed))
	if _, err := io.ReadFull(c.r, c.stored); err != nil {
		return fmt.Errorf("a page of %d bytes is cut short", h.compressed)
	}
	c.left -= h.compressed
	if h.hasChecksum && uint32(h.checksum) != crc32.ChecksumIEEE(c.stored) {
		return errors.New("a page's checksum is wrong")
	}
	switch h.kind {
	case dictionaryPage:
		return c.dictionary(h)
	case dataPage, dataPageV2:
		if h.values < 0 || h.values > c.unread {
			return fmt.Errorf("a page of %d rows where the footer promises %d more", h.values, c.unread)
		}
		c.unread -= h.values
		c.rows = int(h.values)
		return c.data(h)
	case 1: // an index
		return nil
	}
	return fmt.Errorf("page type %d is not known", h.kind)
}

// header reads a page's header.
func (c *chunkReader) header() (h pageHeader, err error) {
	for n := 256; ; n *= 8 {
		n = min(n, maxPageHeaderBytes)
		view, err := c.r.Peek(n)
		if err != nil && err != io.EOF {
			return h, err
		}
		if len(view) == 0 {
			return h, fmt.Errorf("pages end %d rows before the footer's count", c.unread)
		}
		h, size, parseErr := readPageHeader(view)
		if parseErr == nil {
			c.left -= int64(size)
			_, err := c.r.Discard(size)
			return h, err
		}
		if err == io.EOF || n == maxPageHeaderBytes {
			return h, fmt.Errorf("page header: %w", parseErr)
		}
	}
}

// dictionary reads the values that indices point to.
func (c *chunkReader) dictionary(h pageHeader) error {
	if c.dict != nil || c.unread != c.chunk.rows {
		return errors.New("a dictionary that is not the first page")
	}
	if h.encoding != int64(parquet.Encodings.Plain) && h.encoding != int64(parquet.Encodings.PlainDict) {
		return fmt.Errorf("a dictionary in encoding %d", h.encoding)
	}
	body, err := c.decompress(c.stored, int(h.uncompressed))
	if err != nil {
		return err
	}
	switch c.typ.physical {
	case parquet.Types.Boolean:
		return errors.New("a dictionary of booleans")
	case parquet.Types.ByteArray, parquet.Types.FixedLenByteArray, parquet.Types.Int96:
		return c.bytesDictionary(body, h.values)
	}
	if h.values < 0 || h.values > int64(len(body)/c.width()) {
		return fmt.Errorf("a dictionary of %d values in %d bytes", h.values, len(body))
	}
	c.dict = make([]uint64, h.values)
	return c.plain(body)(c.dict)
}

// data makes the page's rows ready.
func (c *chunkReader) data(h pageHeader) error {
	var (
		body   []byte
		levels []byte
		err    error
	)
	if h.kind == dataPageV2 {
		head := h.repeatBytes + h.levelBytes
		if h.repeatBytes < 0 || h.levelBytes < 0 || head > h.compressed || head > h.uncompressed {
			return fmt.Errorf("levels of %d bytes in a page of %d", head, h.compressed)
		}
		levels = c.stored[h.repeatBytes:head]
		if body = c.stored[head:]; !h.plain {
			if len(body) == 0 && h.uncompressed == head {
				body = nil // some writers compress nothing to nothing
			} else if body, err = c.decompress(body, int(h.uncompressed-head)); err != nil {
				return err
			}
		}
	} else {
		if body, err = c.decompress(c.stored, int(h.uncompressed)); err != nil {
			return err
		}
		if c.typ.optional {
			if h.levels != int64(parquet.Encodings.RLE) {
				return fmt.Errorf("definition levels in encoding %d", h.levels)
			}
			if levels, body, err = levelBytes(body); err != nil {
				return err
			}
		}
	}
	c.levels = newHybridReader(levels, 1)
	c.values, err = c.decoder(body, h)
	return err
}

// levelBytes cuts off runs that begin with their length.
func levelBytes(body []byte) (runs, rest []byte, err error) {
	if len(body) < 4 || uint64(binary.LittleEndian.Uint32(body)) > uint64(len(body)-4) {
		return nil, nil, errHybrid
	}
	n := 4 + int(binary.LittleEndian.Uint32(body))
	return body[4:n], body[n:], nil
}
