package mapping

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"slices"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/delimited"
	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// jsonSource opens a table of JSON objects: one after the other, or the elements of one array. The
// members of nested objects are columns, whose names are joined by dots; lists are skipped.
func jsonSource(name string, r *bufio.Reader, o workload.Options) (*source, error) {
	head, _ := r.Peek(r.Size())
	t := &jsonTable{file: name, r: r, workers: par.Workers(o.Workers)}
	columns, fault := jsonColumns(head)
	if columns == nil {
		e := &workload.InputError{File: name, Saw: "no object in " + parse.ShortenLine(trimHead(head)), Want: "objects with the columns of a table, one a line or in one array"}
		if fault != nil && !fault.Short {
			e.Line = int64(1 + bytes.Count(head[:fault.At], []byte{'\n'}))
			e.Saw, e.Want = fault.Saw, fault.Want
		}
		return nil, e
	}
	return &source{name: name, columns: columns, read: t.read, warnings: &t.warnings}, nil
}

// trimHead removes a byte order mark and blanks from the beginning of a text.
func trimHead(head []byte) []byte {
	return bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
}

// isJSON reports whether a text begins with an object or an array of objects, or is blank, null or
// an empty array.
func isJSON(head []byte) bool {
	return beginsJSON.Match(head)
}

// beginsJSON excludes other texts that begin with a bracket: a time in a line, a name in a header.
var beginsJSON = regexp.MustCompile(`^\x{FEFF}?\s*(?:$|\{|\[\s*(?:$|\{|\])|null\r*(?:\n|$))`)

// jsonColumns returns the columns of the first object in head and of the complete objects after it.
// If the first value is not an object or is incomplete, it returns nil and the fault, if there is
// one.
func jsonColumns(head []byte) ([]workload.FileColumn, *jsontext.Fault) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	var s jsontext.Scanner
	s.Reset(head, 0, true)
	inArray := s.Kind() == '['
	if inArray && (!s.Enter('[') || !s.Next()) || s.Kind() != '{' {
		return nil, s.Fault()
	}
	var columns []workload.FileColumn
	for whole := 0; ; whole = len(columns) {
		members(&s, "", func(column string, value []byte) {
			c := workload.FileColumn{Name: column, Kind: workload.TableText, Nested: value == nil}
			if c.Nested {
				c.Type = "a list"
			}
			if !slices.ContainsFunc(columns, func(before workload.FileColumn) bool { return before.Name == c.Name }) {
				columns = append(columns, c)
			}
		})
		switch {
		case s.Fault() != nil && whole == 0:
			return nil, s.Fault()
		case s.Fault() != nil:
			return columns[:whole], nil
		case inArray && !s.Next(), !inArray && (s.Blank() || s.Kind() != '{'):
			return columns, nil
		}
	}
}

// members reads the object at which s stands and passes the columns of its members to set. The name
// of a column is prefix and the member's key; its value is the member's text, empty for null, or
// nil for a list.
func members(s *jsontext.Scanner, prefix string, set func(column string, value []byte)) {
	if !s.Enter('{') {
		return
	}
	for s.Next() {
		column := prefix + string(s.Key())
		switch s.Kind() {
		case '{':
			members(s, column+".", set)
		case '[':
			s.Skip()
			set(column, nil)
		case '"':
			set(column, s.String())
		default:
			value := s.Bare()
			if string(value) == "null" {
				value = []byte{}
			}
			set(column, value)
		}
	}
}

// jsonTable reads a table of JSON objects.
type jsonTable struct {
	file     string
	r        *bufio.Reader
	workers  int
	warnings workload.Warnings
}

func (t *jsonTable) read(columns []workload.TableColumn) workload.Table {
	places := map[string]int{}
	for i, c := range columns {
		places[c.Name] = i
	}
	decode := func(c jsontext.Chunk) (*delimited.Rows, error) { return t.decode(c, columns, places) }
	return delimited.Decode(t.workers, 0, t.elements, decode, &t.warnings)
}

// elements yields the text in chunks of whole objects.
func (t *jsonTable) elements(yield func(jsontext.Chunk, error) bool) {
	for a := jsontext.NewArray(t.r, "", parse.ChunkSize); ; {
		c, err := a.Next()
		if err == io.EOF {
			return
		}
		if f, ok := err.(*jsontext.Fault); ok {
			err = f.Input(t.file, "")
		} else if err != nil {
			err = parse.InputFault(t.file, err)
		}
		if !yield(c, err) || err != nil {
			return
		}
	}
}

// decode reads the objects of a chunk.
func (t *jsonTable) decode(chunk jsontext.Chunk, columns []workload.TableColumn, places map[string]int) (*delimited.Rows, error) {
	text := chunk.Text
	rows := delimited.NewRows(t.file, len(columns), bytes.Count(text, []byte{'\n'}), len(text))
	var s jsontext.Scanner
	s.Reset(text, chunk.Inside, chunk.First)
	fault := func(column, saw, want string) error {
		e := chunk.Fault(&jsontext.Fault{At: min(s.Offset(), len(text)-1), Saw: saw, Want: want}).Input(t.file, "")
		e.Field = column
		return e
	}
	var odd error
	row, isSet := make([]string, len(columns)), make([]bool, len(columns))
	set := func(column string, value []byte) {
		i, ok := places[column]
		switch {
		case !ok || odd != nil:
		case value == nil:
			odd = fault(columns[i].Name, "a list", "one value")
		case isSet[i]:
			odd = fault(columns[i].Name, "a repeated key", "each key once")
		default:
			row[i], isSet[i] = string(value), true
		}
	}
	line, from := chunk.Line+1, 0
	for !s.Blank() && (chunk.Inside == 0 || s.Next()) && s.Fault() == nil {
		s.Kind()
		line += int64(bytes.Count(text[from:s.Offset()], []byte{'\n'}))
		from = s.Offset()
		clear(row)
		clear(isSet)
		if members(&s, "", set); s.Fault() != nil {
			break
		}
		if odd != nil {
			return nil, odd
		}
		rows.Add(line, row)
	}
	if f := s.Fault(); f != nil {
		return nil, chunk.Fault(f).Input(t.file, "")
	}
	return rows, nil
}
