package inspect

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Severity is the severity of a finding.
type Severity string

const (
	// Fault marks values that cannot be true or that the format forbids.
	Fault Severity = "fault"
	// Oddity marks values that are possible but rare, missing or a matter of choice, and that
	// matter to users of the log.
	Oddity Severity = "oddity"
)

// check is a rule with its finding in one log and its test.
type check struct {
	Finding
	on           bool // the rule is checked
	column       int
	comparison   string             // operator between value and bound; see ruleTable
	limit        string             // keyword of the header line with the bound
	value, bound func(*row) float64 // the column's value and the bound; NaN if unknown
	broken       func(*row) bool    // reports whether a job breaks the rule; nil if it takes more than one job
	saw, want    string             // Saw and Want of a place, with %s for the value and the bound
}

// row is a job of the log with the context that tests need.
type row struct {
	workload.Job
	previous float64 // last known submission of a job above
}

// number returns a whole number as a float64, NaN if it is unknown.
func number(n int64) float64 {
	if n == workload.Unknown {
		return math.NaN()
	}
	return float64(n)
}

// rounding is the largest error of a run time that was rounded to whole seconds, s.
const rounding = 0.5

// machine is check.limit for rules that need the number of processors.
const machine = "processors"

// ruleTable has a rule in each line:
//
//	severity name field [comparison [bound]] | meaning | saw | want | filter
//
// The field is a column or, if headers are counted, a keyword. The comparison is "unknown", or
// "<", "=" or ">" with a bound: a number, a column, a keyword of the header, "processors", or
// "above", the submission of the job above. Any other word marks a test of another kind.
// Saw and want are the texts of a place; the filter of 'clean' removes such jobs.
const ruleTable = `
fault  submit-unknown submit_time_s unknown | submission unknown | nothing | a time | submit=unknown
fault  submit-order submit_time_s < above | submitted before the job above | %s | %s or more
oddity wait-unknown wait_time_s unknown | wait unknown | nothing | a time
oddity run-unknown run_time_s unknown | run time unknown | nothing | a time | run=unknown
oddity run-past-estimate run_time_s > requested_time_s | ran longer than requested | %s | %s at most
oddity run-past-max run_time_s > MaxRuntime | ran longer than the header's MaxRuntime | %s | %s at most
oddity cpu-over-run cpu_time_s > run_time_s | mean CPU time per processor exceeds the run time by more than 0.5 s | %s | %s at most
oddity size-unknown allocated_processors | no positive number of processors allocated or requested | no positive number | 1 or more | size=unknown
fault  allocated-over-machine allocated_processors > processors | more processors allocated than the machine has | %s | %s at most | proc>%s
oddity requested-over-machine requested_processors > processors | more processors requested than the machine has | %s | %s at most
oddity requested-below-allocated requested_processors < allocated_processors | more processors allocated than requested | %s | %s or more, as allocated
oddity memory-over-requested used_memory_kb > requested_memory_kb | used more memory than requested | %s | %s at most
oddity memory-over-max used_memory_kb > MaxMemory | used more memory than the header's MaxMemory | %s | %s at most
fault  nodes-over-machine allocated_nodes > MaxNodes | more nodes allocated than the header's MaxNodes | %s | %s at most
fault  gpus-over-machine allocated_gpus > MaxGPUs | more GPUs allocated than the header's MaxGPUs | %s | %s at most
oddity job-unknown job_id unknown | job id unknown | nothing | a number
fault  job-duplicate job_id | job id repeats that of a job above (except parts of a job, status 2 to 4) | %s | a unique number | duplicates(by=id)
oddity status-unknown status unknown | status unknown | nothing | 0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled)
fault  status-range status | status code that is not defined | %s | 0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled) | status!=0..5,unknown
oddity status-part status | part of a job, though the header says Preemption: No | %s (part of a job) | 0, 1 or 5 (failed, completed or cancelled) | status=2..4
oddity cancelled-but-ran run_time_s | cancelled, and ran | %s | 0 or none: the job was cancelled (status 5)
oddity completed-without-run status | completed, without a run time | 1 (completed) and no run time | a run time
oddity failed-at-start status | failed with a run time of 0 | 0 (failed) and a run time of 0 | a run time above 0 | status=0 and run=0
oddity preceding-not-above preceding_job_id | no job above has the number of the preceding job | %s | the number of a job above
oddity think-without-preceding think_time_s | think time without a preceding job | %s | none, or a preceding job
fault  machine-over-full allocated_processors sum processors | more processors busy than the machine has
oddity submissions-are-starts submit_time_s busy processors | fits at once on a busy machine: submission times look like starts
oddity header-jobs MaxJobs is MaxJobs | MaxJobs is neither the number of jobs nor that of records
oddity header-records MaxRecords is MaxRecords | MaxRecords is not the number of records
oddity header-unreadable | a value that is not a number
`

// tests are the tests of rules that do not compare a value with a bound.
var tests = map[string]func(*row) bool{
	"cpu-over-run":              func(r *row) bool { return r.Run >= 0 && r.CPUTime > r.Run+rounding },
	"size-unknown":              func(r *row) bool { return r.Size == workload.Unknown },
	"requested-below-allocated": func(r *row) bool { return r.Processors > 0 && r.Processors < r.Allocated },
	"status-range":              func(r *row) bool { return r.Status != workload.Unknown && (r.Status < 0 || r.Status > 5) },
	"status-part":               func(r *row) bool { return r.IsPart() },
	"cancelled-but-ran":         func(r *row) bool { return r.Status == workload.StatusCancelled && r.Run > 0 },
	"completed-without-run":     func(r *row) bool { return r.Status == workload.StatusCompleted && math.IsNaN(r.Run) },
	"failed-at-start":           func(r *row) bool { return r.Status == workload.StatusFailed && r.Run == 0 },
	"think-without-preceding":   func(r *row) bool { return r.Preceding == workload.Unknown && !math.IsNaN(r.Think) },
}

// test returns the test of the rule's comparison. A NaN is neither above nor below a number, so
// that unknown values break only the rules about unknown values.
func (c *check) test() func(*row) bool {
	switch c.comparison {
	case "unknown":
		return func(r *row) bool { return math.IsNaN(c.value(r)) }
	case ">": // a bound of 0 means none
		return func(r *row) bool { bound := c.bound(r); return bound > 0 && c.value(r) > bound }
	case "<":
		return func(r *row) bool { return c.value(r) < c.bound(r) }
	case "=":
		return func(r *row) bool { return c.value(r) == c.bound(r) }
	}
	return nil
}

// compareWith sets the bound. Bounds in the header are set later, when it is read.
func (c *check) compareWith(bound string) {
	column := workload.ColumnIndex(bound)
	x, err := strconv.ParseFloat(bound, 64)
	switch {
	case column >= 0:
		c.bound = valueOf(column)
	case err == nil:
		c.bound = constant(x)
	case bound == "above":
		c.bound = func(r *row) float64 { return r.previous }
	default:
		c.limit = bound
	}
}

func constant(x float64) func(*row) float64 { return func(*row) float64 { return x } }

// rules returns all checks, in the order of the findings.
func rules() (all []*check) {
	lines := strings.Split(strings.TrimSpace(ruleTable), "\n")
	var zeros []string
	for column, c := range workload.Columns() {
		words := columnWords(c.Name)
		name := strings.ReplaceAll(words, " ", "-")
		// -1 means unknown in text formats, so it does not occur here.
		lines = append(lines, fmt.Sprintf("fault negative-%s %s < 0 | negative %s | %%s | 0 or more | %[2]s<0", name, c.Name, words))
		switch column {
		case workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColRequestedProcessors, workload.ColRequestedTime:
			zeros = append(zeros, fmt.Sprintf("oddity zero-%s %s = 0 | %s of 0 | 0 | more than 0", name, c.Name, words))
		}
	}
	for _, line := range append(lines, zeros...) {
		cells := append(strings.Split(line, " | "), "", "", "")
		words := append(strings.Fields(cells[0]), "", "", "")
		c := &check{Finding: Finding{
			Rule: words[1], Severity: Severity(words[0]), Field: words[2], Words: cells[1],
			Counts: "jobs", Places: []Place{}, Filter: cells[4],
		}, comparison: words[3], saw: cells[2], want: cells[3]}
		switch {
		case c.Rule == "machine-over-full":
			c.Counts = "moments"
		case strings.HasPrefix(c.Rule, "header-"):
			c.Counts = "headers"
		}
		if c.column = workload.ColumnIndex(c.Field); c.column >= 0 {
			c.value = valueOf(c.column)
		}
		c.compareWith(words[4])
		if c.broken = tests[c.Rule]; c.broken == nil {
			c.broken = c.test()
		}
		all = append(all, c)
	}
	return all
}

// valueOf returns the function for the value of a column, NaN if it is unknown.
func valueOf(column int) func(*row) float64 {
	c := workload.ColumnAt(column)
	if c.Float() {
		return func(r *row) float64 { return c.Number(&r.Job) }
	}
	return func(r *row) float64 { return number(c.Int(&r.Job)) }
}

// orderedFormats are the names of the formats whose jobs are in order of submission. Slurm logs and
// tables of other programs need not be.
var orderedFormats = []string{"swf", "gwf", "parquet", "arrow", "memory"}

// columnWords returns a column's name in words, which the readers' rules use too: "run time" for
// run_time_s.
func columnWords(name string) string {
	for _, unit := range []string{"_s", "_kb", "_j"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// readerPrefix is the prefix of the names of rules for the reader's warnings, which only the text
// of a format can break.
const readerPrefix = "reader-"

// Rules returns every rule that Validate checks, in the order of the findings and without counts.
// Findings from the warnings of a log's reader have a rule named "reader-" and the warning's name;
// they are not listed here.
func Rules() []Finding {
	var all []Finding
	for _, c := range rules() {
		all = append(all, c.Finding)
	}
	return all
}

// checkRules returns a *workload.OptionError for the first pattern that matches no rule. Patterns
// are as in path.Match, with an optional "!" in front.
func checkRules(patterns []string) error {
	for _, p := range patterns {
		p = strings.TrimPrefix(p, "!")
		_, err := path.Match(p, "")
		found := slices.ContainsFunc(Rules(), func(r Finding) bool { ok, _ := path.Match(p, r.Rule); return ok })
		if err != nil || !found && !strings.HasPrefix(p, readerPrefix) {
			return workload.OptionFault("rules", strconv.Quote(p)+", which matches no rule", "names of rules, or patterns such as header-*")
		}
	}
	return nil
}

// chosen reports whether a name matches one of the patterns and none of those after a "!". If all
// patterns are after a "!", every name that they do not match is chosen.
func chosen(patterns []string, name string) bool {
	among, found := false, false
	for _, p := range patterns {
		p, excludes := strings.CutPrefix(p, "!")
		ok, _ := path.Match(p, name)
		if ok && excludes {
			return false
		}
		among, found = among || !excludes, found || ok
	}
	return found || !among
}
