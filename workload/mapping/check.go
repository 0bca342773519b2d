package mapping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// check looks at the entries together.
func (m *Mapping) check(columns *node) error {
	for _, pair := range [][2]target{{workload.ColSubmitTime, toInterarrival}, {workload.ColWaitTime, toStart}, {workload.ColRunTime, toEnd}} {
		if a, b := m.entry(pair[0]), m.entry(pair[1]); pair[1] == toInterarrival && a != nil && b != nil {
			return columns.members[b.target.String()].fault("an entry and also "+a.target.String(), "one of them: each gives the submissions")
		}
	}
	for i := range m.entries {
		e := &m.entries[i]
		at := columns.members[e.target.String()]
		for _, o := range e.operands {
			if o.entry == "" {
				continue
			}
			t, ok := findTarget(o.entry)
			of := m.entry(t)
			switch {
			case !ok || of == nil:
				return at.fault(fmt.Sprintf("the entry %q", o.entry), "an entry of this mapping: "+list(m.targets()))
			case of.form == formName || of.form == formRow || of.form == formStatus:
				return at.fault(fmt.Sprintf("the entry %q, which is no number", o.entry), "one of numbers")
			case of.target.moment() && !e.betweenMoments(m):
				return at.fault(fmt.Sprintf("the entry %q, which is a point in time", o.entry), "one of numbers: start_time_s and end_time_s give wait and run time")
			}
		}
	}
	for _, x := range m.LeftOut {
		for i := range m.entries {
			if slices.Contains(m.entries[i].columns(), x[0]) {
				return &workload.InputError{File: columns.file, Line: columns.line, Field: "left_out." + x[0], Saw: "a column that " + m.entries[i].target.String() + " is made of", Want: "one that has no place"}
			}
		}
	}
	return nil
}

// sort puts each entry after those that it is computed from.
func (m *Mapping) sort(columns *node) error {
	var sorted []entry
	done := map[*entry]bool{}
	var visit func(e *entry, above []string) error
	visit = func(e *entry, above []string) error {
		name := e.target.String()
		if at := slices.Index(above, name); at >= 0 {
			return columns.members[above[at]].fault("a cycle: "+strings.Join(append(above[at:], name), " of "), "entries that do not need each other")
		}
		if done[e] {
			return nil
		}
		for _, o := range e.operands {
			for i := range m.entries {
				if below := &m.entries[i]; below.target.String() == o.entry {
					if err := visit(below, append(slices.Clone(above), name)); err != nil {
						return err
					}
				}
			}
		}
		done[e] = true
		sorted = append(sorted, *e)
		return nil
	}
	for i := range m.entries {
		if err := visit(&m.entries[i], nil); err != nil {
			return err
		}
	}
	m.entries = sorted
	return nil
}

// betweenMoments reports that an entry is the length of time between two others.
func (e *entry) betweenMoments(m *Mapping) bool {
	return e.operator == "minus" && e.target.unit() == "s" && !slices.ContainsFunc(e.operands, func(o operand) bool {
		t, ok := findTarget(o.entry)
		return !ok || !t.moment()
	})
}

// entry returns the first entry of a target, or nil.
func (m *Mapping) entry(t target) *entry {
	for i := range m.entries {
		if m.entries[i].target == t {
			return &m.entries[i]
		}
	}
	return nil
}

func (m *Mapping) targets() []string {
	var names []string
	for i := range m.entries {
		names = append(names, m.entries[i].target.String())
	}
	return names
}

// columns are the file's columns that an entry can be made of.
func (e *entry) columns() []string {
	var all []string
	for _, o := range e.operands {
		all = append(all, o.columns...)
	}
	return all
}
