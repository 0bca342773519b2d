package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// lines reads the lines of a segment.
type lines struct {
	name string
	r    *bufio.Reader
	done func() error

	line  int64 // number of the line read last
	bytes int64 // up to its end
	count int64 // its number in the store; before the first, that of the line before; -1: not known
}

// errTorn reports that a segment ends within a line.
var errTorn = errors.New("a torn line")

// next returns the JSON of the next line, which is valid until the next call; io.EOF at
// the end, errTorn where the last line has no end.
func (l *lines) next() ([]byte, error) {
	text, err := l.r.ReadSlice('\n')
	switch {
	case err == io.EOF && len(text) == 0:
		return nil, io.EOF
	case err == io.EOF:
		l.line++
		return nil, errTorn
	case err == bufio.ErrBufferFull:
		l.line++
		return nil, l.fault(&workload.InputError{Saw: fmt.Sprintf("a line of more than %d bytes", maxLine), Want: "one that is not damaged"})
	case err != nil:
		l.line++
		return nil, l.fault(&workload.InputError{Err: err})
	}
	l.line++
	l.bytes += int64(len(text))
	text = text[:len(text)-1]
	if len(text) <= sumDigits || text[sumDigits] != ' ' {
		return nil, l.fault(&workload.InputError{Saw: workload.Shorten(text), Want: "a checksum of 8 hexadecimal digits, a number and JSON, with spaces between them"})
	}
	var want [sumDigits]byte
	rest := text[sumDigits+1:]
	putSum(want[:], crc32.Checksum(rest, castagnoli))
	if !bytes.Equal(want[:], text[:sumDigits]) {
		return nil, l.fault(&workload.InputError{Field: "checksum", Saw: workload.Shorten(text[:sumDigits]), Want: string(want[:]) + ", that of the line: it is damaged"})
	}
	digits, json, _ := bytes.Cut(rest, []byte{' '})
	number, err := strconv.ParseInt(string(digits), 10, 64)
	switch {
	case err != nil || number < 1:
		return nil, l.fault(&workload.InputError{Field: "number", Saw: workload.Shorten(digits), Want: "the number of the line in the store"})
	case l.count >= 0 && number != l.count+1:
		return nil, l.fault(&workload.InputError{Field: "number", Saw: string(digits), Want: fmt.Sprintf("%d: lines of the store are missing or out of order", l.count+1)})
	}
	l.count = number
	return json, nil
}

// fault gives an error its place.
func (l *lines) fault(e *workload.InputError) error {
	e.File, e.Line = l.name, l.line
	return e
}
