package mapping

import (
	"bytes"
	"fmt"
	"io"

	"github.com/loadstone-hpc/loadstone/internal/par"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// lineTable is a table without a line of names: one row a line, with blanks or a
// separator between the fields. Lines that begin with ; or # are comments.
type lineTable struct {
	file    string
	r       io.Reader
	mapping *Mapping
	workers int
}

func lineSource(name string, r io.Reader, m *Mapping, o workload.Options) *source {
	t := &lineTable{file: name, r: r, mapping: m, workers: par.Workers(o.Workers)}
	s := &source{name: name, read: t.read}
	for _, field := range m.Fields {
		s.columns = append(s.columns, workload.FileColumn{Name: field, Kind: workload.TableText})
	}
	return s
}

func (t *lineTable) read(columns []workload.TableColumn) workload.Table {
	decode := func(c textChunk) (*chunkRows, error) { return t.decode(c, columns) }
	return tableOf(t.workers, lineChunks(t.file, t.r, t.workers), decode, new(workload.Warnings))
}

func (t *lineTable) decode(c textChunk, columns []workload.TableColumn) (*chunkRows, error) {
	d := &chunkRows{rows: workload.TableRows{File: t.file, Columns: make([]workload.TableValues, len(columns))}}
	texts := make([]parse.TextList, len(columns))
	at := make([]int, len(columns))
	for i, c := range columns {
		for k, name := range t.mapping.Fields {
			if name == c.Name {
				at[i] = k
			}
		}
	}
	line := c.line
	for text := range bytes.Lines(c.text) {
		line++
		fields := t.mapping.split(text)
		if fields == nil {
			continue
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return nil, parse.NotText(t.file, line, text)
		}
		if len(fields) != len(t.mapping.Fields) {
			return nil, &workload.InputError{File: t.file, Line: line, Saw: words.Counted(len(fields), "field"), Want: fmt.Sprintf("%d, as the mapping %s has them", len(t.mapping.Fields), t.mapping.Name)}
		}
		for i := range texts {
			texts[i].Add(fields[at[i]])
		}
		d.lines = append(d.lines, line)
		d.rows.Rows++
	}
	for i := range texts {
		d.rows.Columns[i].Text = texts[i].Strings()
	}
	return d, nil
}

// split takes a line apart; nil is a comment or a blank line.
func (m *Mapping) split(line []byte) [][]byte {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0 || line[0] == ';' || line[0] == '#':
		return nil
	case m.Separator == "":
		return bytes.Fields(line)
	}
	return bytes.Split(line, []byte(m.Separator))
}

// firstFits reports whether the first row of a text has the fields of a mapping without a
// line of names.
func (m *Mapping) firstFits(head []byte) bool {
	for line := range bytes.Lines(head) {
		if fields := m.split(line); fields != nil {
			return len(fields) == len(m.Fields)
		}
	}
	return false
}

// fits reports whether the first lines of a text are rows of a mapping without a line of
// names: each has its fields, and their values are what the mapping says.
func (m *Mapping) fits(head []byte) bool {
	const most = 50 // lines
	end := bytes.LastIndexByte(head, '\n') + 1
	var lines int
	var text []byte
	for line := range bytes.Lines(head[:end]) {
		if fields := m.split(line); fields == nil {
			continue
		} else if len(fields) != len(m.Fields) {
			return false
		}
		text = append(text, line...)
		if lines++; lines == most {
			break
		}
	}
	if lines == 0 {
		return false
	}
	l, err := open(m, lineSource("", bytes.NewReader(text), m, workload.Options{Workers: 1}), workload.Options{Workers: 1})
	if err != nil {
		return false
	}
	defer l.Close()
	for _, err := range l.Batches() {
		if err != nil {
			return false
		}
	}
	return true
}
