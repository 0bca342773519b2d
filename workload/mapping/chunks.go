package mapping

import (
	"bytes"
	"io"
	"iter"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// textChunk is a text of whole rows.
type textChunk struct {
	text  []byte
	line  int64 // lines before it
	first bool
	done  func() // gives its memory back
}

// chunkRows has the decoded rows of a chunk and their warnings.
type chunkRows struct {
	rows     workload.TableRows
	lines    []int64 // of each row
	warnings workload.Warnings
}

// lineChunks yields a text in chunks of whole lines.
func lineChunks(file string, r io.Reader, workers int) iter.Seq2[textChunk, error] {
	return func(yield func(textChunk, error) bool) {
		lines, before := parse.NewLines(file, r, parse.ChunkSize, 2*workers+2), int64(0)
		for {
			text, err := lines.Next()
			if err == io.EOF {
				return
			}
			if e, ok := err.(*workload.InputError); ok && e.Line > 0 {
				e.Line += before
			}
			if !yield(textChunk{text, before, false, func() { lines.Recycle(text) }}, err) || err != nil {
				return
			}
			before += int64(bytes.Count(text, []byte{'\n'}))
		}
	}
}

// tableOf decodes chunks in parallel and yields their rows in order. It adds the warnings of
// the yielded chunks to odd.
func tableOf(workers int, chunks iter.Seq2[textChunk, error], decode func(textChunk) (*chunkRows, error), odd *workload.Warnings) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		row := int64(1)
		each := func(c textChunk) (*chunkRows, error) {
			defer c.done()
			return decode(c)
		}
		for c, err := range par.Map(workers, chunks, each, nil) {
			if err != nil {
				yield(nil, err)
				return
			}
			odd.Merge(&c.warnings)
			lines := c.lines
			c.rows.Line = func(row int) int64 { return lines[row] }
			c.rows.Row = row
			row += int64(c.rows.Rows)
			if c.rows.Rows > 0 && !yield(&c.rows, nil) {
				return
			}
		}
	}
}
