package delimited

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ReadTable reads columns of a table of separated values that is not one of jobs; its
// first line names the columns. An empty field, and a word for no value such as NA, is
// unknown. A number that cannot be read is an error with its line.
func ReadTable(name string, r io.Reader, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		workers := par.Workers(0)
		t := &table{file: name, columns: columns}
		cutter := &csvCutter{name: name, lines: parse.NewLines(name, r, parse.ChunkSize, 2*workers+2)}
		first, err := t.head(cutter)
		if err != nil {
			yield(nil, err)
			return
		}
		chunks := func(yield func(csvChunk, error) bool) {
			for chunk, err := first, error(nil); err != io.EOF && yield(chunk, err) && err == nil; {
				chunk, err = cutter.next()
			}
		}
		decode := func(chunk csvChunk) (*tableChunk, error) {
			if chunk.recycle {
				defer cutter.lines.Recycle(chunk.text)
			}
			return t.decode(chunk.text)
		}
		row := int64(1)
		for c, err := range par.Map(workers, chunks, decode, nil) {
			if err != nil {
				var fault *workload.InputError
				if errors.As(err, &fault) && fault.Line > 0 {
					fault.Line += t.lines
				}
				yield(nil, err)
				return
			}
			before := t.lines
			c.rows.Line = func(row int) int64 { return before + c.lineOf[row] }
			c.rows.Row = row
			t.lines += c.lines
			row += int64(c.rows.Rows)
			if c.rows.Rows > 0 && !yield(&c.rows, nil) {
				return
			}
		}
	}
}

// table is a table that is being read.
type table struct {
	file      string
	columns   []workload.TableColumn
	at        []int // the field of each column, or -1
	fields    int
	separator byte
	lines     int64 // of the chunks before
}

// tableChunk is the rows of a piece of text.
type tableChunk struct {
	rows   workload.TableRows
	lineOf []int64 // of each row, within the chunk
	lines  int64
}

// head reads the names of the columns, and returns the rest of their chunk.
func (t *table) head(cutter *csvCutter) (rest csvChunk, err error) {
	for {
		chunk, err := cutter.next()
		if err == io.EOF {
			return rest, &workload.InputError{File: t.file, Saw: "no names of columns", Want: "a first line with them"}
		}
		if err != nil {
			return rest, err
		}
		line, _, _ := bytes.Cut(bytes.TrimLeft(chunk.text, "\r\n"), []byte{'\n'})
		t.separator = csvSeparator(line)
		r := newCSVRecords(chunk.text, t.separator)
		ok, fault := r.next()
		if fault != nil {
			return rest, t.fault(fault.line, "", fault.saw, fault.want)
		}
		if !ok {
			t.lines += r.line
			continue
		}
		var names []string
		for _, f := range r.fields {
			names = append(names, string(bytes.TrimSpace(f)))
		}
		t.fields = len(names)
		var missing *workload.InputError
		if t.at, missing = workload.FindTableColumns(t.columns, names); missing != nil {
			missing.File, missing.Line = t.file, t.lines+r.at
			return rest, missing
		}
		t.lines += r.line
		return csvChunk{text: chunk.text[r.pos:]}, nil
	}
}

func (t *table) fault(line int64, field, saw, want string) error {
	return &workload.InputError{File: t.file, Line: line, Field: field, Saw: saw, Want: want}
}

// decode reads the rows of a chunk.
func (t *table) decode(text []byte) (*tableChunk, error) {
	c := &tableChunk{rows: workload.TableRows{File: t.file, Columns: make([]workload.TableValues, len(t.columns))}}
	r := newCSVRecords(text, t.separator)
	texts := make([]parse.TextList, len(t.columns))
	for {
		ok, fault := r.next()
		if fault != nil {
			return nil, t.fault(fault.line, "", fault.saw, fault.want)
		}
		if !ok {
			c.lines = r.line
			for i, column := range t.columns {
				if column.Kind == workload.TableText && t.at[i] >= 0 {
					c.rows.Columns[i].Text = texts[i].Strings()
				}
			}
			return c, nil
		}
		if len(r.fields) != t.fields {
			return nil, t.fault(r.at, "", fmt.Sprintf("%d fields", len(r.fields)), fmt.Sprintf("%d, as in the first line", t.fields))
		}
		for i, at := range t.at {
			if at < 0 {
				continue
			}
			if t.columns[i].Kind == workload.TableText {
				texts[i].Add(r.fields[at])
			} else if want := addValue(&c.rows.Columns[i], t.columns[i].Kind, bytes.TrimSpace(r.fields[at])); want != "" {
				return nil, t.fault(r.at, t.columns[i].Name, workload.Shorten(r.fields[at]), want)
			}
		}
		c.lineOf = append(c.lineOf, r.at)
		c.rows.Rows++
	}
}

// addValue reads one field that is a number. want is "" or what the field should be.
func addValue(to *workload.TableValues, kind workload.TableKind, field []byte) (want string) {
	switch kind {
	case workload.TableWhole:
		n := workload.Unknown
		if !parse.NoValue(field) {
			n, want = parse.Whole(field)
		}
		to.Whole = append(to.Whole, n)
	default:
		x, fault := parse.Number(field)
		switch {
		case fault == "":
		case parse.NoValue(field):
			x = math.NaN()
		case parse.Infinite(field):
			x, _ = strconv.ParseFloat(string(field), 64) // with its sign
		default:
			want = fault
		}
		if fault != "" && to.Odd == nil {
			to.Odd = map[int]string{len(to.Number): string(field)}
		}
		to.Number = append(to.Number, x)
	}
	return want
}

// Columns returns the names of a table's columns by the text that it begins with; nil
// where that has no line of them.
func Columns(head []byte) []string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), "\r\n")
	end := bytes.IndexByte(head, '\n')
	if end < 0 || bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	r := newCSVRecords(head[:end+1], csvSeparator(head[:end]))
	if ok, fault := r.next(); !ok || fault != nil {
		return nil
	}
	names := make([]string, len(r.fields))
	for i, f := range r.fields {
		names[i] = string(bytes.TrimSpace(f))
	}
	return names
}
