package columnar

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow/go/v15/arrow/ipc"
	"github.com/apache/arrow/go/v15/arrow/memory"
)

const (
	maxArrowMeta = 64 << 20 // bytes of a message's metadata
	maxArrowBody = 2 << 30  // bytes of a batch
)

var errMessageHead = errors.New("the head of a message is cut short")

// messageReader reads Arrow messages. Unlike the library's reader, it checks the lengths in them
// before it allocates memory.
type messageReader struct {
	r       io.Reader
	records int  // number of batches read
	ended   bool // the end mark was read
	limit   *limitedAllocator
	msg     *ipc.Message
	err     error // the error that ended the reading; see arrowReader.damage
}

func (m *messageReader) Retain()  {}
func (m *messageReader) Release() {}

// Message returns the next message, which is valid until the next call, or
// io.EOF after the last.
func (m *messageReader) Message() (*ipc.Message, error) {
	if m.msg != nil {
		m.msg.Release()
		m.msg = nil
	}
	err := m.read()
	if err != nil && err != io.EOF {
		m.err = err
	}
	return m.msg, err
}

// read reads the next message into m.msg.
func (m *messageReader) read() error {
	size, err := m.size()
	if err != nil {
		return err
	}
	meta, err := readExactly(m.r, size)
	if err != nil {
		return errMessageHead
	}
	kind, length, compressed, err := checkFlatMessage(meta)
	if err != nil {
		return err
	}
	if length < 0 || length > maxArrowBody {
		return fmt.Errorf("a batch of %d bytes; at most %d can be read", length, int64(maxArrowBody))
	}
	body, err := readExactly(m.r, length)
	if err != nil {
		return errors.New("its values are cut short")
	}
	// No buffer is larger than the body of its message, unless it is compressed.
	m.limit.most = int(length)
	if compressed {
		m.limit.most = maxArrowBody / 2
	}
	if kind == flatRecord {
		m.records++
	}
	m.msg = ipc.NewMessage(memory.NewBufferBytes(meta), memory.NewBufferBytes(body))
	return nil
}

// size reads the mark before a message and the size of its head, which it returns.
func (m *messageReader) size() (int64, error) {
	var word [8]byte
	switch n, err := io.ReadFull(m.r, word[:]); {
	case n == 0 && err == io.EOF:
		return 0, io.EOF
	case n >= 4 && binary.LittleEndian.Uint32(word[:]) != 1<<32-1:
		return 0, fmt.Errorf("saw % x before a message, want ff ff ff ff", word[:4])
	case err == io.ErrUnexpectedEOF:
		return 0, errMessageHead
	case err != nil:
		return 0, err
	}
	size := binary.LittleEndian.Uint32(word[4:])
	switch {
	case size == 0:
		m.ended = true
		return 0, io.EOF
	case size > maxArrowMeta:
		return 0, fmt.Errorf("a message with a head of %d bytes", size)
	}
	return int64(size), nil
}

// readExactly reads n bytes. For a large n, memory grows with the bytes that exist.
func readExactly(r io.Reader, n int64) ([]byte, error) {
	if n <= 16<<20 {
		b := make([]byte, n)
		_, err := io.ReadFull(r, b)
		return b, err
	}
	var b bytes.Buffer
	_, err := io.CopyN(&b, r, n)
	return b.Bytes(), err
}

// limitedAllocator panics if an allocation is so large that only a damaged file asks for it; catch
// turns the panic into an error.
type limitedAllocator struct {
	memory.Allocator
	most int
}

func (a *limitedAllocator) check(size int) {
	// Arrow rounds sizes up to 64 bytes.
	if size < 0 || size > a.most+64 {
		panic(fmt.Sprintf("a buffer of %d bytes in a batch of %d", size, a.most))
	}
}

func (a *limitedAllocator) Allocate(size int) []byte {
	a.check(size)
	return a.Allocator.Allocate(size)
}

func (a *limitedAllocator) Reallocate(size int, b []byte) []byte {
	a.check(size)
	return a.Allocator.Reallocate(size, b)
}
