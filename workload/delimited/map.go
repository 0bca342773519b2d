package delimited

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// What a column of a CSV file can be beside a column of the job table.
const (
	csvStart        = workload.NumColumns + iota // when the job started: gives the wait
	csvEnd                                       // when it ended: gives the run time
	csvInterarrival                              // s, from the last job's submission: gives the submissions
	csvTargets
)

// csvExtra are the names of the targets that are no columns of the table.
var csvExtra = [...]string{"start_time_s", "end_time_s", "interarrival_time_s"}

// csvTarget returns what a key of Options.Map stands for, or -1: a column's
// name, with or without its unit ("submit_time" is submit_time_s, "user" is
// user_id), or one of start_time, end_time and interarrival_time.
func csvTarget(key string) int {
	for target := range csvTargets {
		name := csvTargetName(target)
		if key == name || key == shortName(name) {
			return target
		}
	}
	return -1
}

func csvTargetName(target int) string {
	if target < workload.NumColumns {
		return workload.ColumnAt(target).Name
	}
	return csvExtra[target-workload.NumColumns]
}

// shortName is a column's name without its unit.
func shortName(name string) string {
	for _, unit := range []string{"_s", "_kb", "_id", "_j"} {
		if short, ok := strings.CutSuffix(name, unit); ok {
			return short
		}
	}
	return name
}

// CheckMap says whether each key of a column mapping (see Options.Map) names a
// column that can be mapped.
func CheckMap(m map[string]string) error {
	seen := map[int]string{}
	for _, key := range slices.Sorted(maps.Keys(m)) {
		target := csvTarget(key)
		if target < 0 {
			var names []string
			for t := range csvTargets {
				names = append(names, shortName(csvTargetName(t)))
			}
			return fmt.Errorf("%q is no column that can be mapped: want one of %s", key, strings.Join(names, ", "))
		}
		if first, ok := seen[target]; ok {
			return fmt.Errorf("%q and %q are the same column", first, key)
		}
		seen[target] = key
	}
	for _, pair := range [][2]int{{workload.ColSubmitTime, csvInterarrival}, {workload.ColWaitTime, csvStart}, {workload.ColRunTime, csvEnd}} {
		a, b := seen[pair[0]], seen[pair[1]]
		if a != "" && b != "" && pair[1] == csvInterarrival {
			return fmt.Errorf("%q and %q: want one of them, each gives the submissions", a, b)
		}
	}
	return nil
}

// csvField is a column of a CSV file that is read.
type csvField struct {
	at     int    // column of the file
	name   string // its name there
	target int
	kind   csvKind
}

// columnsOf are the columns of the table among fields.
func columnsOf(fields []csvField) (s workload.ColumnSet) {
	for _, f := range fields {
		if f.target < workload.NumColumns {
			s |= workload.ColumnSetOf(f.target)
		}
	}
	return s
}

// csvKind is how the text of a field becomes a value.
type csvKind int

const (
	csvSeconds csvKind = iota // a length of time
	csvNumber                 // another float64
	csvPoint                  // a moment: seconds, or a timestamp
	csvWhole                  // a whole number
	csvID                     // the number of a thing
	csvText                   // the name of a thing, which is numbered
	csvByRow                  // a job's name, which is numbered by its row
	csvStatus                 // a number or a word
)

func csvKindOf(target int) csvKind {
	switch target {
	case workload.ColSubmitTime, workload.ColEligibleTime, csvStart, csvEnd:
		return csvPoint
	case csvInterarrival:
		return csvSeconds
	case workload.ColStatus:
		return csvStatus
	}
	switch c := workload.ColumnAt(target); {
	case c.Unit == "s":
		return csvSeconds
	case c.Float():
		return csvNumber
	case c.Use == workload.Identifier, c.Use == workload.JobNumber:
		return csvID
	}
	return csvWhole
}

// mapCSV finds the columns to be read among a file's: those with the names of
// the job table, and those that the mapping names. Others are counted in w.
func mapCSV(file string, names []string, mapping map[string]string, w *workload.Warnings) ([]csvField, error) {
	fault := func(field, saw, want string) error {
		return &workload.InputError{File: file, Line: 1, Field: field, Saw: saw, Want: want}
	}
	if err := CheckMap(mapping); err != nil {
		return nil, &workload.InputError{File: file, Field: "column mapping", Err: err}
	}
	places := map[string][]int{}
	for at, name := range names {
		places[name] = append(places[name], at)
	}
	mapped := map[int]string{}
	for key, name := range mapping {
		mapped[csvTarget(key)] = name
	}
	var fields []csvField
	used := make([]bool, len(names))
	for target := range csvTargets {
		name, asked := mapped[target]
		if !asked {
			// A column that gives the same by the user's will stands above one
			// that only has the name.
			if _, ok := mapped[csvInterarrival]; ok && target == workload.ColSubmitTime || target >= workload.NumColumns {
				continue
			}
			name = csvTargetName(target)
		}
		at, want := findCSVColumn(names, places, strings.TrimSpace(name))
		if short := shortName(name); want != "" && !asked && len(places[name]) == 0 && short != name && len(places[short]) == 1 {
			at, want = places[short][0], ""
		}
		switch {
		case want != "" && (asked || len(places[name]) > 1):
			return nil, fault(csvTargetName(target), fmt.Sprintf("%s in the mapping", workload.Shorten([]byte(name))), want)
		case want != "":
			continue
		}
		fields = append(fields, csvField{at: at, name: names[at], target: target, kind: csvKindOf(target)})
		used[at] = true
	}
	if len(fields) == 0 {
		target, name := exampleOfMap(names)
		return nil, fault("columns", parse.QuoteNames(names), fmt.Sprintf("columns of the job table, such as %s, or a mapping to them, such as %s=%s", workload.ColumnAt(workload.ColSubmitTime).Name, target, workload.Shorten([]byte(name))))
	}
	var left []string
	for at, name := range names {
		if !used[at] {
			left = append(left, name)
		}
	}
	if len(left) > 0 {
		w.Count(workload.Warning{Rule: "unmapped-column", Text: "columns left out: no column of the job table is read from them", Count: int64(len(left)), Saw: parse.QuoteNames(left)})
	}
	return fields, nil
}

// findCSVColumn finds a column by its name, in other case if need be; want is
// empty where there is exactly one.
func findCSVColumn(names []string, places map[string][]int, name string) (at int, want string) {
	found := places[name]
	if len(found) == 0 {
		for i, n := range names {
			if strings.EqualFold(n, name) {
				found = append(found, i)
			}
		}
	}
	switch len(found) {
	case 0:
		return 0, "one of the file's columns: " + parse.QuoteNames(names)
	case 1:
		return found[0], ""
	}
	return 0, fmt.Sprintf("one column of that name; the file has %d", len(found))
}

// exampleOfMap is a mapping that the names of the columns suggest.
func exampleOfMap(names []string) (target, name string) {
	for _, guess := range []struct{ in, target string }{
		{"interarrival", "interarrival_time"}, {"submit", "submit_time"}, {"arrival", "submit_time"}, {"start", "start_time"}, {"run", "run_time"}, {"elapsed", "run_time"}, {"service", "run_time"},
	} {
		for _, name := range names {
			if strings.Contains(strings.ToLower(name), guess.in) {
				return guess.target, name
			}
		}
	}
	return "submit_time", names[0]
}
