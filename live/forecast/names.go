package forecast

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// naming is the numbers of users, queues and so on by header keyword, as the state
// has them. Logs that name them by texts each have numbers of their own, and
// numbers of a log without names are not those of a log with names.
type naming map[string]*namedColumn

type namedColumn struct {
	numbers map[string]int64 // by name; empty where there are no names
	next    int64            // of a name that is new
	valued  bool             // a job has a value
}

// namedColumns are the header keywords of named columns, and where a request has
// them.
var namedColumns = []struct {
	key string
	at  func(r *workload.Request) *int64
}{
	{"User", func(r *workload.Request) *int64 { return &r.User }},
	{"Group", func(r *workload.Request) *int64 { return &r.Group }},
	{"Application", func(r *workload.Request) *int64 { return &r.Application }},
	{"Queue", func(r *workload.Request) *int64 { return &r.Queue }},
	{"Partition", func(r *workload.Request) *int64 { return &r.Partition }},
}

// newNaming returns the names of the state.
func newNaming(s *State) naming {
	n := naming{}
	for _, k := range namedColumns {
		c := &namedColumn{numbers: map[string]int64{}, next: 1, valued: hasValue(s.jobs, k.at)}
		c.adopt(s.header.Names(k.key))
		n[k.key] = c
	}
	return n
}

// adopt takes names with their numbers.
func (c *namedColumn) adopt(names map[int64]string) {
	for _, number := range slices.Sorted(maps.Keys(names)) {
		if _, known := c.numbers[names[number]]; !known {
			c.numbers[names[number]] = number
		}
		c.next = max(c.next, number+1)
	}
}

// hasValue says whether a job has a value in a column.
func hasValue(jobs []workload.Job, at func(*workload.Request) *int64) bool {
	return slices.ContainsFunc(jobs, func(j workload.Job) bool { return *at(&j.Request) != workload.Unknown })
}

// translator returns a function that gives requests of another log the state's
// numbers, and adds the names that are new. A column that has names in one of the
// two and numbers alone in the other cannot be matched: the function makes it
// unknown, of which the warnings tell.
func (n naming) translator(l *pastLog) (func(*workload.Request), []workload.Warning) {
	type change struct {
		at func(r *workload.Request) *int64
		to map[int64]int64 // nil where nothing is matched
	}
	var changes []change
	var warnings []workload.Warning
	for _, k := range namedColumns {
		names, c := l.header.Names(k.key), n[k.key]
		valued := hasValue(l.jobs, k.at)
		switch named := len(c.numbers) > 0; {
		case !valued:
		case !c.valued && !named: // the first log that has any
			c.adopt(names)
		case len(names) == 0 && !named: // both have numbers alone
		case len(names) > 0 && named:
			changes = append(changes, change{k.at, c.match(names)})
		default:
			changes = append(changes, change{k.at, nil})
			has, had := "numbers", "names"
			if len(names) > 0 {
				has, had = had, has
			}
			warnings = append(warnings, workload.Warning{Rule: "unmatched-names", About: l.name, Count: 1,
				Text: fmt.Sprintf("it has %s of %ss, and the input before it has %s: they cannot be matched, so its %[2]ss are not used", has, strings.ToLower(k.key), had)})
			continue
		}
		c.valued = c.valued || valued
	}
	return func(r *workload.Request) {
		for _, c := range changes {
			number, ok := c.to[*c.at(r)]
			switch {
			case ok:
				*c.at(r) = number
			case c.to == nil:
				*c.at(r) = workload.Unknown
			}
		}
	}, warnings
}

// match gives names of another log their numbers here.
func (c *namedColumn) match(names map[int64]string) map[int64]int64 {
	to := map[int64]int64{}
	for _, number := range slices.Sorted(maps.Keys(names)) {
		name := names[number]
		if _, known := c.numbers[name]; !known {
			c.numbers[name] = c.next
			c.next++
		}
		to[number] = c.numbers[name]
	}
	return to
}

// find returns the number of what an option named, by its name or by number.
func (n naming) find(option, key, text string) (int64, error) {
	if text == "" {
		return workload.Unknown, nil
	}
	c := n[key]
	if number, ok := c.numbers[text]; ok {
		return number, nil
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number, nil
	}
	known := slices.Sorted(maps.Keys(c.numbers))
	const most = 8
	if len(known) > most {
		known = append(known[:most:most], "...")
	}
	want := "a number, or a name of the logs: " + strings.Join(known, ", ")
	if len(known) == 0 {
		want = "a number: the logs have no names"
	}
	return 0, &workload.OptionError{Option: option, Saw: strconv.Quote(text), Want: want}
}
