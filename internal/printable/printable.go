// Package printable makes text from files safe to show. The name of a user or
// the header of a log may contain escape sequences for a terminal (which clear the
// screen, set its title or hide the following text), characters that reorder the
// surrounding text, or characters that XML forbids. Commands, figures and pages pass
// text through this package before they show it; data files keep it unchanged.
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns s as one line. It replaces each character that is neither a graphic
// character of Unicode nor a space, such as a control character, line end or
// direction mark, and each invalid byte by its escape in Go: \x1b, \n, \u202e.
// Backslashes are not escaped, so the result is ambiguous, but applying Text again
// does not change it.
func Text(s string) string {
	if strings.IndexFunc(s, unseen) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if unseen(r) {
			quoted := strconv.Quote(s[i : i+n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Lines applies Text to each line of s.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Text(line)
	}
	return strings.Join(lines, "\n")
}

// unseen reports whether a character must not be shown. r is utf8.RuneError for
// an invalid byte.
func unseen(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }

// JSON returns an equivalent JSON text, in which the characters that Text replaces
// are written as \u escapes.
func JSON(text []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		// encoding/json has escaped lower characters, and leaves no invalid bytes.
		if r == 0x7f || r > 0x7f && r != utf8.RuneError && unseen(r) {
			out = append(out, text[from:i]...)
			for _, unit := range utf16.Encode([]rune{r}) {
				out = fmt.Appendf(out, `\u%04x`, unit)
			}
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return text
	}
	return append(out, text[from:]...)
}
