package journal

import (
	"fmt"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// scanner reads the JSON of one line, in the form in which it is written: without
// blanks. It keeps the first fault; what follows one returns zero values.
type scanner struct {
	text  []byte
	at    int
	key   string // of the field that is read
	fault *workload.InputError

	count int64 // number of the line before the next segment; -1: not known

	texts map[string]string // those met, so that they are not made again
}

// mostTexts bounds how many texts are kept.
const mostTexts = 1 << 12

// scan begins with a new text.
func (s *scanner) scan(text []byte) {
	s.text, s.at, s.key, s.fault = text, 0, "", nil
}

func (s *scanner) fail(want string) {
	if s.fault == nil {
		rest := s.text[min(s.at, len(s.text)):]
		saw := workload.Shorten(rest)
		if len(rest) == 0 {
			saw = "the end of the line"
		}
		s.fault = &workload.InputError{Field: s.key, Saw: saw, Want: want}
	}
	s.at = len(s.text)
}

// faulty records a value that is well formed but cannot be.
func (s *scanner) faulty(saw, want string) {
	if s.fault == nil {
		s.fault = &workload.InputError{Field: s.key, Saw: saw, Want: want}
	}
	s.at = len(s.text)
}

// take passes a character if it comes next.
func (s *scanner) take(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) expect(c byte) {
	if !s.take(c) {
		s.fail(strconv.QuoteRune(rune(c)))
	}
}

// more reports whether another member of a list or an object follows, and passes what
// stands before it: the opening before the first, a comma before the others.
func (s *scanner) more(first bool, opening, closing byte) bool {
	if s.fault != nil {
		return false
	}
	if first {
		s.expect(opening)
		if s.take(closing) {
			return false
		}
		return s.fault == nil
	}
	if s.take(closing) {
		return false
	}
	s.expect(',')
	return s.fault == nil
}

// name reads the key of a field.
func (s *scanner) name() string {
	s.key = ""
	s.key = s.string()
	s.expect(':')
	return s.key
}

// word returns a word or number up to the next delimiter.
func (s *scanner) word() []byte {
	from := s.at
	for s.at < len(s.text) && s.text[s.at] != ',' && s.text[s.at] != ']' && s.text[s.at] != '}' {
		s.at++
	}
	return s.text[from:s.at]
}

func (s *scanner) int() int64 {
	word := s.word()
	n, err := strconv.ParseInt(string(word), 10, 64)
	if err != nil {
		s.at -= len(word)
		s.fail("a whole number")
	}
	return n
}

// bool reads true, which alone is written.
func (s *scanner) bool() bool {
	word := s.word()
	if string(word) != "true" {
		s.at -= len(word)
		s.fail("true")
	}
	return true
}

// float reads what appendFloat writes.
func (s *scanner) float() float64 {
	word := s.word()
	if len(word) > 0 && (word[0] == '-' || word[0] >= '0' && word[0] <= '9') {
		if x, err := strconv.ParseFloat(string(word), 64); err == nil {
			return x
		}
	}
	switch string(word) {
	case "null":
		return math.NaN()
	case `"inf"`:
		return math.Inf(1)
	case `"-inf"`:
		return math.Inf(-1)
	}
	s.at -= len(word)
	s.fail("a number")
	return math.NaN()
}

// finite reads a number that is not left out.
func (s *scanner) finite() float64 {
	x := s.float()
	if s.fault == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		s.faulty(fmt.Sprint(x), "a finite number")
	}
	return x
}

// string reads what appendText writes.
func (s *scanner) string() string {
	s.expect('"')
	for i := s.at; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			text := s.intern(s.text[s.at:i])
			s.at = i + 1
			return text
		case c == '\\':
			return s.escaped()
		case c < ' ':
			s.at = i
			s.fail("no control character")
			return ""
		}
	}
	s.fail("a quoted string")
	return ""
}

// escaped reads a text that has escapes, from behind its opening quotation mark.
func (s *scanner) escaped() string {
	var b []byte
	for s.at < len(s.text) {
		c := s.text[s.at]
		s.at++
		switch {
		case c == '"':
			return string(b)
		case c == '\\' && s.at < len(s.text) && (s.text[s.at] == '"' || s.text[s.at] == '\\'):
			b = append(b, s.text[s.at])
			s.at++
		case c == '\\':
			n, err := uint64(0), strconv.ErrSyntax
			if s.at+5 <= len(s.text) && s.text[s.at] == 'u' {
				n, err = strconv.ParseUint(string(s.text[s.at+1:s.at+5]), 16, 7)
			}
			if err != nil {
				s.at--
				s.fail(`\", \\ or \u00 and two digits`)
				return ""
			}
			b = append(b, byte(n))
			s.at += 5
		default:
			b = append(b, c)
		}
	}
	s.fail("a quoted string")
	return ""
}

func (s *scanner) intern(text []byte) string {
	if kept, ok := s.texts[string(text)]; ok {
		return kept
	}
	kept := string(text)
	if s.texts == nil {
		s.texts = map[string]string{}
	}
	if len(s.texts) < mostTexts && len(kept) < 64 {
		s.texts[kept] = kept
	}
	return kept
}
