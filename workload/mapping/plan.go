package mapping

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// plan is a mapping matched with the columns of one file.
type plan struct {
	mapping *Mapping
	file    string
	columns []workload.TableColumn // columns to read
	fields  [targets]*field        // nil for targets that the file has no columns for
	order   []*field               // each after the fields that it is computed from
	lacks   [targets]string        // a column of the target's entries that the file lacks; "" for none
	zone    *time.Location
	start   int64 // the log's second 0, s since 1970
}

// field is a target that the file has columns for.
type field struct {
	target
	ways []way // a row's value is from the first that yields a known one
}

// way is an entry whose columns are in the file.
type way struct {
	*Entry
	form    valueForm
	lenient bool // texts among the numbers are warned of, instead of an error
	at      operand
	with    []step // operations on the value at at
}

// valueForm is the form in which the values of a column are read. For moments, users and the like,
// and job IDs, it is found from the types of the columns or from the first rows.
type valueForm uint8

const (
	asNumber valueForm = iota // a number; a duration such as 1-02:03:04, memory such as 16G
	asDate                    // a date and time of day
	asName                    // a text that names something
	asStatus                  // a word for a status
	asRow                     // any text: jobs are numbered by row
)

// step is an arithmetic operation on a value.
type step struct {
	operator string
	name     string // of the operand, in the mapping
	inUnit   bool   // the operand is in the unit of the value
	operand
}

// operand is a column of the file, another field or a number.
type operand struct {
	column int // -1 for none
	field  *field
	number float64 // NaN for none
}

// isComputed reports whether the field is computed from other fields.
func (f *field) isComputed() bool {
	return slices.ContainsFunc(f.ways, func(w way) bool {
		return w.at.field != nil || slices.ContainsFunc(w.with, func(s step) bool { return s.field != nil })
	})
}

// newPlan matches the mapping with the columns of a file. It warns in w of missing columns and of
// columns that are left out.
func newPlan(m *Mapping, s *source, w *workload.Warnings) (*plan, error) {
	p := &plan{mapping: m, file: s.name}
	var names []string
	for _, c := range s.columns {
		names = append(names, strings.TrimSpace(c.Name))
	}
	j := &joiner{plan: p, columns: s.columns, names: names}
	for t := range targets {
		if err := j.join(t); err != nil {
			return nil, err
		}
	}
	if len(p.order) == 0 && j.unread == nil {
		return nil, &workload.InputError{File: p.file, Field: "columns", Saw: parse.QuoteNames(names), Want: "the columns of the mapping " + m.Name}
	}
	for t, lacks := range p.lacks {
		// The start and the end are not needed if the table has the wait and the run time.
		replaced := target(t) == toStart && p.has(workload.ColWaitTime) || target(t) == toEnd && p.has(workload.ColRunTime)
		if lacks != "" && !p.has(target(t)) && !replaced {
			w.Add("missing-column", "columns of the mapping that the file does not have: their values are unknown", 0, lacks)
		}
	}
	if len(m.aliased) > 0 {
		w.Count(workload.Warning{Rule: "other-name", Text: "columns read under other names", Count: int64(len(m.aliased)), Saw: strings.Join(m.aliased, ", "), SawAll: true})
	}
	left := slices.DeleteFunc(names, j.isUsed)
	p.warnOfLacks(left, w)
	if len(left) > 0 && !s.namesColumns {
		w.Count(workload.Warning{Rule: "unmapped-column", Text: "columns left out, as no column of the job table is read from them", Count: int64(len(left)), Saw: parse.QuoteNames(left), SawAll: true})
	}
	return p, nil
}

// joiner builds the fields of a plan.
type joiner struct {
	*plan
	columns []workload.FileColumn
	names   []string // of columns
	unread  []string // names of columns that have no values
	joining []target // targets whose fields are being built, to detect cycles
	joined  [targets]bool
}

// isUsed reports whether a column of the file is used.
func (j *joiner) isUsed(name string) bool {
	return slices.Contains(j.unread, name) || slices.ContainsFunc(j.plan.columns, func(c workload.TableColumn) bool { return c.Name == name })
}

// join builds the field of a target from the entries whose columns the file has.
func (j *joiner) join(t target) error {
	if slices.Contains(j.joining, t) {
		return &workload.InputError{File: j.file, Field: t.String(), Saw: fmt.Sprintf("a column that the mapping %s computes from itself", j.mapping.Name), Want: "entries that do not need each other"}
	}
	entries := j.mapping.entries[t]
	if j.joined[t] || entries == nil {
		return nil
	}
	j.joining = append(j.joining, t)
	f := &field{target: t}
	optional := false
	var lacks string
	for i := range entries {
		w := way{Entry: &entries[i], lenient: (j.mapping.byNames || j.mapping.written) && t < workload.NumColumns && t >= workload.FirstOptional}
		missing, err := j.operands(f, &w)
		if err != nil {
			return err
		}
		switch {
		case missing == "":
			f.ways = append(f.ways, w)
		case slices.Contains(j.unread, missing):
			optional = true
		default:
			lacks, optional = missing, optional || w.Optional
		}
	}
	j.joining, j.joined[t] = j.joining[:len(j.joining)-1], true
	switch {
	case f.ways != nil:
		j.fields[t] = f
		j.order = append(j.order, f)
	case !optional:
		return &workload.InputError{File: j.file, Field: "columns", Saw: parse.QuoteNames(j.names),
			Want: fmt.Sprintf("%q, from which the mapping %s reads %s", lacks, j.mapping.Name, t)}
	}
	j.lacks[t] = lacks
	return nil
}

// operands finds the columns, fields and numbers that a way is computed from. missing is the name
// of one that does not exist.
func (j *joiner) operands(f *field, w *way) (missing string, err error) {
	w.at = operand{column: -1, number: math.NaN()}
	if w.Value != nil {
		w.at.number = *w.Value
	} else if w.at, missing, err = j.operand(f, w.Column); missing != "" || err != nil {
		return missing, err
	}
	for _, step := range w.steps() {
		if step.operand, missing, err = j.operand(f, []string{step.name}); missing != "" {
			x, want := parse.Number([]byte(step.name))
			if want != "" {
				return missing, nil
			}
			step.number = x
		}
		if err != nil {
			return "", err
		}
		w.with = append(w.with, step)
	}
	return "", nil
}

// operand finds the first of names among the file's columns, or else among the targets of the
// mapping. missing is the name of a column that does not exist or has no values.
func (j *joiner) operand(f *field, names []string) (o operand, missing string, err error) {
	o = operand{column: -1, number: math.NaN()}
	for _, name := range names {
		if i := slices.Index(j.names, name); i >= 0 {
			if j.columns[i].Empty {
				j.unread = append(j.unread, name)
				return o, name, nil
			}
			o.column, err = j.column(f, j.columns[i])
			return o, "", err
		}
	}
	for _, name := range names {
		t, ok := findTarget(name)
		if !ok || j.mapping.entries[t] == nil || t == f.target {
			continue
		}
		if err := j.join(t); err != nil {
			return o, "", err
		}
		if o.field = j.fields[t]; o.field != nil {
			return o, "", nil
		}
		return o, j.lacks[t], nil
	}
	return o, names[0], nil
}

// column returns the index of c among the columns to read, and adds it if it is new.
func (j *joiner) column(f *field, c workload.FileColumn) (int, error) {
	name, saw, want := strings.TrimSpace(c.Name), c.Kind.String(), ""
	switch {
	case c.Nested:
		saw, want = c.Type, "numbers, times or (in Parquet) texts, one a row"
	case c.Kind.IsTime() && !f.isMoment():
		want = "no times"
	}
	if want != "" {
		return 0, &workload.InputError{File: j.file, Field: name, Saw: saw, Want: want + " for " + f.target.String()}
	}
	i := slices.IndexFunc(j.plan.columns, func(c workload.TableColumn) bool { return c.Name == name })
	if i < 0 {
		i = len(j.plan.columns)
		j.plan.columns = append(j.plan.columns, workload.TableColumn{Name: name, Kind: c.Kind})
	}
	return i, nil
}

// has reports whether a target is mapped.
func (p *plan) has(t target) bool { return p.fields[t] != nil }

// column returns the first column that a target is read from, and whether there is one.
func (p *plan) column(t target) (workload.TableColumn, bool) {
	if f := p.fields[t]; f != nil && f.ways[0].at.column >= 0 {
		return p.columns[f.ways[0].at.column], true
	}
	return workload.TableColumn{}, false
}

// warnOfLacks warns if a table that is read by column names lacks submission times or processors,
// but has other columns that may supply them. left are the columns that nothing is read from.
func (p *plan) warnOfLacks(left []string, w *workload.Warnings) {
	if !p.mapping.byNames {
		return
	}
	if !p.has(workload.ColSubmitTime) && !p.has(toInterarrival) {
		hint := ""
		if start, ok := p.column(toStart); ok {
			hint = ", or take the starts for submissions by --map submit_time=" + start.Name
		} else if len(left) > 0 {
			hint = "; separate the names of several columns by commas"
		}
		if hint != "" || p.has(toEnd) || p.has(workload.ColRunTime) {
			w.Add("no-submit-column", "no column has submission times, so waits and arrivals are unknown: name it by --map submit_time=COLUMN"+hint, 0, "")
		}
	}
	if p.has(workload.ColRequestedProcessors) || p.has(workload.ColAllocatedProcessors) {
		return
	}
	for _, t := range []target{workload.ColRequestedNodes, workload.ColAllocatedNodes} {
		if c, ok := p.column(t); ok {
			w.Add("no-processors-column", fmt.Sprintf("no column has processors, only nodes, so sizes are unknown: name it by --map requested_processors=COLUMN, count each node as a processor by --map requested_processors=%s, or multiply them in a mapping file", c.Name), 0, "")
			return
		}
	}
}
