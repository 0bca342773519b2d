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

// aliasTable lists for each target its own name, then the names that other programs commonly give
// to its column, the most specific first. They are used if a table has no column of the target's
// own name. Names whose unit or meaning differs between programs are not here: those of memory, and
// of time limits, which are often in minutes.
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

// aliases returns the rows of aliasTable: the name of a target, followed by its other names.
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

// pairTargets returns the values of Options.Map by the target that the key names, with or without
// its unit: "submit_time" is submit_time_s, and "user" is user_id.
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

// fromPairs returns the mapping of a file with the given columns. It maps the columns that
// Options.Map names, those with the name of a column of the job table, and those with another
// common name for one.
func fromPairs(name, file string, columns []string, pairs map[string]string) (*Mapping, error) {
	asked, err := pairTargets(pairs)
	if err != nil {
		return nil, &workload.InputError{File: file, Field: "column mapping", Err: err}
	}
	m := &Mapping{Name: name, byNames: true}
	var found [targets]string
	for t := range targets {
		want, isAsked := asked[t]
		if !isAsked {
			continue
		}
		column, n := named(want, columns, func(c string) bool { return strings.EqualFold(c, want) })
		if n != 1 {
			return nil, notOne(t, file, want, columns, n)
		}
		found[t] = column
	}
	if err := guess(&found, file, columns); err != nil {
		return nil, err
	}
	for t, column := range found {
		t := target(t)
		if column == "" {
			continue
		}
		_, isAsked := asked[t]
		switch isOwn := strings.EqualFold(column, t.String()); {
		case isAsked:
		case isOwn, strings.EqualFold(column, t.short()):
			m.short = m.short || !isOwn || t >= workload.NumColumns
		default:
			m.aliased = append(m.aliased, column+" as "+t.String())
		}
		m.entries[t] = []Entry{{Column: []string{column}, Numbers: true, scale: 1}}
	}
	if found == ([targets]string{}) {
		return nil, noColumns(file, columns)
	}
	return m, nil
}

// asWritten makes moments seconds since the log's start, as in a table that this program wrote.
func (m *Mapping) asWritten() {
	m.byNames, m.written = false, true // no warnings about columns to map: all have their own names
}

// notOne returns the error for a name that n columns have, where exactly one must have it.
func notOne(t target, file, name string, columns []string, n int) error {
	e := &workload.InputError{File: file, Field: t.String(), Saw: workload.Shorten([]byte(name)) + " in the mapping", Want: "one of the file's columns: " + parse.QuoteNames(columns)}
	if n > 1 {
		e.Want = fmt.Sprintf("one column of that name; the file has %d", n)
	}
	return e
}

// guess adds the columns that have the name of a target, or another common name for it, to those
// found. It skips columns that were found for another target, and names that several columns share.
func guess(found *[targets]string, file string, columns []string) error {
	has := func(t target) bool { return found[t] != "" }
	for _, names := range namesOfTargets() {
		t, _ := findTarget(names[0])
		switch {
		case has(t),
			t == toStart && has(workload.ColWaitTime),
			t == toEnd && has(workload.ColRunTime),
			t == workload.ColWaitTime && has(toStart),
			t == workload.ColRunTime && has(toEnd),
			t == toInterarrival && has(workload.ColSubmitTime),
			has(toInterarrival) && t.isMoment():
			continue
		}
		// A name without a unit is tried first: in a table that pandas wrote, dates and names are
		// in such a column, and the same as seconds or numbers are in the one with the unit.
		if names = slices.Insert(names, 1, t.short()); t.isMoment() || t.isNamed() {
			names[0], names[1] = names[1], names[0]
		}
		for _, name := range names {
			column, n := named(name, columns, func(c string) bool { return plainName(c) == plainName(name) })
			if n > 1 && name == t.String() {
				return notOne(t, file, name, columns, n)
			}
			if n == 1 && !slices.Contains(found[:], column) { // of two alike columns, either may be meant
				found[t] = column
				break
			}
		}
	}
	return nil
}

// namesOfTargets returns the rows of aliasTable, and a row for each other target with its name.
func namesOfTargets() [][]string {
	rows := aliases()
	for _, name := range targetNames() {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[0] == name }) {
			rows = append(rows, []string{name})
		}
	}
	return rows
}

// isWritten reports whether a table has exactly the columns of one that this program wrote.
func isWritten(columns []string) bool {
	var set workload.ColumnSet
	for _, name := range columns {
		if i := workload.ColumnIndex(name); i >= 0 {
			set |= workload.ColumnSetOf(i)
		}
	}
	return slices.Equal(columns, workload.ColumnNames(set.Written()))
}

// noColumns returns the error for a table without a column that can be mapped.
func noColumns(file string, columns []string) error {
	e := &workload.InputError{File: file, Field: "columns", Saw: parse.QuoteNames(columns)}
	if !slices.ContainsFunc(columns, func(name string) bool { _, want := parse.Number([]byte(name)); return want != "" }) {
		e.Want = "the names of the columns in the first line, such as submit_time_s, not numbers"
		return e
	}
	e.Want = fmt.Sprintf("columns of the job table, such as submit_time_s, or a mapping to them, such as submit_time=%s", workload.Shorten([]byte(columns[0])))
	return e
}

// named returns the last column with the given name, or if there is none, the last for which isLike
// is true. n is the number of such columns.
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
