package mapping

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// pairTarget returns the target that a key of Options.Map names, with or without its unit:
// "submit_time" is submit_time_s, and "user" is user_id.
func pairTarget(key string) (target, bool) {
	for t := range targets {
		if key == t.String() || key == t.short() {
			return t, true
		}
	}
	return 0, false
}

// short returns a target's name without its unit.
func (t target) short() string {
	name := t.String()
	for _, unit := range []string{"_s", "_kb", "_id", "_j"} {
		if short, ok := strings.CutSuffix(name, unit); ok {
			return short
		}
	}
	return name
}

// CheckPairs checks the keys of Options.Map. It returns an error if a key names no column
// of the job table that can be mapped, if two keys name the same one, or if both
// submit_time and interarrival_time are given.
func CheckPairs(pairs map[string]string) error {
	seen := map[target]string{}
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		t, ok := pairTarget(key)
		if !ok {
			var names []string
			for t := range targets {
				names = append(names, t.short())
			}
			return fmt.Errorf("%q is not a column that can be mapped: want one of %s", key, strings.Join(names, ", "))
		}
		if first, ok := seen[t]; ok {
			return fmt.Errorf("%q and %q are the same column", first, key)
		}
		seen[t] = key
	}
	if a, b := seen[workload.ColSubmitTime], seen[toInterarrival]; a != "" && b != "" {
		return fmt.Errorf("%q and %q: want one of them, each gives the submissions", a, b)
	}
	return nil
}

// fromPairs returns the mapping of a file with the given columns: those that Options.Map
// names, and those that have the name of a column of the job table.
func fromPairs(name, file string, columns []string, pairs map[string]string) (*Mapping, error) {
	if err := CheckPairs(pairs); err != nil {
		return nil, &workload.InputError{File: file, Field: "column mapping", Err: err}
	}
	asked := map[target]string{}
	for key, column := range pairs {
		t, _ := pairTarget(key)
		asked[t] = strings.TrimSpace(column)
	}
	m := &Mapping{Name: name, byNames: true, asked: asked}
	var set workload.ColumnSet
	found := map[target]string{}
	for t := range targets {
		column, err := columnOf(t, file, columns, asked)
		if err != nil {
			return nil, err
		}
		if column == "" {
			continue
		}
		found[t] = column
		m.short = m.short || column == t.short() && column != t.String()
		m.entries = append(m.entries, pairEntry(t, column))
		if t < workload.NumColumns {
			set |= workload.ColumnSetOf(int(t))
		}
	}
	m.addAliases(columns, found)
	if len(m.entries) == 0 {
		if !slices.ContainsFunc(columns, func(name string) bool { _, want := parse.Number([]byte(name)); return want != "" }) {
			return nil, &workload.InputError{File: file, Field: "columns", Saw: parse.QuoteNames(columns), Want: fmt.Sprintf("the names of the columns in the first line, such as %s, not numbers", target(workload.ColSubmitTime))}
		}
		key, column := exampleOfPair(columns)
		return nil, &workload.InputError{File: file, Field: "columns", Saw: parse.QuoteNames(columns), Want: fmt.Sprintf("columns of the job table, such as %s, or a mapping to them, such as %s=%s", target(workload.ColSubmitTime), key, workload.Shorten([]byte(column)))}
	}
	if slices.Equal(columns, workload.ColumnNames(set.Written())) {
		// A table written by this program: its moments count from the log's start.
		for i := range m.entries {
			if m.entries[i].form == formMoment {
				m.entries[i].form = formRelative
			}
		}
	}
	return m, nil
}

// columnOf returns the file's column for a target: the requested one, or else the one with the
// target's name; "" if there is none.
func columnOf(t target, file string, columns []string, asked map[target]string) (string, error) {
	want, isAsked := asked[t]
	if !isAsked {
		// A requested interarrival time takes precedence over a column that is merely named
		// submit_time_s.
		if _, ok := asked[toInterarrival]; ok && t == workload.ColSubmitTime || t >= workload.NumColumns {
			return "", nil
		}
		want = t.String()
		if short := t.short(); t.moment() || t.column().NameKey != "" {
			// Dates and names say more than the seconds or numbers beside them, as in a table
			// that pandas wrote.
			if of := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c != short }); len(of) == 1 {
				return short, nil
			}
		}
	}
	found := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c != want })
	exact := len(found)
	if exact == 0 {
		found = slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !strings.EqualFold(c, want) })
	}
	if short := t.short(); exact == 0 && len(found) != 1 && !isAsked && short != want {
		if of := slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c != short }); len(of) == 1 {
			found = of
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case !isAsked && exact <= 1:
		return "", nil
	}
	e := &workload.InputError{File: file, Field: t.String(), Saw: workload.Shorten([]byte(want)) + " in the mapping", Want: "one of the file's columns: " + parse.QuoteNames(columns)}
	if len(found) > 1 {
		e.Want = fmt.Sprintf("one column of that name; the file has %d", len(found))
	}
	return "", e
}

// pairEntry returns the entry of a target that takes the values of a column.
func pairEntry(t target, column string) entry {
	e := entry{target: t, path: t.String(), scale: scale{1, 1}, absent: math.NaN(), operands: []operand{{columns: []string{column}}}}
	e.form, e.mixed = formNumber, t < workload.NumColumns && t >= workload.FirstOptional
	switch c := t.column(); {
	case t.moment():
		e.form = formMoment
	case c == nil || c.Unit == "s":
		e.form = formDuration
	case t == workload.ColStatus:
		e.form = formStatus
	case c.Use == workload.Identifier, c.Use == workload.JobNumber:
		e.form = formID
	}
	return e
}

// exampleOfPair returns a pair for an error message, as the names of the columns suggest.
func exampleOfPair(columns []string) (key, column string) {
	for _, guess := range []struct{ in, key string }{
		{"interarrival", "interarrival_time"}, {"submit", "submit_time"}, {"arrival", "submit_time"}, {"start", "start_time"}, {"run", "run_time"}, {"elapsed", "run_time"}, {"service", "run_time"},
	} {
		for _, column := range columns {
			if strings.Contains(strings.ToLower(column), guess.in) {
				return guess.key, column
			}
		}
	}
	return "submit_time", columns[0]
}
