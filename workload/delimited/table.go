package delimited

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ReadTable yields the given columns of a CSV table that does not hold jobs, a batch of
// rows at a time. name is for messages. Empty fields and words for missing values, such as
// NA, are unknown. A field that should be a number and is not is a *workload.InputError
// with its line.
func ReadTable(name string, r io.Reader, columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		t, err := Open(name, r, 0, 0)
		if err != nil {
			yield(nil, err)
			return
		}
		t.Read(columns)(yield)
	}
}

// Open reads the header line of a table; name is for messages. At most workers goroutines
// decode the rows, 0 for one per processor, in chunks of about chunk bytes, 0 for the
// default size.
func Open(name string, r io.Reader, workers, chunk int) (*Table, error) {
	workers = par.Workers(workers)
	if chunk == 0 {
		chunk = parse.ChunkSize
	}
	t := &Table{file: name, workers: workers}
	t.cutter = &csvCutter{name: name, lines: parse.NewLines(name, r, chunk, 2*workers+2)}
	return t, t.head()
}

// Names returns the names of the columns.
func (t *Table) Names() []string { return t.names }

// Header returns the lines that precede the names, such as "; MaxProcs: 128".
func (t *Table) Header() workload.Header { return t.header }

// Read yields the given columns, a batch of rows at a time. It can be used once. Errors
// are as those of ReadTable.
func (t *Table) Read(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		var missing *workload.InputError
		t.columns = columns
		if t.at, missing = workload.FindTableColumns(columns, t.names); missing != nil {
			missing.File, missing.Line = t.file, t.lines
			yield(nil, missing)
			return
		}
		workers, cutter := t.workers, t.cutter
		chunks := func(yield func(csvChunk, error) bool) {
			for chunk, err := t.first, error(nil); err != io.EOF && yield(chunk, err) && err == nil; {
				chunk, err = cutter.next()
			}
		}
		decode := func(chunk csvChunk) (*tableChunk, error) {
			text := string(chunk.text)
			if chunk.recycle {
				cutter.lines.Recycle(chunk.text)
			}
			return t.decode(text)
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
			t.used.Put(c)
		}
	}
}

// Table is an open table, of which the header line has been read.
type Table struct {
	file      string
	header    workload.Header
	names     []string
	columns   []workload.TableColumn // that are read
	at        []int                  // the field of each, or -1
	separator byte
	workers   int
	cutter    *csvCutter
	first     csvChunk // what follows the names in their chunk
	lines     int64    // of the chunks before

	used sync.Pool // of *tableChunk, whose memory serves again
}

// maxCSVColumns bounds the columns of a table.
const maxCSVColumns = 10_000

// tableChunk is the rows of a piece of text.
type tableChunk struct {
	rows   workload.TableRows
	lineOf []int64 // of each row, within the chunk
	lines  int64
}

// skipHeader takes the lines of a header, which have the form of SWF's, from a text. Other
// lines with a semicolon in front are names: the first column may have none.
func (t *Table) skipHeader(text []byte) []byte {
	for {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		line, ok := bytes.CutPrefix(bytes.TrimSuffix(line, []byte{'\r'}), []byte("; "))
		if h := (workload.Header{Lines: []string{" " + string(line)}}); !ok || len(h.Fields()) == 0 {
			return text
		}
		t.header.Lines = append(t.header.Lines, " "+string(line))
		t.lines++
		text = rest
	}
}

// head reads the header and the names of the columns.
func (t *Table) head() error {
	for {
		chunk, err := t.cutter.next()
		if err == io.EOF {
			return t.fault(0, "", "no names of columns", "a first line with them")
		}
		if err != nil {
			return err
		}
		chunk.text = t.skipHeader(chunk.text)
		line, _, _ := bytes.Cut(bytes.TrimLeft(chunk.text, "\r\n"), []byte{'\n'})
		t.separator = csvSeparator(line)
		r := newCSVRecords(string(chunk.text), t.separator)
		ok, fault := r.next()
		t.lines += r.line
		if fault != nil {
			return t.fault(t.lines-r.line+fault.line, "", fault.saw, fault.want)
		}
		if !ok {
			continue
		}
		if len(r.fields) > maxCSVColumns {
			return t.fault(t.lines, "", fmt.Sprintf("%d columns", len(r.fields)), fmt.Sprintf("at most %d", maxCSVColumns))
		}
		for i := range r.fields {
			f := strings.Clone(strings.TrimSpace(r.field(i)))
			if want := parse.CheckText([]byte(f)); want != "" {
				return t.fault(t.lines, "columns", workload.Shorten([]byte(f)), want)
			}
			t.names = append(t.names, f)
		}
		t.first = csvChunk{text: chunk.text[r.pos:]}
		return nil
	}
}

func (t *Table) fault(line int64, field, saw, want string) error {
	return &workload.InputError{File: t.file, Line: line, Field: field, Saw: saw, Want: want}
}

// chunk returns an empty chunk, for as many rows as a text may have.
func (t *Table) chunk(rows int) *tableChunk {
	c, _ := t.used.Get().(*tableChunk)
	if c == nil {
		c = &tableChunk{rows: workload.TableRows{Columns: make([]workload.TableValues, len(t.columns))}}
	}
	c.rows.File, c.rows.Rows, c.lines = t.file, 0, 0
	c.lineOf = slices.Grow(c.lineOf[:0], rows)
	for i := range c.rows.Columns {
		v := &c.rows.Columns[i]
		v.Whole, v.Number, v.Spans, v.Odd = v.Whole[:0], v.Number[:0], v.Spans[:0], nil
		if t.at[i] >= 0 && t.columns[i].Kind == workload.TableText {
			v.Spans = slices.Grow(v.Spans, max(rows, 1))
		}
	}
	return c
}

// decode reads the rows of a chunk, whose texts are parts of it.
func (t *Table) decode(text string) (*tableChunk, error) {
	c := t.chunk(min(strings.Count(text, "\n"), 1+len(text)/max(2*len(t.names), 1)))
	r := newCSVRecords(text, t.separator)
	for {
		ok, fault := r.next()
		if fault != nil {
			return nil, t.fault(fault.line, "", fault.saw, fault.want)
		}
		if !ok {
			c.lines = r.line
			piece := r.piece()
			for i := range c.rows.Columns {
				c.rows.Columns[i].Piece = piece
			}
			return c, nil
		}
		if len(r.fields) != len(t.names) {
			return nil, t.fault(r.at, "", words.Counted(len(r.fields), "field"), fmt.Sprintf("%d, as in the first line", len(t.names)))
		}
		for i, at := range t.at {
			if at < 0 {
				continue
			}
			if t.columns[i].Kind == workload.TableText {
				c.rows.Columns[i].Spans = append(c.rows.Columns[i].Spans, r.trimmed(at))
				continue
			}
			field := r.field(at)
			if want := addValue(&c.rows.Columns[i], t.columns[i].Kind, []byte(strings.TrimSpace(field))); want != "" {
				return nil, t.fault(r.at, t.columns[i].Name, workload.Shorten([]byte(field)), want)
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

// Columns returns the names in the header line of a table. head is the beginning of its
// text; if that contains no complete header line, Columns returns nil.
func Columns(head []byte) []string {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), "\r\n")
	end := bytes.IndexByte(head, '\n')
	if end < 0 || bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	r := newCSVRecords(string(head[:end+1]), csvSeparator(head[:end]))
	if ok, fault := r.next(); !ok || fault != nil {
		return nil
	}
	names := make([]string, len(r.fields))
	for i := range r.fields {
		names[i] = strings.TrimSpace(r.field(i))
	}
	return names
}
