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

// messageReader reads Arrow messages and, unlike the library's own, checks
// them before memory is taken for what they claim.
type messageReader struct {
	r       io.Reader
	at      int64       // bytes before the next message, from the start of the file
	blocks  arrowBlocks // those of the footer that are to come; nil for a stream
	records int         // batches read
	begun   bool        // the first message was reached
	marked  bool        // messages begin with a mark, as they do since version 0.15
	ended   bool        // the end was marked
	limit   *limitedAllocator
	msg     *ipc.Message
	err     error // that ended the reading, in our words
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
	if err := m.read(); err != nil {
		if err != io.EOF {
			m.err = err
		}
		return nil, err
	}
	return m.msg, nil
}

// arrowBlocks are an Arrow file's messages by their kind, in the file's order.
type arrowBlocks map[byte][]arrowBlock

// read makes the next message the present one.
func (m *messageReader) read() error {
	from := m.at
	size, err := m.size()
	if err != nil {
		return err
	}
	meta, err := readExactly(m.r, size)
	if err != nil {
		return errors.New("the head of a message is cut short")
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
	m.at += size + length
	if err := m.inFooter(kind, arrowBlock{from, m.at - from - length, length}); err != nil {
		return err
	}
	// No buffer is larger than the body that it is part of.
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

// inFooter holds a message against the footer's next one of its kind. Bodies
// have no checksums: if bytes were put into one, this is how it is found.
func (m *messageReader) inFooter(kind byte, saw arrowBlock) error {
	if m.blocks == nil || kind == flatSchema {
		return nil
	}
	left := m.blocks[kind]
	if len(left) == 0 {
		return errors.New("saw a message that the footer does not list")
	}
	if want := left[0]; saw != want {
		return fmt.Errorf("saw a message of %d+%d bytes at %d, want %d+%d at %d, as the footer says", saw.head, saw.body, saw.at, want.head, want.body, want.at)
	}
	m.blocks[kind] = left[1:]
	return nil
}

// size reads what stands before a message.
func (m *messageReader) size() (int64, error) {
	var word [4]byte
	read := func() error {
		n, err := io.ReadFull(m.r, word[:])
		m.at += int64(n)
		if err != nil && err != io.EOF {
			err = errors.New("the head of a message is cut short")
		}
		return err
	}
	if err := read(); err != nil {
		return 0, err
	}
	size := binary.LittleEndian.Uint32(word[:])
	mark := size == 1<<32-1
	switch {
	case !m.begun:
		m.begun, m.marked = true, mark
	case mark != m.marked:
		return 0, fmt.Errorf("saw % x before a message, want ff ff ff ff", word)
	}
	if mark { // before version 0.15, the size came first
		if err := read(); err != nil {
			return 0, errors.New("the head of a message is cut short")
		}
		size = binary.LittleEndian.Uint32(word[:])
	}
	if size == 0 {
		m.ended = true
		return 0, io.EOF
	}
	if size > maxArrowMeta {
		return 0, fmt.Errorf("a message with a head of %d bytes", size)
	}
	return int64(size), nil
}

// readExactly reads n bytes. Memory grows with what is there, not with what is
// claimed.
func readExactly(r io.Reader, n int64) ([]byte, error) {
	const step = 16 << 20
	if n <= step {
		b := make([]byte, n)
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		return b, nil
	}
	var b bytes.Buffer
	got, err := io.CopyN(&b, r, n)
	if err != nil || got < n {
		return nil, io.ErrUnexpectedEOF
	}
	return b.Bytes(), nil
}

// limitedAllocator refuses, by a panic that catch turns into an error, pieces
// of memory that only a damaged file asks for.
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
