package jsontext

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
)

const (
	// maxElement is the maximum length of an element, in bytes: a job of 10,000 steps has some
	// 30 MB.
	maxElement = 64 << 20
	// maxMember is the maximum length of a member outside the array, in bytes.
	maxMember = 1 << 20
)

// Array cuts a document, an object that contains one long array of objects, into chunks of whole
// elements of the array. Several such documents may follow one another. The document may also be
// the array itself, or elements that follow one another, as in JSON lines. The cuts depend on
// the text alone, never on how it arrives.
type Array struct {
	r    io.Reader
	key  string
	size int
	// Member, if not nil, is called for each member of the document outside the array, with its
	// key and the text of its value.
	Member func(key string, value []byte)

	buf     []byte // bytes that were read and not yet returned
	base    int64  // bytes before buf
	line    int64  // newlines before buf
	element int64  // elements before buf
	eof     bool
	within  byte // 0 between documents, '{' in one, '[' in its array, ' ' among objects without one
	first   bool // no member of the document, or element of the array, has been passed
	found   bool // the document has the array, or is the array
	fault   error
}

// Chunk is a text of whole elements, with the commas between them, and the closing bracket after
// the last element of all.
type Chunk struct {
	Text    []byte
	Inside  byte  // '[', or 0 if the elements are not in an array: for Scanner.Reset
	First   bool  // no part of the array precedes it
	Offset  int64 // bytes of the document before it
	Line    int64 // newlines before it
	Element int64 // elements before it
}

// Fault converts a fault in the chunk's text to a fault in the document.
func (c *Chunk) Fault(f *Fault) *Fault {
	line := c.Line + 1 + int64(bytes.Count(c.Text[:f.At], []byte{'\n'}))
	return &Fault{At: int(c.Offset) + f.At, Line: line, Saw: f.Saw, Want: f.Want}
}

// NewArray returns an Array that cuts the array with the given key into chunks of about size
// bytes. If key is empty, the document is the array or the elements themselves.
func NewArray(r *bufio.Reader, key string, size int) *Array {
	a := &Array{r: r, key: key, size: size}
	if head, _ := r.Peek(3); string(head) == "\xef\xbb\xbf" { // byte order mark
		r.Discard(3)
		a.base = 3
	}
	return a
}

// Next returns the next chunk, or io.EOF. A text that is not such a document is a *Fault. A
// fault within an element is left to the decoder of the chunk, which is then the last.
func (a *Array) Next() (Chunk, error) {
	for a.fault == nil {
		if a.within == '[' || a.within == ' ' {
			if c := a.elements(); c.Text != nil {
				return c, nil
			}
		} else {
			a.member()
		}
	}
	return Chunk{}, a.fault
}

// fill reads up to n more bytes, or as many as the buffer holds if that is more, so that a long
// element is scanned few times.
func (a *Array) fill(n int) {
	old := len(a.buf)
	n = max(n, old)
	a.buf = slices.Grow(a.buf, n)
	for len(a.buf) < old+n && !a.eof && a.fault == nil {
		m, err := a.r.Read(a.buf[len(a.buf) : old+n])
		a.buf = a.buf[:len(a.buf)+m]
		if a.eof = err == io.EOF; !a.eof {
			a.fault = err
		}
	}
}

// fail sets the fault at an offset in buf.
func (a *Array) fail(at int, saw, want string) {
	c := Chunk{Text: a.buf, Offset: a.base, Line: a.line}
	a.fault = c.Fault(&Fault{At: min(at, len(a.buf)), Saw: saw, Want: want})
}

// pass removes the first n bytes from buf and returns them.
func (a *Array) pass(n int) []byte {
	passed := a.buf[:n:n]
	a.base += int64(n)
	a.line += int64(bytes.Count(passed, []byte{'\n'}))
	a.buf = a.buf[n:]
	return passed
}

// member passes one member of the document, or its beginning or end, unless it has to read more
// first.
func (a *Array) member() {
	var s Scanner
	s.Reset(a.buf, a.within, a.first)
	if a.within == 0 {
		switch blank := s.Blank(); {
		case blank && a.eof:
			a.fault = io.EOF
		case blank:
			a.pass(len(a.buf))
			a.fill(1 << 16)
		case a.key == "" && !a.found && s.Kind() == '{':
			a.open(s.Offset(), ' ')
		case a.key == "" && s.Enter('['):
			a.open(s.Offset(), '[')
		case a.key != "" && s.Enter('{'):
			a.pass(s.Offset())
			a.within, a.first, a.found = '{', true, false
		default:
			a.fail(s.Fault().At, s.Fault().Saw, s.Fault().Want)
		}
		return
	}
	open := s.Next()
	key, want, value := string(s.Key()), fmt.Sprintf("an array %q", a.key), []byte(nil)
	if open && key == a.key && s.Kind() == '[' {
		a.open(s.Offset()+1, '[')
		return
	}
	if open {
		value = s.Raw()
	}
	f := s.Fault()
	if !a.eof && (f != nil && f.Short || f == nil && open && s.Offset() == len(a.buf)) {
		if len(a.buf) > maxMember {
			a.fail(0, fmt.Sprintf("more than %d MiB outside %q", maxMember>>20, a.key), want)
			return
		}
		a.fill(1 << 16)
		return
	}
	switch {
	case f != nil:
		a.fail(f.At, f.Saw, f.Want)
		return
	case open && key == a.key:
		a.fail(s.Offset()-len(value), Seen(value), want)
		return
	case open:
		if a.Member != nil {
			a.Member(key, value)
		}
		a.first = false
	case !a.found:
		a.fail(s.Offset()-1, "the end of the object", want)
		return
	default:
		a.within = 0
	}
	a.pass(s.Offset())
}

// open begins the elements, at an offset in buf.
func (a *Array) open(at int, within byte) {
	a.pass(at)
	a.within, a.first, a.found, a.element = within, true, true, 0
}

// elements returns the next chunk, unless it has to read more first.
func (a *Array) elements() (c Chunk) {
	if len(a.buf) < a.size && !a.eof {
		if a.fill(a.size - len(a.buf)); a.fault != nil {
			return c
		}
	}
	inside, outside, what := a.within, 1, strconv.Quote(a.key)
	switch {
	case inside == ' ':
		inside, outside, what = 0, 0, "the objects"
	case a.key == "":
		what = "the array"
	}
	var s Scanner
	s.Reset(a.buf, inside, a.first)
	cut, elements := 0, int64(0)
	for s.Next() {
		if s.Kind() != '{' && !s.Blank() {
			s.fail("an object")
			break
		}
		if s.Skip(); s.Fault() == nil {
			cut = s.Offset()
			elements++
		}
	}
	f := s.Fault()
	switch isLast := cut == 0; {
	case f == nil && inside == '[':
		cut, a.within = s.Offset(), 0
		if a.key != "" {
			a.within = '{'
		}
	case f == nil && isLast: // blanks
		a.pass(len(a.buf))
		if a.eof {
			a.fault = io.EOF
		}
		return c
	case f == nil, !isLast:
	case !f.Short && len(s.stack) <= outside:
		a.fail(f.At, f.Saw, f.Want)
		return c
	case !f.Short:
		cut, a.within, a.eof = len(a.buf), 0, true
	case a.eof:
		a.fail(len(a.buf), f.Saw, fmt.Sprintf("the rest of %s: it was cut short", what))
		return c
	case len(a.buf) >= maxElement:
		a.fail(0, fmt.Sprintf("an element of more than %d MiB", maxElement>>20), "a job")
		return c
	default:
		a.fill(a.size)
		return c
	}
	c = Chunk{Inside: inside, First: a.first, Offset: a.base, Line: a.line, Element: a.element}
	c.Text = a.pass(cut)
	a.buf = append(make([]byte, 0, a.size+len(a.buf)), a.buf...)
	a.element += elements
	a.first = false
	return c
}
