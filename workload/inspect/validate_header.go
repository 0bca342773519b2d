package inspect

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/loadstone-hpc/loadstone/workload"
)

// limits are what the header says that the jobs keep to: +Inf and 0 where it
// says nothing.
type limits struct {
	processors int64
	run        float64 // s, MaxRuntime
	memory     float64 // KB, MaxMemory
	nodes      float64 // MaxNodes
	gpus       float64 // MaxGPUs
	nodeMemory float64 // KB, MaxNodeMemory
	end        float64 // s from the log's start, EndTime
	noParts    bool    // Preemption: No
	double     bool    // Preemption: Double, jobs have a record and their parts others
}

// readHeader takes the limits from the header, leaves out the rules that it
// gives no limit for, and checks what takes the header alone.
func (v *validator) readHeader() {
	h := &v.log.Header
	v.limits = limits{processors: v.o.Processors, run: math.Inf(1), memory: math.Inf(1), end: math.Inf(1)}
	if v.limits.processors == 0 {
		v.limits.processors, _ = h.Processors()
	}
	if v.limits.processors == 0 {
		for _, rule := range []int{ruleAllocatedOverMachine, ruleRequestedOverMachine, ruleMachineOverFull, ruleSubmissionsAreStarts} {
			v.cannot(rule, "the number of processors is not known: no MaxProcs or MaxNodes in the header")
		}
	}
	v.limits.run = v.limit("MaxRuntime", ruleRunPastMax)
	v.limits.memory = v.limit("MaxMemory", ruleMemoryOverMax)
	for _, rule := range []int{ruleHeaderJobs, ruleHeaderRecords, ruleHeaderQueues, ruleHeaderPartitions} {
		v.limit(v.rules[rule].Field, rule)
	}
	nodes, procs := v.limit("MaxNodes", ruleHeaderNodes), v.limit("MaxProcs", ruleHeaderNodes)
	if procs < nodes && !math.IsInf(nodes, 0) {
		v.headerHit(ruleHeaderNodes, "MaxNodes", plain(nodes), plain(procs)+" at most, as MaxProcs")
	}
	preemption := firstWord(h.Get("Preemption"))
	v.limits.noParts = preemption == "no"
	v.limits.double = preemption == "double"
	if !v.limits.noParts {
		v.cannot(ruleStatusPart, "the header does not say Preemption: No")
	}
	if preemption == "yes" || preemption == "ts" || v.limits.double {
		// A job's time from start to end holds more than its own run.
		v.rules[ruleMachineOverFull].Severity = Oddity
	}
	if firstWord(h.Get("AllowOveruse")) == "no" {
		v.rules[ruleRunPastEstimate].Severity = Fault
		v.rules[ruleMemoryOverRequested].Severity = Fault
	}
	v.readOptional(nodes)
	v.readDates()
}

func firstWord(s string) string {
	if words := strings.Fields(s); len(words) > 0 {
		return strings.ToLower(words[0])
	}
	return ""
}

// limit is a number of the header, +Inf where there is none; then the rule
// cannot be checked.
func (v *validator) limit(key string, rule int) float64 {
	h := &v.log.Header
	n, ok := h.Int(key)
	if ok && n > 0 {
		return float64(n)
	}
	text := h.Get(key)
	if text == "" {
		v.missing(rule, key)
		return math.Inf(1)
	}
	if !ok {
		v.headerHit(ruleHeaderUnreadable, key, strconv.Quote(text), "a whole number above 0")
	}
	v.cannot(rule, "the header's "+key+" is not a number above 0")
	return math.Inf(1)
}

// readDates reads StartTime and EndTime, holds them against UnixStartTime, and
// finds the second of the log at which it ends.
func (v *validator) readDates() {
	h := &v.log.Header
	clock, note := h.Clock()
	zoned := clock.Known && note == ""
	date := func(key string) (t time.Time, ok, sure bool) {
		text := h.Get(key)
		if text == "" {
			return t, false, false
		}
		t, ok, utc := workload.ParseHeaderDate(text, clock.Start.Location())
		if !ok {
			v.headerHit(ruleHeaderUnreadable, key, strconv.Quote(text), "a date, as Tue Feb 21 18:44:15 IST 2006")
		}
		return t, ok, ok && (zoned || utc)
	}
	if text := h.Get("UnixStartTime"); text != "" && !clock.Known {
		v.headerHit(ruleHeaderUnreadable, "UnixStartTime", strconv.Quote(text), "seconds since 1970")
	}
	start, hasStart, startSure := date("StartTime")
	end, hasEnd, endSure := date("EndTime")
	switch {
	case !hasStart:
		v.missing(ruleHeaderStart, "StartTime")
	case !clock.Known:
		v.missing(ruleHeaderStart, "UnixStartTime")
	case !startSure:
		v.cannot(ruleHeaderStart, "the header's time zone is not known")
	default:
		if !start.Equal(clock.Start) {
			v.headerHit(ruleHeaderStart, "StartTime", fmt.Sprintf("%q, which is %d", h.Get("StartTime"), start.Unix()),
				fmt.Sprintf("%d, as UnixStartTime", clock.Start.Unix()))
		}
	}
	switch {
	case h.Get("EndTime") == "":
		for _, rule := range []int{ruleHeaderEnd, ruleSubmitPastEnd, ruleEndPastEnd} {
			v.missing(rule, "EndTime")
		}
		return
	case !hasEnd:
	case clock.Known && endSure:
		v.limits.end = end.Sub(clock.Start).Seconds()
	case hasStart:
		v.limits.end = end.Sub(start).Seconds()
	}
	switch {
	case v.limits.end < 0:
		v.headerHit(ruleHeaderEnd, "EndTime", strconv.Quote(h.Get("EndTime")), "a time after the start")
		v.limits.end = math.Inf(1)
	case math.IsInf(v.limits.end, 1):
		v.cannot(ruleHeaderEnd, "the header's EndTime cannot be counted from its start")
	default:
		return
	}
	v.cannot(ruleSubmitPastEnd, "the header's EndTime cannot be counted from its start")
	v.cannot(ruleEndPastEnd, "the header's EndTime cannot be counted from its start")
}

// missing leaves a rule out for want of a line of the header.
func (v *validator) missing(rule int, key string) {
	if v.found[rule].on {
		v.found[rule].on = false
		v.skip = append(v.skip, NotChecked{v.rules[rule].Name, "the header has no " + key, key})
	}
}

// endHeader holds the header's counts against what was read.
func (v *validator) endHeader() {
	check := func(rule int, seen int64, right func(says int64) bool) {
		key := v.rules[rule].Field
		if says, ok := v.log.Header.Int(key); ok && says > 0 && !right(says) {
			v.headerHit(rule, key, whole(says), fmt.Sprintf("%d, as in the log", seen))
		}
	}
	// Many logs have codes of parts for other things, and then each record is
	// a job.
	check(ruleHeaderJobs, v.jobs, func(says int64) bool { return says == v.jobs || says == v.rows })
	check(ruleHeaderRecords, v.rows, func(says int64) bool { return says == v.rows })
	queues, partitions := int64(len(v.queues.ids)), int64(len(v.partitions.ids))
	check(ruleHeaderQueues, queues, func(says int64) bool { return says >= queues })
	check(ruleHeaderPartitions, partitions, func(says int64) bool { return says >= partitions })
}

// headerHit counts a header that breaks a rule.
func (v *validator) headerHit(rule int, key, saw, want string) {
	if v.hit(rule) {
		v.note(rule, inHeader, headerLine(&v.log.Header, key), workload.Unknown, key, saw, want)
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
