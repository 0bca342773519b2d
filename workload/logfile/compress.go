package logfile

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// compression is a format of compressed files, recognised by its first bytes.
type compression struct {
	name  string
	magic string
	open  func(*bufio.Reader) (io.Reader, func(), error)
}

// maxWindow is the maximum size of the window of past data that a decompressor may keep: that of
// the strongest ordinary settings (xz -9, zstd --long).
const maxWindow = 128 << 20

var compressions = [...]compression{
	{"gzip", "\x1f\x8b", func(r *bufio.Reader) (io.Reader, func(), error) {
		z, err := gzip.NewReader(r)
		return z, func() {}, err
	}},
	{"zstd", "\x28\xb5\x2f\xfd", func(r *bufio.Reader) (io.Reader, func(), error) {
		// One block is decoded ahead, in a goroutine of the decoder.
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}},
	{"bzip2", "BZh", func(r *bufio.Reader) (io.Reader, func(), error) {
		return bzip2.NewReader(r), func() {}, nil
	}},
	{"xz", "\xfd7zXZ\x00", openXZ},
}

// findCompression returns the compression of a file that begins with head, or nil.
func findCompression(head []byte) *compression {
	for i := range compressions {
		if bytes.HasPrefix(head, []byte(compressions[i].magic)) {
			return &compressions[i]
		}
	}
	return nil
}

// decompressed reads the content of a compressed file. Its errors are
// *InputError, and never io.ErrUnexpectedEOF alone.
type decompressed struct {
	name   string
	format string
	r      io.Reader
}

func (d *decompressed) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = d.fault(err)
	}
	return n, err
}

func (d *decompressed) fault(err error) error {
	var e *workload.InputError
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF:
		return &workload.InputError{File: d.name, Saw: "truncated " + d.format + " data", Want: "a complete file with nothing after it", Err: io.ErrUnexpectedEOF}
	}
	return &workload.InputError{File: d.name, Saw: "damaged " + d.format + " data", Err: err}
}

// decompress returns a reader of the decompressed content, and a function that frees the
// decompressor.
func decompress(name string, c *compression, r *bufio.Reader) (io.Reader, func(), error) {
	d := &decompressed{name: name, format: c.name}
	z, free, err := c.open(r)
	if err != nil {
		return nil, nil, d.fault(err)
	}
	d.r = z
	return d, free, nil
}

// unpacked is a stream that is decompressed if necessary.
type unpacked struct {
	*bufio.Reader
	head       []byte // beginning of the content
	compressed bool
	free       func() // frees the decompressor
}

// unpack recognises the compression of a stream by its beginning and decompresses it.
func unpack(name string, from io.Reader) (u unpacked, err error) {
	u = unpacked{Reader: bufio.NewReaderSize(from, 1<<16), free: func() {}}
	if u.head, err = u.Peek(headBytes); err != nil && err != io.EOF {
		return u, parse.InputFault(name, err)
	}
	c := findCompression(u.head)
	if c == nil {
		return u, nil
	}
	content, free, err := decompress(name, c, u.Reader)
	if err != nil {
		return u, err
	}
	u = unpacked{Reader: bufio.NewReaderSize(content, 1<<16), compressed: true, free: free}
	if u.head, err = u.Peek(headBytes); err != nil && err != io.EOF {
		free()
		return u, parse.InputFault(name, err)
	}
	return u, nil
}
