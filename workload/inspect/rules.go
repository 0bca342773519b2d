package inspect

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Severity says how serious a finding is.
type Severity string

const (
	// Fault marks what cannot be true or what the format forbids.
	Fault Severity = "fault"
	// Oddity marks what may be true but is rare, missing or a matter of choice, and matters
	// to users of the log.
	Oddity Severity = "oddity"
)

// Rule is one check of a log.
type Rule struct {
	Name     string
	Severity Severity
	Field    string // column, or keyword of the header
	Counts   string // what is counted: "jobs", "moments", "headers", "lines", "columns"
	Words    string // what a finding means, in words
}

// check is a rule and its test.
type check struct {
	Rule
	column int
	limit  string // keyword of the header, which gives the bound of the test
	// saw and want are the texts of a place, with %s for the numbers of the verdict.
	saw, want string
	test      func(*row) verdict // of a job; nil for what takes more than one job

	// What is found in one log.
	on     bool // the rule is checked
	bound  float64
	count  int64
	places []Place
	note   string
}

// row is a job of the log, for the tests.
type row struct {
	workload.Job
	bound    float64 // of the check
	previous float64 // submission of the last job above whose submission is known
}

// verdict is the result of a test: a number compared with NaN is never over or under it, so
// that what is unknown breaks no rule but those about the unknown.
type verdict struct {
	broken     bool
	saw, bound float64
}

func over(saw, most float64) verdict                  { return verdict{saw > most, saw, most} }
func under(saw, least float64) verdict                { return verdict{saw < least, saw, least} }
func when(broken bool, saw float64) verdict           { return verdict{broken: broken, saw: saw} }
func unknown(x float64) verdict                       { return when(math.IsNaN(x), x) }
func isStatus(r *row, status int64, and bool) verdict { return when(r.Status == status && and, r.Run) }

// positive is a bound, which only a number above 0 is.
func positive(x float64) float64 {
	if x > 0 {
		return x
	}
	return math.Inf(1)
}

// number is a whole number, NaN where unknown.
func number(n int64) float64 {
	if n == workload.Unknown {
		return math.NaN()
	}
	return float64(n)
}

// rounding is how much a run time in whole seconds may be off.
const rounding = 0.5

// machine is the limit of checks that need the number of processors.
const machine = "processors"

// ruleTable has a rule in each line: its severity and name; the column or, of what counts
// headers, the keyword that it is about; the limit that its test needs, if any: a keyword, or a
// column with the bound; what it means; and what a place shows of what was seen and what was
// expected.
const ruleTable = `
fault  submit-unknown submit_time_s | submission unknown | nothing | a time
fault  submit-order submit_time_s | submitted before the job above | %s | %s or more
oddity wait-unknown wait_time_s | wait unknown | nothing | a time
oddity run-unknown run_time_s | run time unknown | nothing | a time
oddity run-past-estimate run_time_s requested_time_s | ran longer than requested | %s | %s at most
oddity run-past-max run_time_s MaxRuntime | ran longer than the header's MaxRuntime | %s | %s at most
oddity cpu-over-run cpu_time_s | mean CPU time per processor exceeds the run time by more than 0.5 s | %s | %s at most
oddity size-unknown allocated_processors | no positive number of processors allocated or requested | no positive number | 1 or more
fault  allocated-over-machine allocated_processors processors | more processors allocated than the machine has | %s | %s at most
oddity requested-over-machine requested_processors processors | more processors requested than the machine has | %s | %s at most
oddity requested-below-allocated requested_processors | more processors allocated than requested | %s | %s or more, as allocated
oddity memory-over-requested used_memory_kb requested_memory_kb | used more memory than requested | %s | %s at most
oddity memory-over-max used_memory_kb MaxMemory | used more memory than the header's MaxMemory | %s | %s at most
fault  nodes-over-machine allocated_nodes MaxNodes | more nodes allocated than the header's MaxNodes | %s | %s at most
fault  gpus-over-machine allocated_gpus MaxGPUs | more GPUs allocated than the header's MaxGPUs | %s | %s at most
oddity job-unknown job_id | job id unknown | nothing | a number
fault  job-duplicate job_id | job id of a job above (parts of a job, status 2 to 4, aside) | %s | a unique number
oddity status-unknown status | status unknown | nothing | 0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled)
fault  status-range status | status code that is not defined | %s | 0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled)
oddity status-part status | part of a job, though the header says Preemption: No | %s (part of a job) | 0, 1 or 5 (failed, completed or cancelled)
oddity cancelled-but-ran status | cancelled, and ran | 5 (cancelled) and a run time of %s | a run time of 0, or none
oddity completed-without-run status | completed, without a run time | 1 (completed) and no run time | a run time
oddity failed-at-start status | failed with a run time of 0 | 0 (failed) and a run time of 0 | a run time above 0
oddity preceding-not-above preceding_job_id | preceding job is none of the jobs above | %s | the number of a job above
oddity think-without-preceding think_time_s | think time without a preceding job | %s | none, or a preceding job
fault  machine-over-full allocated_processors processors | more processors busy than the machine has
oddity submissions-are-starts submit_time_s processors | fits at once on a busy machine: submissions seem to be the starts
oddity header-jobs MaxJobs | MaxJobs is neither the number of jobs nor that of records
oddity header-records MaxRecords | MaxRecords is not the number of records
oddity header-unreadable | a value that is not a number
`

// tests are those of rules that do more than compare the column with the limit, or ask whether
// it is known.
var tests = map[string]func(*row) verdict{
	"submit-order": func(r *row) verdict { return under(r.Submit, r.previous) },
	"cpu-over-run": func(r *row) verdict { return verdict{r.Run >= 0 && r.CPUTime > r.Run+rounding, r.CPUTime, r.Run} },
	"size-unknown": func(r *row) verdict { return unknown(number(r.Size)) },
	"requested-below-allocated": func(r *row) verdict {
		return verdict{r.Processors > 0 && r.Processors < r.Allocated, float64(r.Processors), float64(r.Allocated)}
	},
	"status-range":            func(r *row) verdict { n := number(r.Status); return when(n < 0 || n > 5, n) },
	"status-part":             func(r *row) verdict { return when(r.IsPart(), float64(r.Status)) },
	"cancelled-but-ran":       func(r *row) verdict { return isStatus(r, workload.StatusCancelled, r.Run > 0) },
	"completed-without-run":   func(r *row) verdict { return isStatus(r, workload.StatusCompleted, math.IsNaN(r.Run)) },
	"failed-at-start":         func(r *row) verdict { return isStatus(r, workload.StatusFailed, r.Run == 0) },
	"think-without-preceding": func(r *row) verdict { return when(r.Preceding == workload.Unknown && !math.IsNaN(r.Think), r.Think) },
}

// rules returns all checks, in the order of the findings.
func rules() (all []*check) {
	for line := range strings.SplitSeq(strings.TrimSpace(ruleTable), "\n") {
		cells := append(strings.Split(line, " | "), "", "")
		words := append(strings.Fields(cells[0]), "", "")
		c := newCheck(words[1], Severity(words[0]), words[2], cells[1])
		c.limit, c.saw, c.want = words[3], cells[2], cells[3]
		most := workload.ColumnIndex(c.limit)
		switch {
		case c.test != nil || c.saw == "":
		case c.saw == "nothing":
			value := valueOf(c.column)
			c.test = func(r *row) verdict { return unknown(value(r)) }
		case most >= 0:
			value, bound := valueOf(c.column), valueOf(most)
			c.limit = ""
			c.test = func(r *row) verdict { return over(value(r), positive(bound(r))) }
		case c.limit != "":
			value := valueOf(c.column)
			c.test = func(r *row) verdict { return over(value(r), r.bound) }
		}
		all = append(all, c)
	}
	var zeros []*check
	for column, c := range workload.Columns() {
		words := columnWords(c.Name)
		dashed := strings.ReplaceAll(words, " ", "-")
		value := valueOf(column)
		// Minus one is the text formats' word for unknown, and never comes here.
		negative := newCheck("negative-"+dashed, Fault, c.Name, "negative "+words)
		negative.saw, negative.want = "%s", "0 or more"
		negative.test = func(r *row) verdict { return under(value(r), 0) }
		all = append(all, negative)
		switch column {
		case workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColRequestedProcessors, workload.ColRequestedTime:
			zero := newCheck("zero-"+dashed, Oddity, c.Name, words+" of 0")
			zero.saw, zero.want = "0", "more than 0"
			zero.test = func(r *row) verdict { return when(value(r) == 0, 0) }
			zeros = append(zeros, zero)
		}
	}
	return append(all, zeros...)
}

func newCheck(name string, severity Severity, field, words string) *check {
	counts := "jobs"
	switch {
	case name == "machine-over-full":
		counts = "moments"
	case strings.HasPrefix(name, "header-"):
		counts = "headers"
	}
	return &check{Rule: Rule{name, severity, field, counts, words}, column: workload.ColumnIndex(field), test: tests[name]}
}

// valueOf returns the value of a column, NaN where unknown.
func valueOf(column int) func(*row) float64 {
	c := workload.ColumnAt(column)
	if c.Float() {
		return func(r *row) float64 { return c.Number(&r.Job) }
	}
	return func(r *row) float64 { return number(c.Int(&r.Job)) }
}

// orderedFormats are the formats, by name, whose jobs stand in the order of submission. Slurm's and
// the tables of other programs do not promise it.
var orderedFormats = []string{"swf", "gwf", "parquet", "arrow", "memory"}

// columnWords is a column's name for people, in which the readers' rules name
// it too: "run time" for run_time_s.
func columnWords(name string) string {
	for _, unit := range []string{"_s", "_kb", "_j"} {
		name = strings.TrimSuffix(name, unit)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// readerPrefix begins the names of what the reader counted: rules that only
// the text of a format can break.
const readerPrefix = "reader-"

// Rules returns every rule that Validate checks, in the order of the findings. Findings of
// a log's reader have a rule named "reader-" and the name of its warning; they are not
// listed here.
func Rules() []Rule {
	var all []Rule
	for _, c := range rules() {
		all = append(all, c.Rule)
	}
	return all
}

// checkRules returns a *workload.OptionError for the first of the patterns, which
// are as in path.Match, after a "!" or not, that matches no rule.
func checkRules(patterns []string) error {
	for _, p := range patterns {
		p = strings.TrimPrefix(p, "!")
		_, err := path.Match(p, "")
		found := slices.ContainsFunc(Rules(), func(r Rule) bool { ok, _ := path.Match(p, r.Name); return ok })
		if err != nil || !found && !strings.HasPrefix(p, readerPrefix) {
			return workload.OptionFault("rules", strconv.Quote(p)+", which matches no rule", "names of rules, or patterns such as header-*")
		}
	}
	return nil
}

// chosen reports whether one of the patterns matches a name, and none after a "!" does.
// Without a pattern that chooses, everything is chosen that is not excluded.
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
