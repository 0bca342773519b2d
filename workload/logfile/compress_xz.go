package logfile

import (
	"bufio"
	"fmt"
	"io"

	"github.com/ulikunitz/xz"
)

// openXZ adds two checks to the xz library, which trusts a file: of the memory that it needs,
// and of its end.
func openXZ(r *bufio.Reader) (io.Reader, func(), error) {
	if err := checkXZWindow(r); err != nil {
		return nil, nil, err
	}
	end := &xzEnd{r: r}
	content, err := xz.NewReader(end)
	if err != nil {
		return nil, nil, err
	}
	return &xzContent{content, end}, func() {}, nil
}

// checkXZWindow checks the dictionary size of the first block (The .xz File Format 1.2.1,
// sections 3.1 and 5.3.1), which the decompressor allocates without a bound.
func checkXZWindow(r *bufio.Reader) error {
	const streamHeader = 12
	head, _ := r.Peek(streamHeader + 1024)
	if len(head) <= streamHeader+2 {
		return nil // truncated: the decompressor reports it
	}
	block := head[streamHeader:]
	i := 2
	for range int(block[1]>>6&1) + int(block[1]>>7) { // optional sizes, of 7 bits a byte
		for i < len(block) && block[i]&0x80 != 0 {
			i++
		}
		i++
	}
	if i+2 >= len(block) || block[i] != 0x21 || block[i+1] != 1 {
		return nil // not LZMA2: the decompressor rejects it
	}
	bits := block[i+2]
	if size := uint64(2|bits&1) << (bits/2 + 11); bits > 40 || size > maxWindow {
		return fmt.Errorf("needs a dictionary of more than %d MiB", maxWindow>>20)
	}
	return nil
}

// xzEnd remembers the last two bytes of a file before its padding of zeros.
type xzEnd struct {
	r    io.Reader
	last [2]byte
}

func (e *xzEnd) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	for _, c := range p[:n] {
		if c != 0 {
			e.last[0], e.last[1] = e.last[1], c
		}
	}
	return n, err
}

// xzContent detects a file that ends between two blocks, which the library takes for the end of
// the data: a complete file ends with the footer's magic bytes (section 2.1.2.4).
type xzContent struct {
	r   io.Reader
	end *xzEnd
}

func (c *xzContent) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err == io.EOF && c.end.last != [2]byte{'Y', 'Z'} {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
