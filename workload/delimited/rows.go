package delimited

import (
	"iter"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// Rows holds the rows of a chunk of text and the warnings about them.
type Rows struct {
	workload.TableRows
	Lines    []int64 // of each row, from 1 at the beginning of the chunk
	Length   int64   // number of lines in the chunk
	Warnings workload.Warnings

	texts strings.Builder // of all rows: see workload.TableValues.Spans
}

// NewRows returns an empty Rows with the given number of text columns, and capacity for room rows
// and for bytes bytes of text.
func NewRows(file string, columns, room, bytes int) *Rows {
	r := &Rows{TableRows: workload.TableRows{File: file, Columns: make([]workload.TableValues, columns)}, Lines: make([]int64, 0, room)}
	for i := range r.Columns {
		r.Columns[i].Spans = make([]workload.Span, 0, max(room, 1))
	}
	r.texts.Grow(bytes)
	return r
}

// Add adds a row that was read from line. texts has a text for each column, which is copied without
// surrounding blanks.
func (r *Rows) Add(line int64, texts []string) {
	for i := range r.Columns {
		r.addText(i, strings.TrimSpace(texts[i]))
	}
	r.end(line)
}

func (r *Rows) addText(column int, text string) {
	from := uint32(r.texts.Len())
	r.texts.WriteString(text)
	v := &r.Columns[column]
	v.Spans = append(v.Spans, workload.Span{From: from, To: uint32(r.texts.Len())})
}

// end ends the row of line, whose values have been added to the columns.
func (r *Rows) end(line int64) {
	r.Lines = append(r.Lines, line)
	r.Rows++
}

// Table returns the rows, after which no more can be added. before is the number of lines before
// the chunk.
func (r *Rows) Table(before int64) *workload.TableRows {
	piece := r.texts.String()
	for i := range r.Columns {
		r.Columns[i].Piece = piece
	}
	r.Line = func(row int) int64 { return before + r.Lines[row] }
	return &r.TableRows
}

// Decode decodes the chunks of a text on several goroutines and yields their rows in order. It
// makes the line numbers of rows, errors and warnings absolute: before is the number of lines
// before the first chunk. The warnings about the rows are added to all, which may be nil.
func Decode[C any](workers int, before int64, chunks iter.Seq2[C, error], decode func(C) (*Rows, error), all *workload.Warnings) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		before, number := before, int64(1) // lines before the chunk, and the number of its first row
		for r, err := range par.Map(workers, chunks, decode, nil) {
			if err != nil {
				yield(nil, parse.AtLine(err, before))
				return
			}
			r.Warnings.MoveLines(before)
			all.Merge(&r.Warnings)
			r.Row = number
			rows := r.Table(before)
			before, number = before+r.Length, number+int64(r.Rows)
			if r.Rows > 0 && !yield(rows, nil) {
				return
			}
		}
	}
}
