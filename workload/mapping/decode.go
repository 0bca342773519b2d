package mapping

import (
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zone names must mean the same on every machine

	"github.com/loadstone-hpc/loadstone/workload"
)

// decode reads a mapping. Errors are *InputError, with the line and the path of
// the value.
func decode(file string, data []byte) (*Mapping, error) {
	root, err := tree(file, data)
	if err != nil {
		return nil, err
	}
	if err := root.only("schema", "name", "title", "source", "tried", "time_zone", "header", "exactly", "among", "places", "other_tables", "fields", "separator", "records", "columns", "left_out"); err != nil {
		return nil, err
	}
	if s := root.members["schema"]; s == nil || s.text != Schema {
		at, saw := root, "no schema"
		if s != nil {
			at, saw = s, s.says()
		}
		return nil, &workload.InputError{File: file, Line: at.line, Field: "schema", Saw: saw, Want: strconv.Quote(Schema)}
	}
	m := &Mapping{}
	for _, x := range []struct {
		key string
		to  *string
	}{{"name", &m.Name}, {"title", &m.Title}, {"source", &m.Source}, {"tried", &m.Tried}, {"time_zone", &m.Zone}, {"separator", &m.Separator}} {
		if *x.to, err = root.string(x.key); err != nil {
			return nil, err
		}
	}
	if m.Zone != "" {
		if _, err := time.LoadLocation(m.Zone); err != nil || m.Zone == "Local" {
			return nil, root.members["time_zone"].fault(strconv.Quote(m.Zone), "a name such as Europe/Zurich")
		}
	}
	if m.Exactly, err = root.strings("exactly"); err != nil {
		return nil, err
	}
	if m.Among, err = root.choices("among"); err != nil {
		return nil, err
	}
	if m.Places, err = root.strings("places"); err != nil {
		return nil, err
	}
	if err := m.decodeOthers(root); err != nil {
		return nil, err
	}
	if m.Fields, err = root.strings("fields"); err != nil {
		return nil, err
	}
	if at := root.members["separator"]; at != nil && m.Fields == nil {
		return nil, at.fault(at.says(), "none without fields: the line of names shows it")
	}
	header, err := root.pairs("header")
	if err != nil {
		return nil, err
	}
	for _, pair := range header {
		var h workload.Header
		for text := range strings.SplitSeq(pair[1], "\n") {
			line := [2]string{pair[0], workload.OneLine(text)}
			h.Add(line[0], line[1])
			m.Header = append(m.Header, line)
		}
		if len(h.All(pair[0])) != len(h.Lines) {
			return nil, root.members["header"].fault(strconv.Quote(pair[0]), "the name of a line of the header, such as MaxProcs")
		}
		if headerFault(&h) != "" {
			at := root.members["header"].members[pair[0]]
			return nil, at.fault(at.says(), "a whole number")
		}
	}
	if m.LeftOut, err = root.pairs("left_out"); err != nil {
		return nil, err
	}
	for i := range m.LeftOut {
		m.LeftOut[i][1] = workload.OneLine(m.LeftOut[i][1])
	}
	return m, m.decodeColumns(root)
}

// headerNumbers are lines of the header that other commands compute with.
var headerNumbers = []string{"UnixStartTime", "MaxProcs", "MaxNodes", "MaxRuntime", "MaxMemory", workload.MaxGPUs, workload.MaxNodeMemory}

// headerFault returns the keyword of the first of them that has no number; "" for none.
func headerFault(h *workload.Header) string {
	for _, key := range headerNumbers {
		if _, ok := h.Int(key); !ok && len(h.All(key)) > 0 {
			return key
		}
	}
	return ""
}

// pairs reads an object of texts, in its order.
func (n *node) pairs(key string) ([][2]string, error) {
	m := n.members[key]
	if m == nil {
		return nil, nil
	}
	if m.kind != isObject {
		return nil, m.fault(m.says(), isObject)
	}
	var all [][2]string
	for _, k := range m.keys {
		text, err := m.string(k)
		if err != nil {
			return nil, err
		}
		all = append(all, [2]string{k, text})
	}
	return all, nil
}

func (m *Mapping) decodeColumns(root *node) error {
	columns := root.members["columns"]
	if columns == nil {
		return &workload.InputError{File: root.file, Line: root.line, Field: "columns", Saw: "no such key", Want: "the columns of the job table and what they are made of"}
	}
	if columns.kind != isObject || len(columns.keys) == 0 {
		return columns.fault(columns.says(), "an object with a key for each column of the job table")
	}
	for _, key := range columns.keys {
		n := columns.members[key]
		t, ok := findTarget(key)
		if !ok {
			return n.fault(strconv.Quote(key), "a column of the job table: "+list(targetsLike(key)))
		}
		alternatives := []*node{n}
		if n.kind == isList && len(n.items) > 0 {
			alternatives = n.items
		}
		for _, n := range alternatives {
			e, err := decodeEntry(n, t)
			if err != nil {
				return err
			}
			m.entries = append(m.entries, *e)
		}
	}
	if err := m.check(columns); err != nil {
		return err
	}
	return m.sort(columns)
}

func targetNames() []string {
	var names []string
	for t := range targets {
		names = append(names, t.String())
	}
	return names
}

// targetsLike returns the targets that a key could stand for, such as requested_gpus for
// "gpus" or run_time_s for "runtime": all where none is like it.
func targetsLike(key string) []string {
	plain := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "") }
	all := targetNames()
	like := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
		return len(key) < 3 || !strings.Contains(plain(name), plain(key))
	})
	if len(like) == 0 {
		return all
	}
	return like
}

// list joins names for a message.
func list[T ~string](names []T) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = string(name)
	}
	return strings.Join(all, ", ")
}
