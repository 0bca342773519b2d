package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// readHeader takes the limits from the header, leaves out the rules that it
// gives no limit for, and checks what takes the header alone.
func (v *validator) readHeader() {
	h := &v.log.Header
	if v.processors = v.o.Processors; v.processors == 0 {
		v.processors, _ = h.Processors()
	}
	v.readDates()
	has := v.log.Optional()
	for _, c := range v.checks {
		switch {
		case c.limit == machine && v.processors == 0:
			v.cannot(c.Name, "the number of processors is not known: no MaxProcs or MaxNodes in the header", "")
		case c.limit == machine:
			c.bound = float64(v.processors)
		case c.limit != "" && (c.column < workload.FirstOptional || has.Has(c.column)):
			c.bound = v.limit(c.limit, c.Name)
		case strings.HasPrefix(c.Field, "Max"):
			c.bound = v.limit(c.Field, c.Name)
		}
	}
	nodes, procs := v.byName["header-nodes"].bound, v.limit("MaxProcs", "header-nodes")
	if procs < nodes && !math.IsInf(nodes, 0) {
		v.headerHit("header-nodes", "MaxNodes", plain(nodes), plain(procs)+" at most, as MaxProcs")
	}
	preemption := firstWord(h.Get("Preemption"))
	v.double = preemption == "double"
	if preemption != "no" {
		v.cannot("status-part", "the header does not say Preemption: No", "")
	}
	if preemption == "yes" || preemption == "ts" || v.double {
		// A job's time from start to end holds more than its own run.
		v.byName["machine-over-full"].Severity = Oddity
	}
	if firstWord(h.Get("AllowOveruse")) == "no" {
		v.byName["run-past-estimate"].Severity = Fault
		v.byName["memory-over-requested"].Severity = Fault
	}
}

func firstWord(s string) string {
	if words := strings.Fields(s); len(words) > 0 {
		return strings.ToLower(words[0])
	}
	return ""
}

// limit is a number of the header, +Inf where there is none; then the rule
// cannot be checked.
func (v *validator) limit(key, rule string) float64 {
	n, ok := v.log.Header.Int(key)
	if ok && n > 0 {
		return float64(n)
	}
	switch text := v.log.Header.Get(key); {
	case text == "":
		v.missing(rule, key)
	case ok:
		v.cannot(rule, "the header's "+key+" is not a number above 0", "")
	default:
		v.unreadable(key, "a whole number above 0")
		v.cannot(rule, "the header's "+key+" is not a number above 0", "")
	}
	return math.Inf(1)
}

// unreadable counts a header line without a meaning, once.
func (v *validator) unreadable(key, want string) {
	for _, p := range v.byName["header-unreadable"].places {
		if p.Field == key {
			return
		}
	}
	v.headerHit("header-unreadable", key, strconv.Quote(v.log.Header.Get(key)), want)
}

// readDates holds StartTime against UnixStartTime.
func (v *validator) readDates() {
	h := &v.log.Header
	clock, note := h.Clock()
	text := h.Get("StartTime")
	start, dated, utc := workload.ParseHeaderDate(text, clock.Start.Location())
	if text != "" && !dated {
		v.unreadable("StartTime", "a date, as Tue Feb 21 18:44:15 IST 2006")
	}
	if h.Get("UnixStartTime") != "" && !clock.Known {
		v.unreadable("UnixStartTime", "seconds since 1970")
	}
	switch {
	case text == "" || !dated:
		v.missing("header-start", "StartTime")
	case !clock.Known:
		v.missing("header-start", "UnixStartTime")
	case note != "" && !utc:
		v.cannot("header-start", "the header's time zone is not known", "")
	case !start.Equal(clock.Start):
		v.headerHit("header-start", "StartTime", fmt.Sprintf("%q, which is %d", text, start.Unix()),
			fmt.Sprintf("%d, as UnixStartTime", clock.Start.Unix()))
	}
}

// missing leaves a rule out for want of a line of the header.
func (v *validator) missing(rule, key string) { v.cannot(rule, "the header has no "+key, key) }

// endHeader holds the header's counts against what was read.
func (v *validator) endHeader(rows int64) {
	check := func(rule string, seen int64, right func(says int64) bool) {
		key := v.byName[rule].Field
		if says, ok := v.log.Header.Int(key); ok && says > 0 && !right(says) {
			v.headerHit(rule, key, strconv.FormatInt(says, 10), fmt.Sprintf("%d, as in the log", seen))
		}
	}
	// Many logs have codes of parts for other things, and then each record is
	// a job.
	check("header-jobs", v.jobs, func(says int64) bool { return says == v.jobs || says == rows })
	check("header-records", rows, func(says int64) bool { return says == rows })
}

// headerHit counts a header that breaks a rule.
func (v *validator) headerHit(rule, key, saw, want string) {
	if c := v.byName[rule]; v.counts(c) {
		c.places = append(c.places, placeOf(-1, headerLine(&v.log.Header, key), workload.Unknown, key, saw, want))
	}
}

// headerLine is the line of the first header with that keyword, where each has
// a line of the file from the first on.
func headerLine(h *workload.Header, key string) int64 {
	for i, line := range h.Lines {
		name, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		if ok && strings.EqualFold(name, key) {
			return int64(i) + 1
		}
	}
	return 0
}
