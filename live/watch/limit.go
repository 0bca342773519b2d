package watch

import (
	"fmt"
	"io"
	"strings"
	"unicode"
)

// limited is a reader that fails beyond a number of bytes.
type limited struct {
	r    io.Reader
	left int64
	most int64
}

func limit(r io.Reader, most int64) io.Reader {
	if most <= 0 {
		most = defaultMaxBytes
	}
	return &limited{r, most, most}
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("the answer is longer than %d bytes", l.most)
	}
	if int64(len(p)) > l.left {
		p = p[:l.left]
	}
	n, err := l.r.Read(p)
	l.left -= int64(n)
	return n, err
}

// oneLine makes a text safe to show in a line: no control characters, no line ends.
func oneLine(text []byte) string {
	clean := strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != ' ' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(text), "?"))
	return strings.Join(strings.Fields(clean), " ")
}
