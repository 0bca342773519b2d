package mapping

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// joinedTable is a second table, in a file next to the first. Its row with the same key
// adds columns to a row of the first, with "job." before their names.
type joinedTable struct {
	file   string   // its name
	fields []string // its columns; it has no line of names
	on     string   // the key, in both
}

const (
	joinedPrefix = "job."
	// maxJoined bounds the rows of a second table, which is kept in memory.
	maxJoined = 8 << 20
)

// join adds the columns of the second table to a source.
func (m *Mapping) join(s *source, o workload.Options) {
	first := s.read
	for _, field := range m.Join.fields {
		s.columns = append(s.columns, workload.FileColumn{Name: joinedPrefix + field, Kind: workload.TableText})
	}
	s.read = func(columns []workload.TableColumn) workload.Table {
		return func(yield func(*workload.TableRows, error) bool) {
			var own []workload.TableColumn // of the first table
			var more []string              // fields of the second
			at := make([]int, len(columns))
			for i, c := range columns {
				if field, ok := strings.CutPrefix(c.Name, joinedPrefix); ok {
					at[i], more = -1-len(more), append(more, field)
				} else {
					at[i], own = len(own), append(own, c)
				}
			}
			key := slices.IndexFunc(own, func(c workload.TableColumn) bool { return c.Name == m.Join.on })
			if key < 0 {
				key, own = len(own), append(own, workload.TableColumn{Name: m.Join.on, Kind: workload.TableText})
			}
			rows, err := m.joined(s.name, more, o)
			if err != nil {
				yield(nil, err)
				return
			}
			for t, err := range first(own) {
				if err == nil {
					t.Columns = joinRows(t, at, key, rows)
				}
				if !yield(t, err) || err != nil {
					return
				}
			}
		}
	}
}

// joinRows combines the requested columns of both tables.
func joinRows(t *workload.TableRows, at []int, key int, rows map[string][]string) []workload.TableValues {
	columns := make([]workload.TableValues, len(at))
	for i, k := range at {
		if k >= 0 {
			columns[i] = t.Columns[k]
			continue
		}
		texts := make([]string, t.Rows)
		for row, name := range t.Columns[key].Text {
			if values := rows[name]; values != nil {
				texts[row] = values[-1-k]
			}
		}
		columns[i].Text = texts
	}
	return columns
}

// joined reads the fields of the second table, by their keys.
func (m *Mapping) joined(name string, fields []string, o workload.Options) (map[string][]string, error) {
	path := filepath.Join(filepath.Dir(name), m.Join.file)
	if name == "-" {
		path = m.Join.file
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &workload.InputError{File: path, Want: fmt.Sprintf("the table that the mapping %s joins to %s", m.Name, filepath.Base(name)), Err: err}
	}
	defer f.Close()
	second := &Mapping{Name: m.Name, Fields: m.Join.fields, Separator: m.Separator}
	columns := []workload.TableColumn{{Name: m.Join.on, Kind: workload.TableText}}
	for _, field := range fields {
		columns = append(columns, workload.TableColumn{Name: field, Kind: workload.TableText})
	}
	rows, texts := map[string][]string{}, map[string]string{}
	intern := func(text string) string {
		if _, ok := texts[text]; !ok {
			texts[strings.Clone(text)] = strings.Clone(text)
		}
		return texts[text]
	}
	for t, err := range lineSource(path, f, second, o).read(columns) {
		if err != nil {
			return nil, err
		}
		for i := range t.Rows {
			key, values := t.Columns[0].Text[i], make([]string, len(fields))
			for k := range values {
				values[k] = intern(t.Columns[k+1].Text[i])
			}
			if rows[key] != nil {
				return nil, t.Fault(i, m.Join.on, workload.Shorten([]byte(key))+" twice", "it once")
			}
			rows[strings.Clone(key)] = values
		}
		if len(rows) > maxJoined {
			return nil, &workload.InputError{File: path, Saw: fmt.Sprintf("more than %d rows", maxJoined), Want: "fewer: they are kept in memory"}
		}
	}
	return rows, nil
}

// decodeJoin reads the member that describes a second table.
func (m *Mapping) decodeJoin(root *node) (err error) {
	n := root.members["join"]
	if n == nil {
		return nil
	}
	if err := n.only("file", "fields", "on"); err != nil {
		return err
	}
	if m.Fields == nil {
		return n.fault("a second table", "it next to fields")
	}
	j := &joinedTable{}
	if j.file, err = n.string("file"); err != nil {
		return err
	}
	if j.fields, err = n.strings("fields"); err != nil {
		return err
	}
	if j.on, err = n.string("on"); err != nil {
		return err
	}
	switch {
	case j.file == "" || j.file != filepath.Base(j.file):
		return n.fault(workload.Shorten([]byte(j.file)), "the name of a file in the same folder as the table")
	case !slices.Contains(j.fields, j.on) || !slices.Contains(m.Fields, j.on):
		return n.fault(workload.Shorten([]byte(j.on)), "a field of both tables: "+parse.QuoteNames(j.fields))
	}
	m.Join = j
	return nil
}
