package jsontext

import (
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
	// maxText is the longest string in an element: a job's script has at most 4 MB unless
	// the site says otherwise (max_script_size of slurm.conf).
	maxText = 16 << 20
	// maxMember is the longest member beside the array that is read.
	maxMember = 1 << 20
)

// Array cuts a document, an object with one long array in it, into chunks of whole
// elements of the array. Several such documents may stand behind one another. The array
// may also be the document, or be left out: then the elements are objects behind one
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
	pos     int    // in buf: before it is done with
	base    int64  // bytes before buf
	line    int64  // newlines before buf
	element int64  // elements before buf
	eof     bool
	begun   bool
	within  byte // 0 between documents, '{' in one, '[' in its array, ' ' among objects without one
	first   bool // of a document's members, or of the array's elements
	found   bool // the document has the array, or is it
	scan    cutter
	free    chan []byte
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

// TextFault is where a document is not what it should be.
type TextFault struct {
	Offset, Line int64  // from 0, from 1
	Saw, Want    string // as in a workload.InputError
}

func (f *TextFault) Error() string {
	return fmt.Sprintf("byte %d: saw %s, want %s", f.Offset, f.Saw, f.Want)
}

// NewArray cuts the array under the key into chunks of about size bytes; buffers is
// how many of them may be in use at a time. Without a key the document is the array or
// the elements.
func NewArray(r io.Reader, key string, size, buffers int) *Array {
	return &Array{r: r, key: key, size: size, free: make(chan []byte, buffers)}
}

// Next returns the next chunk, which Recycle takes back, or io.EOF. What is no such
// document is a *TextFault.
func (a *Array) Next() (Chunk, error) {
	for a.fault == nil {
		if a.within == '[' || a.within == ' ' {
			if c, ok := a.elements(); ok {
				return c, nil
			}
			continue
		}
		a.member()
	}
	return Chunk{}, a.fault
}

// Recycle gives a chunk's memory back.
func (a *Array) Recycle(c Chunk) {
	select {
	case a.free <- c.Text[:0]:
	default:
	}
}

// fill reads up to n bytes more.
func (a *Array) fill(n int) {
	if cap(a.buf)-len(a.buf) < n { // a long element: as much again, so that little is copied
		a.buf = slices.Grow(a.buf, max(n, len(a.buf)))
	}
	old, idle := len(a.buf), 0
	for end := old + n; len(a.buf) < end && a.fault == nil; {
		m, err := a.r.Read(a.buf[len(a.buf):end])
		a.buf = a.buf[:len(a.buf)+m]
		if idle++; m > 0 {
			idle = 0
		}
		switch {
		case err == io.EOF:
			a.eof = true
			return
		case err == nil && idle == 100:
			a.fault = io.ErrNoProgress
		case err != nil:
			a.fault = err
		}
	}
}

// fail sets the fault at a byte of buf.
func (a *Array) fail(f Fault) {
	if a.fault == nil {
		at := min(f.At, len(a.buf))
		a.fault = &TextFault{a.base + int64(at), a.line + 1 + int64(bytes.Count(a.buf[:at], []byte{'\n'})), f.Saw, f.Want}
	}
}

// drop forgets what is before pos.
func (a *Array) drop() {
	a.base += int64(a.pos)
	a.line += int64(bytes.Count(a.buf[:a.pos], []byte{'\n'}))
	a.buf = append(a.buf[:0], a.buf[a.pos:]...)
	a.pos = 0
}

// member passes one member of the document, or its beginning or end, unless it has to
// read more first.
func (a *Array) member() {
	a.drop()
	if !a.begun {
		a.begun = true
		a.fill(1 << 16)
		if bytes.HasPrefix(a.buf, []byte("\xef\xbb\xbf")) { // byte order mark
			a.pos = 3
		}
		return
	}
	var s Scanner
	s.Reset(a.buf, a.within, a.first)
	if a.within == 0 {
		switch {
		case s.Blank() && a.eof:
			a.fault = io.EOF
		case s.Blank():
			a.pos = len(a.buf)
			a.drop()
			a.fill(1 << 16)
		case a.key == "" && !a.found && s.Kind() == '{':
			a.open(s.Offset(), ' ')
		case a.key == "" && s.Enter('['):
			a.open(s.Offset(), '[')
		case a.key != "" && s.Enter('{'):
			a.pos, a.within, a.first, a.found = s.Offset(), '{', true, false
		default:
			a.fail(*s.Fault())
		}
		return
	}
	open := s.Next()
	if open && string(s.Key()) == a.key && s.Kind() == '[' {
		a.open(s.Offset()+1, '[')
		return
	}
	key, value := "", []byte(nil)
	if open {
		key = string(s.Key())
		value = s.Raw()
	}
	f := s.Fault()
	if more := !a.eof && (f != nil && f.Short || f == nil && open && s.Offset() == len(a.buf)); more {
		if len(a.buf) > maxMember {
			a.fail(Fault{At: 0, Saw: fmt.Sprintf("more than %d MiB outside %q", maxMember>>20, a.key), Want: fmt.Sprintf("an array %q", a.key)})
			return
		}
		a.fill(1 << 16)
		return
	}
	switch {
	case f != nil:
		a.fail(*f)
	case open && key == a.key:
		a.fail(Fault{At: s.Offset() - len(value), Saw: Seen(value), Want: fmt.Sprintf("an array %q", a.key)})
	case open:
		if a.Member != nil {
			a.Member(key, value)
		}
		a.first = false
	case !a.found:
		a.fail(Fault{At: s.Offset() - 1, Saw: "the end of the object", Want: fmt.Sprintf("an array %q", a.key)})
	default:
		a.within = 0
	}
	a.pos = s.Offset()
}

// open begins the elements, at a byte of buf.
func (a *Array) open(at int, within byte) {
	a.pos, a.within, a.first, a.found = at, within, true, true
	a.scan, a.element = cutter{}, 0
	a.drop()
}

// elements returns the next chunk; false is for having to go on, or a fault.
func (a *Array) elements() (c Chunk, ok bool) {
	inside := byte('[')
	if a.within == ' ' {
		inside = 0
	}
	cut, end := a.scan.run(a.buf, inside)
	switch {
	case end >= 0 && a.key == "":
		a.within, cut = 0, end
	case end >= 0:
		a.within, cut = '{', end
	case inside == 0 && a.eof && cut == 0 && len(bytes.TrimSpace(a.buf)) == 0:
		a.fault = io.EOF
		return c, false
	case a.scan.stray >= 0:
		want := "an object"
		if inside == '[' {
			want = "an element of " + a.what() + ", or ]"
		}
		a.fail(Fault{At: a.scan.stray, Saw: Seen(a.buf[a.scan.stray:]), Want: want})
		return c, false
	case cut == 0 || len(a.buf) < a.size && !a.eof:
		switch {
		case a.eof && cut == 0:
			a.fail(Fault{At: len(a.buf), Saw: "the end of the text", Want: fmt.Sprintf("the rest of %s: it was cut short", a.what()), Short: true})
		case a.scan.text && len(a.buf)-a.scan.from > maxText:
			a.fail(Fault{At: a.scan.from, Saw: fmt.Sprintf("a string of more than %d MiB", maxText>>20), Want: "a job"})
		case len(a.buf) > maxElement:
			a.fail(Fault{At: 0, Saw: fmt.Sprintf("an element of more than %d MiB", maxElement>>20), Want: "a job"})
		default:
			a.fill(a.size)
		}
		return c, false
	}
	c = Chunk{Text: a.buf[:cut], Inside: inside, First: a.first, Offset: a.base, Line: a.line, Element: a.element}
	a.element += int64(a.scan.elements)
	a.scan.elements = 0
	a.base += int64(cut)
	a.line += int64(bytes.Count(c.Text, []byte{'\n'}))
	var next []byte
	select {
	case next = <-a.free:
	default:
		next = make([]byte, 0, a.size+a.size/4)
	}
	a.buf = append(next, a.buf[cut:]...)
	a.scan.at -= cut
	a.scan.from -= cut
	a.scan.cut = 0
	a.first = false
	return c, true
}

// what is the array for messages.
func (a *Array) what() string {
	switch {
	case a.within == ' ':
		return "the objects"
	case a.key == "":
		return "the array"
	}
	return strconv.Quote(a.key)
}
