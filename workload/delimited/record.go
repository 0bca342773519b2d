package delimited

import (
	"bytes"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// csvRecords reads whole records from a piece of text by the rules of RFC 4180 and
// encoding/csv. A field in quotes may contain separators, newlines and doubled quotes;
// empty lines are skipped. The text ends with a newline.
type csvRecords struct {
	Cells     // of the record taken last
	separator byte
	quotes    bool  // there is a quote in the text
	pos       int   // start of the next record
	line      int64 // lines before pos
	at        int64 // line of the record taken last, from 1
}

func newCSVRecords(text string, separator byte) *csvRecords {
	return &csvRecords{Cells: Cells{Text: text}, separator: separator, quotes: strings.IndexByte(text, '"') >= 0}
}

// csvSyntax is a fault in the form of a record.
type csvSyntax struct {
	line      int64
	saw, want string
}

// next takes a record; false at the end of the text.
func (r *csvRecords) next() (bool, *csvSyntax) {
	for r.pos < len(r.Text) {
		from := r.pos
		end := from + strings.IndexByte(r.Text[from:], '\n')
		if r.quotes && strings.IndexByte(r.Text[from:end], '"') >= 0 {
			return r.quoted()
		}
		r.pos = end + 1
		r.line++
		if end > from && r.Text[end-1] == '\r' {
			end--
		}
		if end == from {
			continue
		}
		r.at = r.line
		r.Fields = r.Fields[:0]
		r.Split(from, end, string(r.separator))
		return true, nil
	}
	return false, nil
}

// quoted takes a record with quotes in its first line.
func (r *csvRecords) quoted() (bool, *csvSyntax) {
	r.at = r.line + 1
	r.Fields = r.Fields[:0]
	for {
		rest := r.Text[r.pos:]
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
			r.Add(r.pos, r.pos+len(field))
			r.pos += end
		}
		if r.Text[r.pos] == r.separator {
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
		rest := r.Text[r.pos:]
		quote := strings.IndexByte(rest, '"')
		if quote < 0 {
			return &csvSyntax{opened, "a quote that is not closed, before " + parse.ShortenLine([]byte(rest)), "a quote at the end of the field"}
		}
		r.line += int64(strings.Count(rest[:quote], "\n"))
		r.pos += quote + 1
		rest = rest[quote+1:]
		field := r.Text[from : r.pos-1]
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
			r.Add(from, from+len(field))
			return nil
		}
		r.AddText(strings.ReplaceAll(strings.ReplaceAll(field, "\r\n", "\n"), `""`, `"`))
		return nil
	}
}

// recordsEnd returns the end of the last whole record in a text of whole lines: it ends with a
// newline that is not in quotes.
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
