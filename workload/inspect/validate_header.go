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
	if clock, _ := h.Clock(); !clock.Known && h.Get("UnixStartTime") != "" {
		v.unreadable("UnixStartTime", "seconds since 1970")
	}
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
	for _, key := range []string{"MaxProcs", "MaxNodes"} {
		if _, ok := h.Int(key); !ok && h.Get(key) != "" {
			v.unreadable(key, wholeNumber)
		}
	}
	answer := func(key string) string { // in one word
		words := append(strings.Fields(strings.ToLower(h.Get(key))), "")
		return words[0]
	}
	switch answer("Preemption") {
	case "no":
	case "double":
		v.double = true
		fallthrough
	case "yes", "ts":
		// A job's time from start to end holds more than its own run.
		v.byName["machine-over-full"].Severity = Oddity
		fallthrough
	default:
		v.cannot("status-part", "the header does not say Preemption: No", "")
	}
	if answer("AllowOveruse") == "no" {
		v.byName["run-past-estimate"].Severity = Fault
		v.byName["memory-over-requested"].Severity = Fault
	}
}

// wholeNumber is what the limits of a header are.
const wholeNumber = "a whole number above 0"

// limit is a number of the header, +Inf where there is none; then the rule
// cannot be checked.
func (v *validator) limit(key, rule string) float64 {
	n, ok := v.log.Header.Int(key)
	switch {
	case ok && n > 0:
		return float64(n)
	case v.log.Header.Get(key) == "":
		v.missing(rule, key)
		return math.Inf(1)
	case !ok:
		v.unreadable(key, wholeNumber)
	}
	v.cannot(rule, "the header's "+key+" is not "+wholeNumber, "")
	return math.Inf(1)
}

// missing leaves a rule out for want of a line of the header.
func (v *validator) missing(rule, key string) { v.cannot(rule, "the header has no "+key, key) }

// unreadable counts a header line without a meaning, once.
func (v *validator) unreadable(key, want string) {
	if !v.unread[key] {
		v.headerHit("header-unreadable", key, strconv.Quote(v.log.Header.Get(key)), want)
	}
	v.unread[key] = true
}

// endHeader holds the header's counts against what was read. Many logs have codes of parts for
// other things, and then each record is a job.
func (v *validator) endHeader(rows int64) {
	for rule, seen := range map[string]int64{"header-jobs": v.jobs, "header-records": rows} {
		key := v.byName[rule].Field
		if said, ok := v.log.Header.Int(key); ok && said > 0 && said != seen && said != rows {
			v.headerHit(rule, key, strconv.FormatInt(said, 10), fmt.Sprintf("%d, as in the log", seen))
		}
	}
}

// headerHit counts a header that breaks a rule. Its line is the first with that keyword, where
// each line of the header is a line of the file from the first on.
func (v *validator) headerHit(rule, key, saw, want string) {
	c := v.byName[rule]
	c.count++
	line := int64(0)
	for _, f := range v.log.Header.Fields() {
		if line == 0 && strings.EqualFold(f.Key, key) {
			line = int64(f.Line) + 1
		}
	}
	c.keep(v.o.First, func() Place { return placeOf(-1, line, workload.Unknown, key, saw, want) })
}
