package delimited

import (
	"bytes"
	"io"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvRecords takes whole records off a piece of text, as RFC 4180 and
// encoding/csv have them: fields between commas, or another separator; a field in quotes may hold
// commas, newlines and doubled quotes; lines with nothing in them are passed
// over. The text ends with a newline.
type csvRecords struct {
	text      []byte
	separator byte
	quotes    bool  // there is a quote in the text
	pos       int   // start of the next record
	line      int64 // lines before pos
	at        int64 // line of the record taken last, from 1

	fields  [][]byte // of the record; valid until the next is taken
	scratch []byte   // text of quoted fields that differ from what stands there
}

func newCSVRecords(text []byte, separator byte) *csvRecords {
	return &csvRecords{text: text, separator: separator, quotes: bytes.IndexByte(text, '"') >= 0}
}

// csvSyntax is a fault in the form of a record.
type csvSyntax struct {
	line      int64
	saw, want string
}

// next takes a record; false at the end of the text.
func (r *csvRecords) next() (bool, *csvSyntax) {
	for r.pos < len(r.text) {
		end := r.pos + bytes.IndexByte(r.text[r.pos:], '\n')
		line := r.text[r.pos:end]
		if r.quotes && bytes.IndexByte(line, '"') >= 0 {
			return r.quoted()
		}
		r.pos = end + 1
		r.line++
		if n := len(line); n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
		if len(line) == 0 {
			continue
		}
		r.at = r.line
		r.fields = r.fields[:0]
		for {
			comma := bytes.IndexByte(line, r.separator)
			if comma < 0 {
				break
			}
			r.fields = append(r.fields, line[:comma])
			line = line[comma+1:]
		}
		r.fields = append(r.fields, line)
		return true, nil
	}
	return false, nil
}

// quoted takes a record with quotes in its first line.
func (r *csvRecords) quoted() (bool, *csvSyntax) {
	r.at = r.line + 1
	r.fields = r.fields[:0]
	r.scratch = r.scratch[:0]
	for {
		rest := r.text[r.pos:]
		if rest[0] == '"' {
			if fault := r.inQuotes(); fault != nil {
				return false, fault
			}
		} else {
			end := bytes.IndexByte(rest, '\n')
			if comma := bytes.IndexByte(rest[:end], r.separator); comma >= 0 {
				end = comma
			}
			field := rest[:end]
			if rest[end] == '\n' {
				field = bytes.TrimSuffix(field, []byte{'\r'})
			}
			if bytes.IndexByte(field, '"') >= 0 {
				return false, &csvSyntax{r.line + 1, "a quote within " + parse.ShortenLine(field), "a field that begins with a quote, with quotes in it doubled"}
			}
			r.fields = append(r.fields, field)
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
	opened := r.line + 1
	from := len(r.scratch)
	for {
		rest := r.text[r.pos:]
		quote := bytes.IndexByte(rest, '"')
		if quote < 0 {
			return &csvSyntax{opened, "a quote that is not closed, before " + parse.ShortenLine(rest), "a quote at the end of the field"}
		}
		r.line += int64(bytes.Count(rest[:quote], []byte{'\n'}))
		r.scratch = appendUnixLines(r.scratch, rest[:quote])
		r.pos += quote + 1
		rest = rest[quote+1:]
		if len(rest) > 1 && rest[0] == '\r' && rest[1] == '\n' {
			rest = rest[1:]
			r.pos++
		}
		switch {
		case rest[0] == '"':
			r.scratch = append(r.scratch, '"')
			r.pos++
			continue
		case rest[0] != r.separator && rest[0] != '\n':
			return &csvSyntax{r.line + 1, parse.ShortenLine(rest[:bytes.IndexByte(rest, '\n')]) + " after a closing quote", "a comma or the end of the line"}
		}
		r.fields = append(r.fields, r.scratch[from:len(r.scratch):len(r.scratch)])
		return nil
	}
}

// appendUnixLines appends text with \r\n as \n.
func appendUnixLines(dst, text []byte) []byte {
	for {
		i := bytes.Index(text, []byte("\r\n"))
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(append(dst, text[:i]...), '\n')
		text = text[i+2:]
	}
}

// csvChunk is a piece of text of whole records. The line source's memory goes
// back to it.
type csvChunk struct {
	text    []byte
	recycle bool
}

// csvCutter cuts a text at ends of records, which are ends of lines outside
// quotes: inside, there have been an odd number of quotes.
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
