package jsontext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// MaxDepth is how many arrays and objects may be open at a time.
const MaxDepth = 64

// Fault is where a text is not what it should be.
type Fault struct {
	At        int    // byte of the text, or of the document, from 0
	Line      int64  // of the document, from 1; 0 of a text
	Saw, Want string // as in a workload.InputError
	Short     bool   // the text ended too early
}

func (f *Fault) Error() string {
	return fmt.Sprintf("byte %d: saw %s, want %s", f.At, f.Saw, f.Want)
}

// Input returns the fault as an error of file. member names the place; it may be empty.
func (f *Fault) Input(file, member string) *workload.InputError {
	return &workload.InputError{File: file, Line: f.Line, Field: Place(f.Line, int64(f.At), member), Saw: f.Saw, Want: f.Want}
}

// Place names a place: the member, and in a document of one line the byte.
func Place(line, offset int64, member string) string {
	if line > 1 {
		return member
	}
	return strings.TrimSpace(fmt.Sprintf("%s at byte %d", member, offset))
}

// Scanner takes a JSON text apart. Its methods take one value each, which the caller
// chooses by Kind; after a fault they return nothing, and Next returns false.
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
	stack []byte // the open containers, each as '{' or '['
	first bool   // no member of the innermost one has been read
	key   []byte
	keyAt int
	fault *Fault
}

// Reset begins a text: of values that stand behind one another, or, where inside is '{'
// or '[', of what stands within an object or array, of which first says that nothing was
// read yet. Strings given out before are no longer valid.
func (s *Scanner) Reset(text []byte, inside byte, first bool) {
	*s = Scanner{text: text, stack: s.stack[:0], first: first}
	if inside != 0 {
		s.stack = append(s.stack, inside)
	}
}

// Fault returns the first fault, or nil.
func (s *Scanner) Fault() *Fault { return s.fault }

// Offset returns the byte at which the scanner stands.
func (s *Scanner) Offset() int { return s.at }

// Fail sets the fault: at a byte, of a value of which the caller wants something else.
func (s *Scanner) Fail(at int, saw, want string) {
	if s.fault == nil {
		s.fault = &Fault{At: at, Saw: saw, Want: want}
	}
}

// fail sets the fault at the scanner's place, where something else was wanted.
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

// space passes blanks and returns the byte behind them, 0 at the end.
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

// Blank passes blanks and says whether nothing else is left.
func (s *Scanner) Blank() bool {
	s.space()
	return s.at >= len(s.text)
}

// Kind returns the first byte of the value that comes next: { [ " t f n, or that of a
// number; 0 at the end and after a fault.
func (s *Scanner) Kind() byte {
	if s.fault != nil {
		return 0
	}
	return s.space()
}

// Enter opens an object or array, kind '{' or '['. It is a fault if the next value is
// no such.
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

// Next goes to the next member of the innermost object or array, or leaves it and
// returns false. In none it goes to the next value of the text.
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

// Key returns the key of the member that Next went to.
func (s *Scanner) Key() []byte { return s.key }

// Skip passes a value of any kind.
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

// Raw passes a value and returns its text.
func (s *Scanner) Raw() []byte {
	s.Kind()
	from := s.at
	s.Skip()
	if s.fault != nil {
		return nil
	}
	return s.text[from:s.at]
}
