package mapping

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// otherTable describes a table of a published trace that has no jobs.
type otherTable struct {
	among   [][]string // columns that identify it, as in Mapping.Among
	title   string
	instead string // the table that has the jobs
}

// decodeOthers reads the member "other_tables".
func (m *Mapping) decodeOthers(root *node) (err error) {
	n := root.members["other_tables"]
	if n == nil {
		return nil
	}
	if n.kind != isList {
		return n.fault(n.says(), isList)
	}
	for _, item := range n.items {
		if err := item.only("among", "title", "instead"); err != nil {
			return err
		}
		var t otherTable
		if t.among, err = item.choices("among"); err != nil {
			return err
		}
		if t.title, err = item.string("title"); err != nil {
			return err
		}
		if t.instead, err = item.string("instead"); err != nil {
			return err
		}
		m.others = append(m.others, t)
	}
	return nil
}

// choices reads a list of columns, each a name or a list of its names.
func (n *node) choices(key string) ([][]string, error) {
	m := n.members[key]
	if m == nil {
		return nil, nil
	}
	if m.kind != isList || len(m.items) == 0 {
		return nil, m.fault(m.says(), "a list of columns, each a name or a list of names")
	}
	var all [][]string
	for _, item := range m.items {
		alone := &node{members: map[string]*node{key: item}}
		names, err := alone.strings(key)
		if err != nil {
			return nil, err
		}
		all = append(all, names)
	}
	return all, nil
}

// hasEach reports whether names has at least one name of each column; false for no columns.
func hasEach(columns [][]string, names []string) bool {
	for _, any := range columns {
		if !slices.ContainsFunc(any, func(name string) bool { return slices.Contains(names, name) }) {
			return false
		}
	}
	return len(columns) > 0
}

// published returns the built-in mapping of a Parquet table with the given columns, or nil. It
// returns an error for a known table that has no jobs.
func published(file string, names []string) (*Mapping, error) {
	if m := recognise(names, false); m != nil {
		return m, nil
	}
	for _, m := range builtIn() {
		if hasEach(m.Among, names) {
			return m, nil
		}
	}
	for _, m := range builtIn() {
		for _, t := range m.others {
			if hasEach(t.among, names) {
				return nil, &workload.InputError{File: file, Field: "columns", Saw: t.title, Want: t.instead}
			}
		}
	}
	return nil, nil
}

// openTrace opens the table of jobs in the folder of a published trace. It returns nil if the
// folder is not one.
func openTrace(name, path string, o workload.Options) (*columnar.Source, error) {
	for _, m := range builtIn() {
		for _, place := range m.Places {
			files, err := partsAt(path, place)
			if err != nil {
				return nil, err
			}
			if len(files) == 0 {
				continue
			}
			s, err := columnar.OpenSourceFiles(name, files, o)
			if err != nil || hasEach(m.Among, namesOf(s.Columns())) {
				return s, err
			}
		}
	}
	return nil, nil
}

// partsAt returns the files of a place in a folder, which may be that place itself.
func partsAt(path, place string) ([]string, error) {
	at := filepath.Join(path, filepath.FromSlash(place))
	if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
		return []string{at}, nil
	}
	files, err := columnar.PartFiles(at)
	if len(files) == 0 && (err == nil || os.IsNotExist(err)) && filepath.Base(filepath.Clean(path)) == filepath.Base(place) {
		at = path
		files, err = columnar.PartFiles(at)
	}
	if err != nil {
		return nil, parse.InputFault(at, err)
	}
	return files, nil
}
