package delimited

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// records reads whole records from a text that ends with a newline, by the rules of RFC 4180 and
// encoding/csv: a quoted field may contain separators, newlines and doubled quotes, and empty lines
// are skipped. Lines without quotes are split here, which is faster; from the first line with a
// quote on, encoding/csv reads the text.
type records struct {
	file      string
	separator string
	fields    []string    // of the last record read
	line      int64       // line of the last record, from 1
	rest      string      // text not yet read here
	passed    int64       // lines before rest
	quoted    *csv.Reader // reads rest, from the first line with a quote; nil before
}

func newRecords(file, text string, separator byte) *records {
	return &records{file: file, separator: string(separator), rest: text}
}

// next reads the next record into fields, or returns io.EOF at the end of the text.
func (r *records) next() error {
	if r.quoted != nil {
		return r.nextQuoted()
	}
	for len(r.rest) > 0 {
		line, rest, _ := strings.Cut(r.rest, "\n")
		if strings.IndexByte(line, '"') >= 0 {
			r.quoted = csv.NewReader(strings.NewReader(r.rest))
			r.quoted.Comma, r.quoted.FieldsPerRecord, r.quoted.ReuseRecord = rune(r.separator[0]), -1, true
			return r.nextQuoted()
		}
		r.rest = rest
		r.passed++
		if line = strings.TrimSuffix(line, "\r"); line != "" {
			r.line, r.fields = r.passed, Split(r.fields[:0], line, r.separator)
			return nil
		}
	}
	return io.EOF
}

// Split appends the fields of line, which are separated by separator. It is faster than
// strings.Split, since fields are short.
func Split(fields []string, line, separator string) []string {
	from, first := 0, separator[0]
	for i := 0; i < len(line); i++ {
		if line[i] == first && (len(separator) == 1 || strings.HasPrefix(line[i:], separator)) {
			fields = append(fields, line[from:i])
			from = i + len(separator)
			i = from - 1
		}
	}
	return append(fields, line[from:])
}

// nextQuoted is next for the text from the first quote on.
func (r *records) nextQuoted() (err error) {
	from := r.quoted.InputOffset()
	r.fields, err = r.quoted.Read()
	var fault *csv.ParseError
	if errors.As(err, &fault) {
		line, _, _ := strings.Cut(strings.TrimLeft(r.rest[from:], "\r\n"), "\n")
		return &workload.InputError{File: r.file, Line: r.passed + int64(fault.StartLine), Saw: "a quote that is not closed, or within a field, in " + parse.ShortenLine([]byte(line)), Want: "quotes around whole fields, with quotes in them doubled"}
	}
	if err == nil {
		line, _ := r.quoted.FieldPos(0)
		r.line = r.passed + int64(line)
	}
	return err
}

// remaining returns the text after the last record read.
func (r *records) remaining() string {
	if r.quoted != nil {
		return r.rest[r.quoted.InputOffset():]
	}
	return r.rest
}

// recordsEnd returns the end of the last whole record in text, which consists of whole lines. A
// record ends with a newline outside quotes.
func recordsEnd(text []byte) (end int) {
	if bytes.Count(text, []byte{'"'})%2 == 0 {
		return len(text)
	}
	inQuotes := false
	for i, c := range text {
		switch {
		case c == '"':
			inQuotes = !inQuotes
		case c == '\n' && !inQuotes:
			end = i + 1
		}
	}
	return end
}
