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
	t.lines = parse.NewLines(name, r, chunk, 2*workers+2)
	t.lines.Cut = recordsEnd
	return t, t.head()
}

// Names returns the names of the columns.
func (t *Table) Names() []string { return t.names }

// Header returns the lines that precede the names, such as "; MaxProcs: 128", which a log in
// Python has.
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
		chunks := func(yield func([]byte, error) bool) {
			for chunk, err := t.first, error(nil); err != io.EOF && yield(chunk, err) && err == nil; {
				chunk, err = t.lines.Next()
			}
		}
		Decode(t.workers, t.before, chunks, t.decode, nil)(yield)
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
	lines     *parse.Lines
	first     []byte // what follows the names in their chunk
	before    int64  // lines before it
}

// maxCSVColumns bounds the columns of a table.
const maxCSVColumns = 10_000

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
		t.before++
		text = rest
	}
}

// head reads the header and the names of the columns.
func (t *Table) head() error {
	for {
		chunk, err := t.lines.Next()
		if err == io.EOF {
			return t.fault(0, "", "no names of columns", "a first line with them")
		}
		if err != nil {
			return err
		}
		if err := t.checkText(chunk); err != nil {
			return err
		}
		chunk = t.skipHeader(chunk)
		line, _, _ := bytes.Cut(bytes.TrimLeft(chunk, "\r\n"), []byte{'\n'})
		t.separator = csvSeparator(line)
		r := newCSVRecords(string(chunk), t.separator)
		ok, fault := r.next()
		t.before += r.line
		if fault != nil {
			return t.fault(t.before-r.line+fault.line, "", fault.saw, fault.want)
		}
		if !ok {
			continue
		}
		if len(r.Fields) > maxCSVColumns {
			return t.fault(t.before, "", fmt.Sprintf("%d columns", len(r.Fields)), fmt.Sprintf("at most %d", maxCSVColumns))
		}
		for _, s := range r.Fields {
			f := strings.Clone(strings.TrimSpace(r.At(s)))
			if want := parse.CheckText([]byte(f)); want != "" {
				return t.fault(t.before, "columns", workload.Shorten([]byte(f)), want)
			}
			t.names = append(t.names, f)
		}
		t.first = chunk[r.pos:]
		return nil
	}
}

func (t *Table) fault(line int64, field, saw, want string) error {
	return &workload.InputError{File: t.file, Line: line, Field: field, Saw: saw, Want: want}
}

// checkText returns an error for binary data.
func (t *Table) checkText(chunk []byte) error {
	at := bytes.IndexByte(chunk, 0)
	if at < 0 {
		return nil
	}
	return parse.NotText(t.file, 0, chunk[bytes.LastIndexByte(chunk[:at], '\n')+1:])
}

// decode reads the rows of a chunk, whose texts are parts of it.
func (t *Table) decode(chunk []byte) (*Rows, error) {
	if err := t.checkText(chunk); err != nil {
		return nil, err
	}
	text := string(chunk)
	t.lines.Recycle(chunk)
	isText := func(i int) bool { return t.at[i] >= 0 && t.columns[i].Kind == workload.TableText }
	rows := NewRows(t.file, len(t.columns), min(strings.Count(text, "\n"), 1+len(text)/max(2*len(t.names), 1)), isText)
	r := newCSVRecords(text, t.separator)
	for {
		ok, fault := r.next()
		if fault != nil {
			return nil, t.fault(fault.line, "", fault.saw, fault.want)
		}
		if !ok {
			break
		}
		if len(r.Fields) != len(t.names) {
			return nil, t.fault(r.at, "", words.Counted(len(r.Fields), "field"), fmt.Sprintf("%d, as in the first line", len(t.names)))
		}
		for i, at := range t.at {
			if at < 0 {
				continue
			}
			v := &rows.Columns[i]
			if isText(i) {
				v.Spans = append(v.Spans, r.trimmed(r.Fields[at]))
				continue
			}
			field := r.At(r.Fields[at])
			if want := addValue(v, t.columns[i].Kind, []byte(strings.TrimSpace(field))); want != "" {
				return nil, t.fault(r.at, t.columns[i].Name, workload.Shorten([]byte(field)), want)
			}
		}
		rows.End(r.at)
	}
	rows.Length = r.line
	rows.Finish(&r.Cells)
	return rows, nil
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
	whole := head[:bytes.LastIndexByte(head, '\n')+1]
	t, err := Open("", bytes.NewReader(whole), 1, 0)
	if err != nil {
		return nil
	}
	return t.names
}
