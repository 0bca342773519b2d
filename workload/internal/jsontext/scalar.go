package jsontext

import "encoding/json"

// plain has the bytes of a string that represent themselves, and bare those of numbers and
// words.
var plain, bare = func() (plain, bare [256]bool) {
	for c := range plain {
		plain[c] = c >= ' ' && c != '"' && c != '\\'
		bare[c] = c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '+' || c == '.'
	}
	return plain, bare
}()

// passString skips a string and reports whether it has escapes.
func (s *Scanner) passString() (escapes bool) {
	for i := s.at + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case plain[c]:
		case c == '"':
			if escapes && !json.Valid(s.text[s.at:i+1]) {
				s.Fail(s.at, Seen(s.text[s.at:]), `a string with no other escapes than \" \\ \/ \b \f \n \r \t, and \u with four hexadecimal digits`)
			}
			s.at = i + 1
			return escapes
		case c == '\\':
			escapes = true
			i++
		default:
			s.Fail(i, Seen(s.text[i:]), "an escape such as \\n instead of a control character")
			return false
		}
	}
	s.at = len(s.text)
	s.fail("a closing quotation mark")
	return false
}

// String returns the next value, a string, without its quotation marks and escapes. A string
// without escapes is returned as a part of the text, with bytes that are not UTF-8 unchanged.
func (s *Scanner) String() []byte {
	if s.Kind() != '"' {
		s.fail("a string")
		return nil
	}
	from := s.at
	escapes := s.passString()
	if s.fault != nil {
		return nil
	}
	if escapes {
		var text string
		json.Unmarshal(s.text[from:s.at], &text) // passString has checked it
		return []byte(text)
	}
	return s.text[from+1 : s.at-1]
}

// Bare returns the text of a number, true, false or null. It also accepts Infinity and NaN,
// which some programs write although JSON has no such numbers. encoding/json does not accept
// them, nor does it report where a fault is.
func (s *Scanner) Bare() []byte {
	s.Kind()
	if s.fault != nil {
		return nil
	}
	i, digits := s.at, true
	for i < len(s.text) && bare[s.text[i]] {
		digits = digits && s.text[i] <= '9' && s.text[i] >= '0'
		i++
	}
	word := s.text[s.at:i]
	switch string(word) {
	case "Infinity", "-Infinity", "NaN", "null", "true", "false":
	default:
		if plainNumber := digits && (len(word) == 1 || len(word) > 1 && word[0] != '0'); !plainNumber && !json.Valid(word) {
			if i == len(s.text) { // it may go on
				s.at = i
			}
			s.fail("a value")
			return nil
		}
	}
	s.at = i
	return word
}
