package delimited

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvRecords reads whole records from a piece of text by the rules of RFC 4180 and
// encoding/csv. A field in quotes may contain separators, newlines and doubled quotes;
// empty lines are skipped. The text ends with a newline.
type csvRecords struct {
	text      string
	separator byte
	quotes    bool  // there is a quote in the text
	pos       int   // start of the next record
	line      int64 // lines before pos
	at        int64 // line of the record taken last, from 1

	fields []workload.Span // of the record, in the text; valid until the next is taken

	// more has the fields whose value differs from the text, because it has doubled quotes
	// or \r\n. Their spans count on from the end of the text.
	more []byte
}

// field is a field of the record.
func (r *csvRecords) field(i int) string {
	if s := r.fields[i]; int(s.From) < len(r.text) || s.From == s.To {
		return r.text[min(int(s.From), len(r.text)):min(int(s.To), len(r.text))]
	}
	return string(r.more[int(r.fields[i].From)-len(r.text) : int(r.fields[i].To)-len(r.text)])
}

// trimmed returns the span of a field without surrounding blanks.
func (r *csvRecords) trimmed(i int) workload.Span {
	s := r.fields[i]
	if s.From == s.To {
		return s
	}
	if int(s.To) <= len(r.text) {
		if a, b := r.text[s.From], r.text[s.To-1]; a > ' ' && a < utf8.RuneSelf && b > ' ' && b < utf8.RuneSelf {
			return s
		}
	}
	field := r.field(i)
	rest := strings.TrimLeftFunc(field, unicode.IsSpace)
	s.From += uint32(len(field) - len(rest))
	s.To = s.From + uint32(len(strings.TrimRightFunc(rest, unicode.IsSpace)))
	return s
}

// piece returns the text to which the spans of all fields so far refer.
func (r *csvRecords) piece() string {
	if len(r.more) == 0 {
		return r.text
	}
	return r.text + string(r.more)
}

func newCSVRecords(text string, separator byte) *csvRecords {
	return &csvRecords{text: text, separator: separator, quotes: strings.IndexByte(text, '"') >= 0}
}

// csvSyntax is a fault in the form of a record.
type csvSyntax struct {
	line      int64
	saw, want string
}

// next takes a record; false at the end of the text.
func (r *csvRecords) next() (bool, *csvSyntax) {
	for r.pos < len(r.text) {
		from := r.pos
		end := from + strings.IndexByte(r.text[from:], '\n')
		if r.quotes && strings.IndexByte(r.text[from:end], '"') >= 0 {
			return r.quoted()
		}
		r.pos = end + 1
		r.line++
		if end > from && r.text[end-1] == '\r' {
			end--
		}
		if end == from {
			continue
		}
		r.at = r.line
		r.fields = r.fields[:0]
		line := r.text[:end]
		for at := from; at < len(line); at++ { // fields are short: IndexByte would take longer
			if line[at] == r.separator {
				r.add(from, at)
				from = at + 1
			}
		}
		r.add(from, end)
		return true, nil
	}
	return false, nil
}

// add adds a field.
func (r *csvRecords) add(from, to int) {
	r.fields = append(r.fields, workload.Span{From: uint32(from), To: uint32(to)})
}

// quoted takes a record with quotes in its first line.
func (r *csvRecords) quoted() (bool, *csvSyntax) {
	r.at = r.line + 1
	r.fields = r.fields[:0]
	for {
		rest := r.text[r.pos:]
		if rest[0] == '"' {
			if fault := r.inQuotes(); fault != nil {
				return false, fault
			}
		} else {
			end := strings.IndexByte(rest, '\n')
			if comma := strings.IndexByte(rest[:end], r.separator); comma >= 0 {
				end = comma
			}
			field := rest[:end]
			if rest[end] == '\n' {
				field = strings.TrimSuffix(field, "\r")
			}
			if strings.IndexByte(field, '"') >= 0 {
				return false, &csvSyntax{r.line + 1, "a quote within " + parse.ShortenLine([]byte(field)), "a field that begins with a quote, with quotes in it doubled"}
			}
			r.add(r.pos, r.pos+len(field))
			r.pos += end
		}
		if r.text[r.pos] == r.separator {
			r.pos++
			continue
		}
		r.pos++ // the newline
		r.line++
		return true, nil
	}
}

// inQuotes takes a field in quotes and stops at the comma or newline after it.
func (r *csvRecords) inQuotes() *csvSyntax {
	r.pos++
	from, doubled := r.pos, false
	opened := r.line + 1
	for {
		rest := r.text[r.pos:]
		quote := strings.IndexByte(rest, '"')
		if quote < 0 {
			return &csvSyntax{opened, "a quote that is not closed, before " + parse.ShortenLine([]byte(rest)), "a quote at the end of the field"}
		}
		r.line += int64(strings.Count(rest[:quote], "\n"))
		r.pos += quote + 1
		rest = rest[quote+1:]
		field := r.text[from : r.pos-1]
		if len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n' {
			rest = rest[1:]
			r.pos++
		}
		switch {
		case rest[0] == '"':
			doubled = true
			r.pos++
			continue
		case rest[0] != r.separator && rest[0] != '\n':
			return &csvSyntax{r.line + 1, parse.ShortenLine([]byte(rest[:strings.IndexByte(rest, '\n')])) + " after a closing quote", "a comma or the end of the line"}
		}
		if !doubled && !strings.Contains(field, "\r\n") {
			r.add(from, from+len(field))
			return nil
		}
		at := len(r.text) + len(r.more)
		r.more = append(r.more, strings.ReplaceAll(strings.ReplaceAll(field, "\r\n", "\n"), `""`, `"`)...)
		r.add(at, len(r.text)+len(r.more))
		return nil
	}
}

// csvChunk is a piece of text of whole records. The line source's memory goes
// back to it.
type csvChunk struct {
	text    []byte
	recycle bool
}

// csvCutter cuts a text at ends of records: ends of lines that are not in quotes, before
// which there is an even number of quotes.
type csvCutter struct {
	name  string
	lines *parse.Lines
	carry []byte // start of the record that the last chunk cut
	err   error
}

// next returns the next chunk, or io.EOF. The line of an error counts from the
// end of the last chunk.
func (c *csvCutter) next() (csvChunk, error) {
	for c.err == nil {
		chunk, err := c.lines.Next()
		if err == io.EOF && len(c.carry) > 0 {
			c.err = io.EOF
			return csvChunk{text: c.carry}, nil // whose reader finds the open quote
		}
		if err != nil {
			c.err = err
			break
		}
		if bytes.IndexByte(chunk, 0) >= 0 {
			line := chunk[bytes.LastIndexByte(chunk[:bytes.IndexByte(chunk, 0)], '\n')+1:]
			c.err = parse.NotText(c.name, 0, line)
			break
		}
		if len(c.carry) == 0 && bytes.Count(chunk, []byte{'"'})%2 == 0 {
			return csvChunk{chunk, true}, nil
		}
		text := append(c.carry, chunk...)
		c.lines.Recycle(chunk)
		end := recordsEnd(text)
		c.carry = append([]byte(nil), text[end:]...)
		if len(c.carry) > parse.MaxLine {
			c.err = &workload.InputError{File: c.name, Line: 1, Saw: "a record of more than 1 MiB that begins with " + parse.ShortenLine(c.carry), Want: "a quote that is closed"}
		}
		if end > 0 {
			return csvChunk{text: text[:end]}, nil
		}
	}
	return csvChunk{}, c.err
}

// recordsEnd is the end of the last whole record in a text that ends with a
// newline.
func recordsEnd(text []byte) int {
	end := len(text)
	if bytes.Count(text, []byte{'"'})%2 == 0 {
		return end
	}
	// Behind the last quote, everything is quoted; before it is what is not,
	// up to the quote before that, and so on.
	for {
		last := bytes.LastIndexByte(text[:end], '"')
		if last < 0 {
			return 0
		}
		before := bytes.LastIndexByte(text[:last], '"')
		if i := bytes.LastIndexByte(text[before+1:last], '\n'); i >= 0 {
			return before + 1 + i + 1
		}
		if before < 0 {
			return 0
		}
		end = before
	}
}
