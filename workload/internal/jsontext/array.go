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
	// maxElement is the longest element that is read: a job of 10,000 steps has some
	// 30 MB.
	maxElement = 64 << 20
	// maxMember is the longest member beside the array that is read.
	maxMember = 1 << 20
)

// Array cuts a document, an object with one long array of objects in it, into chunks of whole
// elements of the array. Several such documents may stand behind one another. The array
// may also be the document, or be left out: then the elements stand behind one
// another, as in JSON lines. Where it cuts depends on the text alone, never on how it
// arrives.
type Array struct {
	r    io.Reader
	key  string
	size int
	// Member is called for each member of the document beside the array, with its key
	// and the text of its value. May be nil.
	Member func(key string, value []byte)

	buf     []byte // what was read and not given out
	base    int64  // bytes before buf
	line    int64  // newlines before buf
	element int64  // elements before buf
	eof     bool
	within  byte // 0 between documents, '{' in one, '[' in its array, ' ' among objects without one
	first   bool // of a document's members, or of the array's elements
	found   bool // the document has the array, or is it
	fault   error
}

// Chunk is a text of whole elements, the commas between them, and the closing bracket
// behind the last of all.
type Chunk struct {
	Text    []byte
	Inside  byte  // '[', or 0 where the elements are in no array: for Scanner.Reset
	First   bool  // nothing of the array was before it
	Offset  int64 // bytes of the document before it
	Line    int64 // newlines before it
	Element int64 // elements before it
}

// Fault places a fault of the chunk's text in the document.
func (c *Chunk) Fault(f *Fault) *Fault {
	line := c.Line + 1 + int64(bytes.Count(c.Text[:f.At], []byte{'\n'}))
	return &Fault{At: int(c.Offset) + f.At, Line: line, Saw: f.Saw, Want: f.Want}
}

// NewArray cuts the array under the key into chunks of about size bytes. Without a key the
// document is the array or the elements.
func NewArray(r *bufio.Reader, key string, size int) *Array {
	a := &Array{r: r, key: key, size: size}
	if head, _ := r.Peek(3); string(head) == "\xef\xbb\xbf" { // byte order mark
		r.Discard(3)
		a.base = 3
	}
	return a
}

// Next returns the next chunk, or io.EOF. What is no such document is a *Fault. A fault
// within an element is left to whoever decodes the chunk, which is the last.
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

// fill reads up to n bytes more, or as many as there are, so that a long element is looked at
// few times.
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

// fail sets the fault at a byte of buf.
func (a *Array) fail(at int, saw, want string) {
	c := Chunk{Text: a.buf, Offset: a.base, Line: a.line}
	a.fault = c.Fault(&Fault{At: min(at, len(a.buf)), Saw: saw, Want: want})
}

// pass returns the first bytes of buf, which are done with.
func (a *Array) pass(n int) []byte {
	passed := a.buf[:n:n]
	a.base += int64(n)
	a.line += int64(bytes.Count(passed, []byte{'\n'}))
	a.buf = a.buf[n:]
	return passed
}

// member passes one member of the document, or its beginning or end, unless it has to
// read more first.
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

// open begins the elements, at a byte of buf.
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
