package delimited

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Cells are the fields of a record: parts of a text, or what parts of it stand for.
type Cells struct {
	Text   string
	Fields []workload.Span

	// more has the fields whose value differs from the text, because it has doubled quotes, say.
	// Their spans count on from the end of the text.
	more []byte
}

// At returns a field.
func (c *Cells) At(s workload.Span) string {
	if int(s.From) < len(c.Text) || s.From == s.To {
		return c.Text[min(int(s.From), len(c.Text)):min(int(s.To), len(c.Text))]
	}
	return string(c.more[int(s.From)-len(c.Text) : int(s.To)-len(c.Text)])
}

// Add adds a field that is a part of the text.
func (c *Cells) Add(from, to int) {
	c.Fields = append(c.Fields, workload.Span{From: uint32(from), To: uint32(to)})
}

// AddText adds a field that is not.
func (c *Cells) AddText(field string) {
	from := len(c.Text) + len(c.more)
	c.more = append(c.more, field...)
	c.Add(from, from+len(field))
}

// Split adds the fields of a part of the text that have the separator between them.
func (c *Cells) Split(from, to int, separator string) {
	text, first := c.Text[:to], separator[0]
	for at := from; at < len(text); at++ { // fields are short: strings.Index would take longer
		if text[at] == first && (len(separator) == 1 || strings.HasPrefix(text[at:], separator)) {
			c.Add(from, at)
			from = at + len(separator)
			at = from - 1
		}
	}
	c.Add(from, to)
}

// trimmed returns the span of a field without surrounding blanks.
func (c *Cells) trimmed(s workload.Span) workload.Span {
	if s.From == s.To {
		return s
	}
	if int(s.To) <= len(c.Text) {
		if a, b := c.Text[s.From], c.Text[s.To-1]; a > ' ' && a < utf8.RuneSelf && b > ' ' && b < utf8.RuneSelf {
			return s
		}
	}
	field := c.At(s)
	rest := strings.TrimLeftFunc(field, unicode.IsSpace)
	s.From += uint32(len(field) - len(rest))
	s.To = s.From + uint32(len(strings.TrimRightFunc(rest, unicode.IsSpace)))
	return s
}

// Rows are the rows of a chunk of text, and what is odd in it.
type Rows struct {
	workload.TableRows
	Lines    []int64 // of each row, from 1 within the chunk
	Length   int64   // lines of the chunk
	Warnings workload.Warnings
}

// NewRows returns no rows, of so many columns. There is room for some texts in those that isText
// names.
func NewRows(file string, columns, rows int, isText func(column int) bool) *Rows {
	r := &Rows{TableRows: workload.TableRows{File: file, Columns: make([]workload.TableValues, columns)}, Lines: make([]int64, 0, rows)}
	for i := range r.Columns {
		if isText(i) {
			r.Columns[i].Spans = make([]workload.Span, 0, max(rows, 1))
		}
	}
	return r
}

// Add adds a row, of a line, whose texts are cells.
func (r *Rows) Add(c *Cells, line int64, texts []workload.Span) {
	for i := range r.Columns {
		r.Columns[i].Spans = append(r.Columns[i].Spans, c.trimmed(texts[i]))
	}
	r.End(line)
}

// End ends a row, of a line, whose values are in the columns.
func (r *Rows) End(line int64) {
	r.Lines = append(r.Lines, line)
	r.Rows++
}

// Finish ends the rows of cells.
func (r *Rows) Finish(c *Cells) {
	piece := c.Text
	if len(c.more) > 0 {
		piece += string(c.more)
	}
	for i := range r.Columns {
		v := &r.Columns[i]
		v.Piece = piece
		if cap(v.Spans) > 2*len(v.Spans) { // lines were left out, and the rows may be held for long
			v.Spans = slices.Clone(v.Spans)
		}
	}
}

// Decode reads chunks of a text, on several goroutines, and yields their rows in order. It makes
// the lines of the rows, and of errors and warnings, absolute: before is the number of lines
// before the first chunk. What is odd in the rows is added to all.
func Decode[C any](workers int, before int64, chunks iter.Seq2[C, error], decode func(C) (*Rows, error), all *workload.Warnings) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		before, number := before, int64(1) // lines before the chunk, and its first row
		for r, err := range par.Map(workers, chunks, decode, nil) {
			if err != nil {
				yield(nil, parse.AtLine(err, before))
				return
			}
			first := before
			r.Line = func(row int) int64 { return first + r.Lines[row] }
			r.Warnings.MoveLines(before)
			all.Merge(&r.Warnings)
			r.Row = number
			before, number = before+r.Length, number+int64(r.Rows)
			if r.Rows > 0 && !yield(&r.TableRows, nil) {
				return
			}
		}
	}
}
