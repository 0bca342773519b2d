package mapping

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// plan is a mapping joined to the columns of one file.
type plan struct {
	mapping *Mapping
	file    string
	fields  []field // in the mapping's order: each behind those that it needs
	columns []workload.TableColumn
	zone    *time.Location
	start   int64 // what moments are counted from, s since 1970
}

// field is an entry whose columns are in the file.
type field struct {
	*entry
	at      []int // column of the table, for each operand; -1 for other operands
	between bool  // the length of time between two other fields
	either  bool  // unix, if the first moment is late enough, else relative
}

// needs reports that a field is computed from others.
func (f *field) needs() bool {
	return slices.ContainsFunc(f.operands, func(o operand) bool { return o.entry != "" })
}

// newPlan finds the columns of the mapping among those of a file. Columns that are
// left aside are counted in w.
func newPlan(m *Mapping, s *source, w *workload.Warnings) (*plan, error) {
	p := &plan{mapping: m, file: s.name}
	var names []string
	for _, c := range s.columns {
		names = append(names, strings.TrimSpace(c.Name))
	}
	missing := map[target]string{} // targets that the file has nothing for, and what it lacks
	for i := range m.entries {
		f := field{entry: &m.entries[i], between: m.entries[i].betweenMoments(m)}
		if p.has(f.target) {
			continue // by an entry before this one
		}
		columns := len(p.columns)
		lacks, err := p.join(&f, s, names, missing)
		if err == nil && lacks == "" {
			p.fields = append(p.fields, f)
			continue
		}
		p.columns = p.columns[:columns]
		switch another := slices.ContainsFunc(m.entries[i+1:], func(e entry) bool { return e.target == f.target }); {
		case another:
		case err != nil:
			return nil, err
		default:
			missing[f.target] = lacks
		}
	}
	if len(p.fields) == 0 {
		return nil, &workload.InputError{File: p.file, Field: "columns", Saw: parse.QuoteNames(names), Want: "those of the mapping " + m.Name}
	}
	for t := range targets {
		if lacks := missing[t]; lacks != "" && !p.replaced(t) {
			w.Add("missing-column", "columns of the mapping that the file does not have: their values are unknown", 0, lacks)
		}
	}
	if len(m.aliased) > 0 {
		w.Count(workload.Warning{Rule: "other-name", Text: "columns read under other names", Count: int64(len(m.aliased)), Saw: list(m.aliased), SawAll: true})
	}
	used := func(name string) bool {
		return slices.ContainsFunc(p.columns, func(c workload.TableColumn) bool { return c.Name == name })
	}
	var left []string
	for _, name := range names {
		if !used(name) {
			left = append(left, name)
		}
	}
	p.warnOfLacks(left, w)
	if s.leftOut != nil {
		s.leftOut(used, w)
		return p, nil
	}
	if len(left) > 0 {
		w.Count(workload.Warning{Rule: "unmapped-column", Text: "columns left out, as no column of the job table is read from them", Count: int64(len(left)), Saw: parse.QuoteNames(left), SawAll: true})
	}
	return p, nil
}

// warnOfLacks warns of what a table read by column names lacks although other columns of
// it, used for something else or not at all, could supply it.
func (p *plan) warnOfLacks(left []string, w *workload.Warnings) {
	if !p.mapping.byNames {
		return
	}
	if !p.has(workload.ColSubmitTime) && !p.has(toInterarrival) {
		start := p.field(toStart)
		guess := slices.IndexFunc(left, soundsLikeSubmission)
		hint := ""
		switch {
		case guess >= 0:
			hint = ", such as --map submit_time=" + left[guess] + "; separate the names of several columns by commas"
		case start != nil:
			hint = ", or take the starts for submissions by --map submit_time=" + p.columns[start.at[0]].Name
		case len(left) > 0:
			hint = "; separate the names of several columns by commas"
		}
		if hint != "" || p.field(toEnd) != nil || p.has(workload.ColRunTime) {
			w.Add("no-submit-column", "no column has submission times, so waits and arrivals are unknown: name it by --map submit_time=COLUMN"+hint, 0, "")
		}
	}
	if p.has(workload.ColRequestedProcessors) || p.has(workload.ColAllocatedProcessors) {
		return
	}
	for _, t := range []target{workload.ColRequestedNodes, workload.ColAllocatedNodes} {
		if f := p.field(t); f != nil {
			column := p.columns[f.at[0]].Name
			w.Add("no-processors-column", fmt.Sprintf("no column has processors, only nodes, so sizes are unknown: name it by --map requested_processors=COLUMN, count each node as a processor by --map requested_processors=%s, or multiply them in a mapping file: \"requested_processors\": {\"times\": [%q, 64]}", column, column), 0, "")
			return
		}
	}
}

// soundsLikeSubmission guesses whether a column is of submission times, for an example.
func soundsLikeSubmission(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"submi", "enqueue", "queued", "arriv", "creat"}, func(word string) bool { return strings.Contains(name, word) })
}

// join finds the columns of one entry. lacks is the column that an optional entry
// does not have.
func (p *plan) join(f *field, s *source, names []string, missing map[target]string) (lacks string, err error) {
	for _, o := range f.operands {
		of, entry := findTarget(o.entry)
		switch {
		case entry && missing[of] != "":
			lacks = missing[of]
		case o.columns != nil:
			i := slices.IndexFunc(o.columns, func(c string) bool { return slices.Contains(names, c) })
			if i < 0 {
				lacks = o.columns[0]
				break
			}
			at, err := p.column(f, s.columns[slices.Index(names, o.columns[i])])
			if err != nil {
				return "", err
			}
			f.at = append(f.at, at)
			continue
		}
		if lacks != "" {
			if f.optional {
				return lacks, nil
			}
			return "", &workload.InputError{File: p.file, Field: "columns", Saw: parse.QuoteNames(names),
				Want: fmt.Sprintf("%q, from which the mapping %s reads %s", lacks, p.mapping.Name, f.target)}
		}
		f.at = append(f.at, -1)
	}
	return "", nil
}

// column adds a column that is read, once.
func (p *plan) column(f *field, c workload.FileColumn) (int, error) {
	name, saw, want := strings.TrimSpace(c.Name), c.Kind.String(), ""
	switch {
	case c.Nested:
		saw, want = c.Type, "one value a row"
	case f.form == formTimestamp && (c.Kind == workload.TableWhole || c.Kind == workload.TableNumber):
		want = "times"
	case c.Kind == workload.TableTime && f.form != formTimestamp && f.form != formUnix && f.form != formMoment:
		want = "no times"
	}
	if want != "" {
		return 0, &workload.InputError{File: p.file, Field: name, Saw: saw, Want: fmt.Sprintf("%s for %s (form %q)", want, f.target, f.form)}
	}
	if i := slices.IndexFunc(p.columns, func(c workload.TableColumn) bool { return c.Name == name }); i >= 0 {
		return i, nil
	}
	p.columns = append(p.columns, workload.TableColumn{Name: name, Kind: c.Kind})
	return len(p.columns) - 1, nil
}

// name is what messages call a field's operand.
func (p *plan) name(f *field, operand int) string {
	if at := f.at[operand]; at >= 0 && p.columns[at].Name != f.target.String() {
		return fmt.Sprintf("%s (%s)", p.columns[at].Name, f.target)
	}
	return f.target.String()
}

// replaced reports that a start or an end is not needed: the table has the wait or the run
// time.
func (p *plan) replaced(t target) bool {
	return t == toStart && p.has(workload.ColWaitTime) || t == toEnd && p.has(workload.ColRunTime)
}

// has reports whether a target is mapped.
func (p *plan) has(t target) bool { return p.field(t) != nil }

func (p *plan) field(t target) *field {
	for i := range p.fields {
		if p.fields[i].target == t {
			return &p.fields[i]
		}
	}
	return nil
}

// dated reports that the log has moments with a date.
func (p *plan) dated() bool {
	return slices.ContainsFunc(p.fields, func(f field) bool { return f.target.moment() && f.form != formRelative })
}

// kind is that of the column of a field's operand.
func (p *plan) kind(f *field, operand int) workload.TableKind { return p.columns[f.at[operand]].Kind }
