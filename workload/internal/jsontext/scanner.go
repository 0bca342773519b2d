package jsontext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MaxDepth is the maximum number of arrays and objects that are open at a time.
const MaxDepth = 64

// Fault describes a place where a text is not as expected.
type Fault struct {
	At        int    // byte offset in the text, or in the document, from 0
	Line      int64  // in the document, from 1; 0 if only the text is known
	Saw, Want string // as in a workload.InputError
	Short     bool   // the text ended too early
}

func (f *Fault) Error() string {
	return fmt.Sprintf("byte %d: saw %s, want %s", f.At, f.Saw, f.Want)
}

// Input returns the fault as an error for file. member names the place; it may be empty.
func (f *Fault) Input(file, member string) *workload.InputError {
	return &workload.InputError{File: file, Line: f.Line, Field: Place(f.Line, int64(f.At), member), Saw: f.Saw, Want: f.Want}
}

// Place names a place for messages: the member and, on the first line or if line is 0, the byte
// offset.
func Place(line, offset int64, member string) string {
	if line > 1 {
		return member
	}
	return strings.TrimSpace(fmt.Sprintf("%s at byte %d", member, offset))
}

// Scanner reads a JSON text value by value. Each of its reading methods reads one value; the
// caller chooses the method by Kind. After a fault the methods return nothing, and Next returns
// false.
//
//	if s.Enter('{') {
//		for s.Next() {
//			switch string(s.Key()) {
//			case "name":
//				name = s.String()
//			default:
//				s.Skip()
//			}
//		}
//	}
type Scanner struct {
	text  []byte
	at    int
	stack []byte // the open objects and arrays, each as '{' or '['
	first bool   // no member of the innermost one has been read
	key   []byte
	keyAt int
	fault *Fault
}

// Reset starts a new text. If inside is 0, the text is values that follow one another. If inside
// is '{' or '[', it is the content of an object or array, and first reports that it starts with
// the first member. Strings returned before are no longer valid.
func (s *Scanner) Reset(text []byte, inside byte, first bool) {
	*s = Scanner{text: text, stack: s.stack[:0], first: first}
	if inside != 0 {
		s.stack = append(s.stack, inside)
	}
}

// Fault returns the first fault, or nil.
func (s *Scanner) Fault() *Fault { return s.fault }

// Offset returns the byte offset of the scanner in the text.
func (s *Scanner) Offset() int { return s.at }

// Fail sets the fault, unless there is one: the value at a byte offset is not what the caller
// wants.
func (s *Scanner) Fail(at int, saw, want string) {
	if s.fault == nil {
		s.fault = &Fault{At: at, Saw: saw, Want: want}
	}
}

// fail sets the fault at the scanner's offset, where want was expected.
func (s *Scanner) fail(want string) {
	if s.at >= len(s.text) {
		if s.fault == nil {
			s.fault = &Fault{At: len(s.text), Saw: "the end of the text", Want: want, Short: true}
		}
		return
	}
	s.Fail(s.at, Seen(s.text[s.at:]), want)
}

// Seen quotes the first bytes of a text for a message.
func Seen(text []byte) string {
	const most = 24
	if len(text) > most {
		return strconv.Quote(string(text[:most])) + "..."
	}
	return workload.Shorten(text)
}

// space skips blanks and returns the byte after them, 0 at the end.
func (s *Scanner) space() byte {
	for i, c := range s.text[s.at:] {
		if c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			s.at += i
			return c
		}
	}
	s.at = len(s.text)
	return 0
}

// Blank skips blanks and reports whether nothing else is left.
func (s *Scanner) Blank() bool {
	s.space()
	return s.at >= len(s.text)
}

// Kind returns the first byte of the next value: { [ " t f n, or that of a number. It returns 0
// at the end and after a fault.
func (s *Scanner) Kind() byte {
	if s.fault != nil {
		return 0
	}
	return s.space()
}

// Enter opens an object or array; kind is '{' or '['. Any other value is a fault.
func (s *Scanner) Enter(kind byte) bool {
	if s.Kind() != kind {
		if kind == '{' {
			s.fail("an object")
		} else {
			s.fail("an array")
		}
		return false
	}
	if len(s.stack) == MaxDepth {
		s.Fail(s.at, fmt.Sprintf("more than %d nested arrays and objects", MaxDepth), "fewer")
		return false
	}
	s.at++
	s.stack, s.first = append(s.stack, kind), true
	return true
}

// Next moves to the next member of the innermost object or array, or closes it and returns
// false. Outside all objects and arrays, it moves to the next value of the text.
func (s *Scanner) Next() bool {
	if s.fault != nil {
		return false
	}
	if len(s.stack) == 0 {
		return !s.Blank()
	}
	open := s.stack[len(s.stack)-1]
	c := s.space()
	if c == open+2 { // its closing bracket
		s.at++
		s.stack, s.first = s.stack[:len(s.stack)-1], false
		return false
	}
	if !s.first {
		if c != ',' {
			s.fail("a comma or " + string(rune(open+2)))
			return false
		}
		s.at++
		c = s.space()
	}
	s.first = false
	if open == '[' {
		return true
	}
	if c != '"' {
		s.fail("a key in quotes")
		return false
	}
	s.keyAt = s.at
	s.key = s.String()
	if s.fault == nil && s.space() != ':' {
		s.fail("a colon")
	}
	s.at++
	return s.fault == nil
}

// Key returns the key of the member to which Next moved.
func (s *Scanner) Key() []byte { return s.key }

// Skip skips a value of any kind.
func (s *Scanner) Skip() {
	switch c := s.Kind(); c {
	case '{', '[':
		if s.Enter(c) {
			for s.Next() {
				s.Skip()
			}
		}
	case '"':
		s.passString()
	default:
		s.Bare()
	}
}

// Raw skips a value and returns its text.
func (s *Scanner) Raw() []byte {
	s.Kind()
	from := s.at
	s.Skip()
	if s.fault != nil {
		return nil
	}
	return s.text[from:s.at]
}
