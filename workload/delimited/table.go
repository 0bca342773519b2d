package delimited

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// ReadTable yields the given columns of a CSV table that does not hold jobs, a batch of rows at a
// time. name identifies the table in messages. Empty fields and words for missing values, such as
// NA, are unknown. If a field of a numeric column is not a number, the error is a
// *workload.InputError with its line.
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

// Open opens a table and reads its header line. name identifies the table in messages. At most
// workers goroutines decode the rows (0 means one per processor), in chunks of about chunk bytes (0
// means the default size).
func Open(name string, r io.Reader, workers, chunk int) (*Table, error) {
	workers = par.Workers(workers)
	if chunk == 0 {
		chunk = parse.ChunkSize
	}
	t := &Table{file: name, workers: workers}
	t.lines = parse.NewLines(name, r, chunk, 2*workers+2)
	t.lines.Cut = recordsEnd
	return t, t.head()
}

// Names returns the names of the columns.
func (t *Table) Names() []string { return t.names }

// Header returns the lines that precede the names, such as "; MaxProcs: 128", which the Python
// package writes.
func (t *Table) Header() workload.Header { return t.header }

// Read yields the given columns, a batch of rows at a time. It can be used once. Errors
// are as those of ReadTable.
func (t *Table) Read(columns []workload.TableColumn) workload.Table {
	return func(yield func(*workload.TableRows, error) bool) {
		var missing *workload.InputError
		t.columns = columns
		if t.at, missing = workload.FindTableColumns(columns, t.names); missing != nil {
			missing.File, missing.Line = t.file, t.before
			yield(nil, missing)
			return
		}
		Decode(t.workers, t.before, t.lines.Chunks, t.decode, nil)(yield)
	}
}

// Table is an open table whose header line has been read.
type Table struct {
	file      string
	header    workload.Header
	names     []string
	columns   []workload.TableColumn // columns to read
	at        []int                  // index of the field of each, or -1
	separator byte
	workers   int
	lines     *parse.Lines
	before    int64 // lines before the rows
}

// maxCSVColumns is the largest number of columns of a table.
const maxCSVColumns = 10_000

// isHeader reports whether a line has the form of an SWF header line. Other lines that begin with a
// semicolon hold the names of columns: the first name may be empty.
func isHeader(line []byte) bool {
	text, ok := strings.CutPrefix(string(line), ";")
	h := workload.Header{Lines: []string{text}}
	return ok && strings.HasPrefix(text, " ") && len(h.Fields()) > 0
}

// head reads the header and the names of the columns.
func (t *Table) head() (err error) {
	if t.header.Lines, t.before, err = t.lines.Header(isHeader); err != nil {
		return err
	}
	chunk, err := t.lines.Next()
	if err == io.EOF {
		return t.fault(0, "", "no column names", "a header line with the column names")
	}
	if err == nil {
		err = parse.CheckBinary(t.file, chunk)
	}
	if err != nil {
		return parse.AtLine(err, t.before)
	}
	line, _, _ := bytes.Cut(chunk, []byte{'\n'})
	t.separator = csvSeparator(line)
	r := newRecords(t.file, string(chunk), t.separator)
	if err := r.next(); err != nil {
		return parse.AtLine(err, t.before)
	}
	rest := chunk[len(chunk)-len(r.remaining()):]
	t.before += int64(bytes.Count(chunk, []byte{'\n'}) - bytes.Count(rest, []byte{'\n'}))
	if len(r.fields) > maxCSVColumns {
		return t.fault(t.before, "", fmt.Sprintf("%d columns", len(r.fields)), fmt.Sprintf("at most %d", maxCSVColumns))
	}
	for _, f := range r.fields {
		f = strings.Clone(strings.TrimSpace(f))
		if want := parse.CheckText([]byte(f)); want != "" {
			return t.fault(t.before, "columns", workload.Shorten([]byte(f)), want)
		}
		t.names = append(t.names, f)
	}
	t.lines.Unread(rest)
	t.lines.Recycle(chunk)
	return nil
}

func (t *Table) fault(line int64, field, saw, want string) error {
	return &workload.InputError{File: t.file, Line: line, Field: field, Saw: saw, Want: want}
}

// decode reads the rows of a chunk and recycles the chunk.
func (t *Table) decode(chunk []byte) (*Rows, error) {
	if err := parse.CheckBinary(t.file, chunk); err != nil {
		return nil, err
	}
	text := string(chunk)
	t.lines.Recycle(chunk)
	length := strings.Count(text, "\n")
	rows := NewRows(t.file, len(t.columns), min(length, 1+len(text)/max(2*len(t.names), 1)), len(text))
	rows.Length = int64(length)
	for i, at := range t.at {
		if at < 0 || t.columns[i].Kind != workload.TableText {
			rows.Columns[i].Spans = nil
		}
	}
	r := newRecords(t.file, text, t.separator)
	for {
		switch err := r.next(); {
		case err == io.EOF:
			return rows, nil
		case err != nil:
			return nil, err
		case len(r.fields) != len(t.names):
			return nil, t.fault(r.line, "", words.Counted(len(r.fields), "field"), fmt.Sprintf("%d, as in the first line", len(t.names)))
		}
		for i, at := range t.at {
			if at < 0 {
				continue
			}
			if want := rows.addValue(i, t.columns[i].Kind, strings.TrimSpace(r.fields[at])); want != "" {
				return nil, t.fault(r.line, t.columns[i].Name, workload.Shorten([]byte(r.fields[at])), want)
			}
		}
		rows.end(r.line)
	}
}

// Columns returns the names in the header line of a table. head is the beginning of its
// text; if that contains no complete header line, Columns returns nil.
func Columns(head []byte) []string {
	whole := head[:bytes.LastIndexByte(head, '\n')+1]
	t, err := Open("", bytes.NewReader(whole), 1, 0)
	if err != nil {
		return nil
	}
	return t.names
}

// addValue adds the value of a field to a column. want is "" or describes a valid value.
func (r *Rows) addValue(column int, kind workload.TableKind, text string) (want string) {
	if kind == workload.TableText {
		r.addText(column, text)
		return ""
	}
	to, field := &r.Columns[column], []byte(text)
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
			x, _ = strconv.ParseFloat(text, 64) // with its sign
		default:
			want = fault
		}
		if fault != "" && to.Odd == nil {
			to.Odd = map[int]string{len(to.Number): text}
		}
		to.Number = append(to.Number, x)
	}
	return want
}
