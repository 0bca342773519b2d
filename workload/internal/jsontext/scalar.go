package jsontext

import (
	"unicode/utf16"
	"unicode/utf8"
)

// plain are the bytes of a string that stand for themselves.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

// passString passes a string and says whether it has escapes.
func (s *Scanner) passString() (escapes bool) {
	i := s.at + 1
	for i < len(s.text) {
		c := s.text[i]
		switch {
		case plain[c]:
			i++
		case c == '"':
			s.at = i + 1
			return escapes
		case c == '\\':
			n := escapeLength(s.text[i:])
			if n == 0 && (i+1 == len(s.text) || s.text[i+1] == 'u' && i+6 > len(s.text)) {
				i = len(s.text)
				continue
			}
			if n == 0 {
				s.Fail(i, Seen(s.text[i:]), `one of \" \\ \/ \b \f \n \r \t, or \u and four hexadecimal digits`)
				return false
			}
			escapes = true
			i += n
		default:
			s.Fail(i, Seen(s.text[i:]), "an escape such as \\n instead of a control character")
			return false
		}
	}
	s.at = len(s.text)
	s.fail("a closing quotation mark")
	return false
}

// String returns a string without its quotation marks and escapes: a part of the text
// where it has none. Bytes that are no UTF-8 stay.
func (s *Scanner) String() []byte {
	if s.Kind() != '"' {
		s.fail("a string")
		return nil
	}
	from := s.at + 1
	escapes := s.passString()
	if s.fault != nil {
		return nil
	}
	if !escapes {
		return s.text[from : s.at-1]
	}
	return s.unescape(from, s.at-1)
}

// escapeLength returns the bytes of the escape that a text begins with, 0 for none.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex(text[2:]); ok {
			return 6
		}
	}
	return 0
}

// unescape returns what stands between two bytes of the text, whose escapes were
// looked at.
func (s *Scanner) unescape(from, to int) []byte {
	start := len(s.arena)
	for i := from; i < to; {
		c := s.text[i]
		if c != '\\' {
			s.arena = append(s.arena, c)
			i++
			continue
		}
		i += 2
		switch e := s.text[i-1]; e {
		case 'b':
			s.arena = append(s.arena, '\b')
		case 'f':
			s.arena = append(s.arena, '\f')
		case 'n':
			s.arena = append(s.arena, '\n')
		case 'r':
			s.arena = append(s.arena, '\r')
		case 't':
			s.arena = append(s.arena, '\t')
		case 'u':
			r, _ := hex(s.text[i:to])
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if to-i >= 6 && s.text[i] == '\\' && s.text[i+1] == 'u' {
					low, ok = hex(s.text[i+2 : to])
				}
				if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
					i += 6
				}
			}
			s.arena = utf8.AppendRune(s.arena, r)
		default:
			s.arena = append(s.arena, e)
		}
	}
	return s.arena[start:len(s.arena):len(s.arena)]
}

// hex reads four hexadecimal digits.
func hex(text []byte) (r rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	for _, c := range text[:4] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// Bare returns the text of a number, true, false or null. Infinity and NaN, which
// some programs write though JSON has no such numbers, are taken too.
func (s *Scanner) Bare() []byte {
	s.Kind()
	if s.fault != nil {
		return nil
	}
	from, i := s.at, s.at
	for i < len(s.text) && bare[s.text[i]] {
		i++
	}
	word := s.text[from:i]
	if len(word) == 0 || !isBare(word) {
		s.fail("a value")
		return nil
	}
	s.at = i
	return word
}

// bare are the bytes of numbers and words.
var bare = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '+' || c == '.'
	}
	return t
}()

func isBare(word []byte) bool {
	if c := word[0]; c != '-' && c-'0' > 9 {
		switch string(word) {
		case "true", "false", "null", "Infinity", "NaN":
			return true
		}
		return false
	}
	return string(word) == "-Infinity" || isNumber(word)
}

// isNumber says whether a word is a number by RFC 8259, section 6.
func isNumber(v []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(v) && v[n]-'0' <= 9 {
			n++
		}
		v = v[n:]
		return n > 0
	}
	if v[0] == '-' {
		v = v[1:]
	}
	if len(v) > 1 && v[0] == '0' && v[1]-'0' <= 9 || !digits() {
		return false
	}
	if len(v) > 0 && v[0] == '.' {
		if v = v[1:]; !digits() {
			return false
		}
	}
	if len(v) > 0 && v[0]|0x20 == 'e' {
		if v = v[1:]; len(v) > 0 && (v[0] == '-' || v[0] == '+') {
			v = v[1:]
		}
		return digits() && len(v) == 0
	}
	return len(v) == 0
}
