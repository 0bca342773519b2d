package cli

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// nowNaming is the numbers of users, queues and so on, as the state has them.
// Logs that name them by texts each have numbers of their own.
type nowNaming struct {
	columns map[string]*nowColumn // by header keyword
}

type nowColumn struct {
	numbers map[string]int64
	next    int64 // of a name that is new
}

// nowKeys are the header keywords of named columns, and where a request has
// them.
var nowKeys = []struct {
	key string
	col int
	at  func(r *workload.Request) *int64
}{
	{"User", workload.ColUser, func(r *workload.Request) *int64 { return &r.User }},
	{"Group", workload.ColGroup, func(r *workload.Request) *int64 { return &r.Group }},
	{"Application", workload.ColApplication, func(r *workload.Request) *int64 { return &r.Application }},
	{"Queue", workload.ColQueue, func(r *workload.Request) *int64 { return &r.Queue }},
	{"Partition", workload.ColPartition, func(r *workload.Request) *int64 { return &r.Partition }},
}

func newNowNaming() *nowNaming { return &nowNaming{map[string]*nowColumn{}} }

// learn takes the names of the state, which has been read.
func (n *nowNaming) learn(h workload.Header) {
	for _, k := range nowKeys {
		c := &nowColumn{numbers: map[string]int64{}, next: 1}
		names := h.Names(k.key)
		for _, number := range slices.Sorted(maps.Keys(names)) {
			if _, known := c.numbers[names[number]]; !known {
				c.numbers[names[number]] = number
			}
			c.next = max(c.next, number+1)
		}
		n.columns[k.key] = c
	}
}

// translator gives requests of another log, which has been read, the state's
// numbers. A column without names in one of the two keeps its numbers.
func (n *nowNaming) translator(log *workload.Log) func(r *workload.Request) {
	type change struct {
		at func(r *workload.Request) *int64
		to map[int64]int64
	}
	var changes []change
	for _, k := range nowKeys {
		names := log.Header.Names(k.key)
		c := n.columns[k.key]
		if len(names) == 0 || len(c.numbers) == 0 {
			for _, number := range slices.Sorted(maps.Keys(names)) {
				c.numbers[names[number]] = number // for --queue and --user
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

// find is the number of what the user named: a name, or a number.
func (n *nowNaming) find(key, text string) (int64, error) {
	if text == "" {
		return workload.Unknown, nil
	}
	c := n.columns[key]
	if number, ok := c.numbers[text]; ok {
		return number, nil
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number, nil
	}
	known := slices.Sorted(maps.Keys(c.numbers))
	if len(known) == 0 {
		return 0, fmt.Errorf("%s %q: the logs have no names, want a number", strings.ToLower(key), text)
	}
	const most = 8
	if len(known) > most {
		known = append(known[:most:most], "...")
	}
	return 0, fmt.Errorf("%s %q is in no log: want a number or one of %s", strings.ToLower(key), text, strings.Join(known, ", "))
}
