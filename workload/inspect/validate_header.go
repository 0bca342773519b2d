package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// readHeader sets the bounds that are in the header, turns off the rules whose bounds are not, and
// checks the rules about the header alone.
func (v *validator) readHeader() {
	h := &v.log.Header
	if v.processors = v.o.Processors; v.processors == 0 {
		v.processors, _ = h.Processors()
	}
	if clock, _ := h.Clock(); !clock.Known && h.Get("UnixStartTime") != "" {
		v.headerHit("header-unreadable", "UnixStartTime", strconv.Quote(h.Get("UnixStartTime")), "seconds since 1970")
	}
	for _, key := range []string{"MaxProcs", "MaxNodes", "MaxRuntime", "MaxMemory", "MaxGPUs", "MaxJobs", "MaxRecords"} {
		if _, ok := h.Int(key); !ok && h.Get(key) != "" {
			v.headerHit("header-unreadable", key, strconv.Quote(h.Get(key)), wholeNumber)
		}
	}
	has := v.log.Optional()
	for _, c := range v.checks {
		switch {
		case c.limit == machine && v.processors == 0:
			v.cannot(c, "the number of processors is not known: no MaxProcs or MaxNodes in the header", "")
		case c.limit == machine:
			c.bound = constant(float64(v.processors))
			c.Filter = strings.ReplaceAll(c.Filter, "%s", fmt.Sprint(v.processors))
		case c.limit != "" && c.column >= workload.FirstOptional && !has.Has(c.column):
			c.on = false
		case c.limit != "":
			v.limit(c, c.limit)
		}
	}
	answer := func(key string) string { // the first word
		return append(strings.Fields(strings.ToLower(h.Get(key))), "")[0]
	}
	preemption := answer("Preemption")
	v.double = preemption == "double"
	if preemption != "no" {
		v.cannot(v.byName["status-part"], "the header does not say Preemption: No", "")
	}
	if slices.Contains([]string{"double", "yes", "ts"}, preemption) {
		// The time from a job's start to its end includes more than its own run.
		v.byName["machine-over-full"].Severity = Oddity
	}
	if answer("AllowOveruse") == "no" {
		v.byName["run-past-estimate"].Severity = Fault
		v.byName["memory-over-requested"].Severity = Fault
	}
}

// wholeNumber describes a valid limit in a header.
const wholeNumber = "a whole number above 0"

// limit makes a number in the header the bound of a rule. Without the number, the rule cannot be
// checked.
func (v *validator) limit(c *check, key string) {
	n, ok := v.log.Header.Int(key)
	c.bound = constant(float64(n))
	switch {
	case v.log.Header.Get(key) == "":
		v.cannot(c, "the header has no "+key, key)
	case !ok || n <= 0:
		v.cannot(c, "the header's "+key+" is not "+wholeNumber, "")
	}
}

// endHeader compares the header's counts with the numbers of jobs and records read. In many logs
// the codes of parts have other meanings, and each record is a job.
func (v *validator) endHeader(rows int64) {
	for rule, seen := range map[string]int64{"header-jobs": v.jobs, "header-records": rows} {
		key := v.byName[rule].Field
		if said, ok := v.log.Header.Int(key); ok && said > 0 && said != seen && said != rows {
			v.headerHit(rule, key, strconv.FormatInt(said, 10), fmt.Sprintf("%d, as in the log", seen))
		}
	}
}

// headerHit counts a header line that breaks a rule. Its line number is that of the first line with
// the keyword, assuming that line i of the header is line i of the file.
func (v *validator) headerHit(rule, key, saw, want string) {
	c := v.byName[rule]
	if c.Count++; !v.keeps(c) {
		return
	}
	line := int64(0)
	for _, f := range v.log.Header.Fields() {
		if line == 0 && strings.EqualFold(f.Key, key) {
			line = int64(f.Line) + 1
		}
	}
	c.Places = append(c.Places, placeOf(-1, line, workload.Unknown, key, saw, want))
}
