// Package printable makes text from files safe to show. The name of a user or
// the header of a log may hold what a terminal obeys (an escape sequence that
// clears the screen, sets its title or hides what follows), what reorders the
// text around it, or what XML forbids. Commands, figures and pages pass text
// through this package where they show it; files of data keep it as it is.
package printable

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a text of one line, with each control character, line end, mark
// of the direction of writing, invalid byte and whatever else is neither a
// graphic character of Unicode nor a space replaced by its escape in Go: \x1b,
// \n, \u202e. Backslashes stay as they are, so the text cannot be read back;
// it does not change when it is passed through again.
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

// Lines is Text for a text of several lines.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Text(line)
	}
	return strings.Join(lines, "\n")
}

// unseen says of a character, utf8.RuneError for an invalid byte, whether it
// must not be shown.
func unseen(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }

// JSON returns a JSON text with the same characters in its strings written as
// \u escapes, which stand for the same values.
func JSON(text []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		// encoding/json has escaped what is below, and leaves no invalid byte.
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
