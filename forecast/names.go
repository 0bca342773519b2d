package forecast

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// naming is the numbers of users, queues and so on by header keyword, as the state
// has them. Logs that name them by texts each have numbers of their own.
type naming map[string]*namedColumn

type namedColumn struct {
	numbers map[string]int64
	next    int64 // of a name that is new
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
func newNaming(h *workload.Header) naming {
	n := naming{}
	for _, k := range namedColumns {
		c := &namedColumn{numbers: map[string]int64{}, next: 1}
		names := h.Names(k.key)
		for _, number := range slices.Sorted(maps.Keys(names)) {
			if _, known := c.numbers[names[number]]; !known {
				c.numbers[names[number]] = number
			}
			c.next = max(c.next, number+1)
		}
		n[k.key] = c
	}
	return n
}

// translator returns a function that gives requests of another log the state's
// numbers, and adds the names that are new. A column without names in one of the
// two keeps its numbers.
func (n naming) translator(h *workload.Header) func(r *workload.Request) {
	type change struct {
		at func(r *workload.Request) *int64
		to map[int64]int64
	}
	var changes []change
	for _, k := range namedColumns {
		names := h.Names(k.key)
		c := n[k.key]
		if len(names) == 0 || len(c.numbers) == 0 {
			for _, number := range slices.Sorted(maps.Keys(names)) {
				c.numbers[names[number]] = number // for the queue and the user of a query
			}
			continue
		}
		to := map[int64]int64{}
		for _, number := range slices.Sorted(maps.Keys(names)) {
			name := names[number]
			if _, known := c.numbers[name]; !known {
				c.numbers[name] = c.next
				c.next++
			}
			to[number] = c.numbers[name]
		}
		changes = append(changes, change{k.at, to})
	}
	return func(r *workload.Request) {
		for _, c := range changes {
			if number, ok := c.to[*c.at(r)]; ok {
				*c.at(r) = number
			}
		}
	}
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
