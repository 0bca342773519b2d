package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// aliasTable has the names that tables of other programs commonly give to a target's column, the
// most specific first. They are read where a table has no column of the target's own name. Names
// whose unit or meaning differs between programs are not here: memory, and time limits, which are
// often in minutes.
const aliasTable = `
job_id job_number id
submit_time_s submit submitted submitted_at submission_time arrival_time
interarrival_time_s
eligible_time_s eligible
wait_time_s wait waiting_time
run_time_s runtime elapsed elapsed_time duration execution_time
start_time_s start started started_at starting_time
end_time_s end ended ended_at finish_time finished_at
requested_time_s req_time requested_walltime req_walltime walltime
requested_processors req_processors req_procs req_cpus requested_cpus requested_cores requested_number_of_resources
allocated_processors alloc_cpus processors procs num_procs cpus ncpus num_cpus cores ncores num_cores
requested_nodes req_nodes
allocated_nodes alloc_nodes nodes nnodes num_nodes
requested_gpus req_gpus
allocated_gpus alloc_gpus gpus ngpus num_gpus
status state job_state final_state
user_id user_name uid owner
group_id group_name gid
application_id app executable
queue_id queue_name
partition_id partition_name
account_id account_name project
`

// aliases are the rows of aliasTable: a target's name and the others.
func aliases() (rows [][]string) {
	for line := range strings.Lines(strings.TrimSpace(aliasTable)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
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

// pairTargets returns the targets that the keys of Options.Map name, with or without their unit:
// "submit_time" is submit_time_s, and "user" is user_id.
func pairTargets(pairs map[string]string) (map[target]string, error) {
	asked, keys := map[target]string{}, map[target]string{}
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		t, names := targets, []string(nil)
		for of := range targets {
			if names = append(names, of.short()); key == of.String() || key == of.short() {
				t = of
			}
		}
		switch first, twice := keys[t]; {
		case t == targets:
			return nil, fmt.Errorf("%q is not a column that can be mapped: want one of %s", key, strings.Join(names, ", "))
		case twice:
			return nil, fmt.Errorf("%q and %q are the same column", first, key)
		}
		keys[t], asked[t] = key, strings.TrimSpace(pairs[key])
	}
	if a, b := keys[workload.ColSubmitTime], keys[toInterarrival]; a != "" && b != "" {
		return nil, fmt.Errorf("%q and %q: want one of them, each gives the submissions", a, b)
	}
	return asked, nil
}

// CheckPairs checks the keys of Options.Map. It returns an error if a key names no column
// of the job table that can be mapped, if two keys name the same one, or if both
// submit_time and interarrival_time are given.
func CheckPairs(pairs map[string]string) error {
	_, err := pairTargets(pairs)
	return err
}

// fromPairs returns the mapping of a file with the given columns: those that Options.Map names,
// those that have the name of a column of the job table, and those with other names for it.
func fromPairs(name, file string, columns []string, pairs map[string]string) (*Mapping, error) {
	asked, err := pairTargets(pairs)
	if err != nil {
		return nil, &workload.InputError{File: file, Field: "column mapping", Err: err}
	}
	m := &Mapping{Name: name, byNames: true, asked: asked}
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
	}
	others := otherNames(columns, found)
	for t := range targets {
		column, ok := found[t]
		if other := others[t]; other != "" {
			column, ok = other, true
			m.aliased = append(m.aliased, column+" as "+t.String())
		}
		if ok {
			m.entries[t] = []Entry{entryOf(t, column)}
		}
	}
	if len(found)+len(others) == 0 {
		return nil, noColumns(file, columns)
	}
	return m, nil
}

// asWritten takes moments for seconds since the log's start, as in a table that this program wrote.
func (m *Mapping) asWritten() {
	m.byNames = false                   // no other name of a column could be missed
	for _, entries := range m.entries { // each of one
		if entries != nil && entries[0].Form == formMoment {
			entries[0].Form = formRelative
		}
	}
}

// isWritten reports that a table has the columns of one that this program wrote.
func isWritten(columns []string) bool {
	var set workload.ColumnSet
	for _, name := range columns {
		if i := workload.ColumnIndex(name); i >= 0 {
			set |= workload.ColumnSetOf(i)
		}
	}
	return slices.Equal(columns, workload.ColumnNames(set.Written()))
}

// noColumns is the error of a table with none of the names.
func noColumns(file string, columns []string) error {
	e := &workload.InputError{File: file, Field: "columns", Saw: parse.QuoteNames(columns)}
	if !slices.ContainsFunc(columns, func(name string) bool { _, want := parse.Number([]byte(name)); return want != "" }) {
		e.Want = "the names of the columns in the first line, such as submit_time_s, not numbers"
		return e
	}
	e.Want = fmt.Sprintf("columns of the job table, such as submit_time_s, or a mapping to them, such as submit_time=%s", workload.Shorten([]byte(columns[0])))
	return e
}

// columnOf returns the file's column for a target: the requested one, or else the one with the
// target's name; "" if there is none. Dates and names without the unit in their name say more than
// the seconds or numbers beside them, as in a table that pandas wrote.
func columnOf(t target, file string, columns []string, asked map[target]string) (string, error) {
	want, isAsked := asked[t]
	names := []string{want}
	if !isAsked {
		// A requested interarrival time takes precedence over a column that is merely named
		// submit_time_s.
		if _, ok := asked[toInterarrival]; ok && t == workload.ColSubmitTime || t >= workload.NumColumns {
			return "", nil
		}
		want = t.String()
		if names = []string{want, t.short()}; t.isMoment() || t.column().NameKey != "" {
			slices.Reverse(names)
		}
	}
	e := &workload.InputError{File: file, Field: t.String(), Saw: workload.Shorten([]byte(want)) + " in the mapping"}
	for _, name := range names {
		column, n := named(name, columns, func(c string) bool { return name == want && strings.EqualFold(c, name) })
		switch {
		case n == 1:
			return column, nil
		case n > 1 && name == want:
			e.Want = fmt.Sprintf("one column of that name; the file has %d", n)
			return "", e
		}
	}
	if isAsked {
		e.Want = "one of the file's columns: " + parse.QuoteNames(columns)
		return "", e
	}
	return "", nil
}

// named returns the last of the columns that have a name, or if none has it, of those that are
// like it, and how many they are.
func named(name string, columns []string, isLike func(string) bool) (column string, n int) {
	for _, is := range []func(string) bool{func(c string) bool { return c == name }, isLike} {
		for _, c := range columns {
			if is(c) {
				column = c
				n++
			}
		}
		if n > 0 {
			break
		}
	}
	return column, n
}

// plainName returns a column's name without capitals, blanks and punctuation, so that
// "Submit Time", "SubmitTime" and "submit_time" are the same.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// otherNames returns columns that aliases name for targets that have none yet: found has those
// that do. A column that is used, or that two columns share a name with, is not among them.
func otherNames(columns []string, found map[target]string) map[target]string {
	others := map[target]string{}
	has := func(t target) bool { return found[t] != "" }
	taken := func(t target) bool { return has(t) || others[t] != "" }
	for _, names := range aliases() {
		t, _ := findTarget(names[0])
		switch {
		case taken(t),
			t == toStart && taken(workload.ColWaitTime),
			t == toEnd && taken(workload.ColRunTime),
			t == workload.ColWaitTime && has(toStart),
			t == workload.ColRunTime && has(toEnd),
			t == toInterarrival && taken(workload.ColSubmitTime),
			taken(toInterarrival) && t.isMoment():
			continue
		}
		for _, name := range slices.Insert(names, 1, t.short()) {
			column, n := named(name, columns, func(c string) bool { return plainName(c) == plainName(name) })
			// Of two that are alike, neither is known to be the one.
			if n == 1 && !slices.Contains(slices.Collect(maps.Values(found)), column) {
				others[t] = column
				break
			}
		}
	}
	return others
}

// entryOf returns the entry of a target that takes the values of a column.
func entryOf(t target, column string) Entry {
	e := Entry{Column: []string{column}, Form: formNumber, scale: scale{1, 1}, lenient: t < workload.NumColumns && t >= workload.FirstOptional}
	switch c := t.column(); {
	case t.isMoment():
		e.Form = formMoment
	case t == workload.ColStatus:
		e.Form = formStatus
	case c != nil && (c.Use == workload.Identifier || c.Use == workload.JobNumber):
		e.Form = formID
	}
	return e
}
