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

const (
	// rounding is how much a run time in whole seconds may be off.
	rounding = 0.5
	// mostWatts is above what any node of today draws: a cabinet's node of
	// eight GPUs takes some 10 kW.
	mostWatts = 20_000
	// leastMeasured is the seconds in which a meter that is read now and then counts at all.
	leastMeasured = 60
)

// power is over what the nodes of a job can draw; each processor is on a node of its own, at the
// most, where the nodes are unknown.
func power(r *row) verdict {
	nodes := number(r.TakesNodes)
	if !(nodes > 0) {
		nodes = number(r.Size)
	}
	v := over(r.Energy/r.Run, mostWatts*nodes)
	v.broken = v.broken && r.Run > 0 && nodes > 0
	return v
}

// machine is the limit of checks that need the number of processors.
const machine = "processors"

const (
	atMost   = "%s at most"
	atLeast  = "%s or more"
	statuses = "0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled)"
)

// rules returns all checks, in the order of the findings.
func rules() (all []*check) {
	// Without a test, a job breaks the rule if the column exceeds the limit, or is unknown.
	job := func(name string, s Severity, column int, words, limit, saw, want string, test func(*row) verdict) {
		value := valueOf(column)
		switch {
		case test != nil:
		case saw == "nothing":
			test = func(r *row) verdict { return unknown(value(r)) }
		case saw == "%s" && limit != "":
			test = func(r *row) verdict { return over(value(r), r.bound) }
		}
		all = append(all, &check{Rule: Rule{name, s, workload.ColumnAt(column).Name, "jobs", words}, column: column, limit: limit, saw: saw, want: want, test: test})
	}
	job("submit-unknown", Fault, workload.ColSubmitTime, "submission unknown", "", "nothing", "a time", nil)
	job("submit-beyond", Fault, workload.ColSubmitTime, "submitted beyond 1e15 s, which is 32 million years", "", "%s", "1e15 at most, which still is a time to the second",
		func(r *row) verdict { return when(math.Abs(r.Submit) > latestTime, r.Submit) })
	job("submit-order", Fault, workload.ColSubmitTime, "submitted before the job above", "", "%s", atLeast,
		func(r *row) verdict { return under(r.Submit, r.previous) })
	job("submit-past-end", Fault, workload.ColSubmitTime, "submitted after the header's EndTime", "EndTime", "%s", atMost, nil)
	job("wait-unknown", Oddity, workload.ColWaitTime, "wait unknown", "", "nothing", "a time", nil)
	job("run-unknown", Oddity, workload.ColRunTime, "run time unknown", "", "nothing", "a time", nil)
	job("run-past-estimate", Oddity, workload.ColRunTime, "ran longer than requested", "", "%s", atMost,
		func(r *row) verdict { return over(r.Run, positive(r.Time)) })
	job("run-past-max", Oddity, workload.ColRunTime, "ran longer than the header's MaxRuntime", "MaxRuntime", "%s", atMost, nil)
	job("end-past-end", Oddity, workload.ColRunTime, "ended after the header's EndTime", "EndTime", "an end at %s", atMost,
		func(r *row) verdict { return over(r.Submit+nonNegative(r.Wait)+nonNegative(r.Run), r.bound) })
	job("cpu-over-run", Oddity, workload.ColCPUTime, "mean CPU time per processor exceeds the run time by more than 0.5 s", "", "%s", atMost,
		func(r *row) verdict { return verdict{r.Run >= 0 && r.CPUTime > r.Run+rounding, r.CPUTime, r.Run} })
	job("size-unknown", Oddity, workload.ColAllocatedProcessors, "no positive number of processors allocated or requested", "", "no positive number", "1 or more",
		func(r *row) verdict { return unknown(number(r.Size)) })
	job("allocated-over-machine", Fault, workload.ColAllocatedProcessors, "more processors allocated than the machine has", machine, "%s", atMost, nil)
	job("requested-over-machine", Oddity, workload.ColRequestedProcessors, "more processors requested than the machine has", machine, "%s", atMost, nil)
	job("requested-below-allocated", Oddity, workload.ColRequestedProcessors, "more processors allocated than requested", "", "%s", "%s or more, as allocated",
		func(r *row) verdict {
			return verdict{r.Processors > 0 && r.Processors < r.Allocated, float64(r.Processors), float64(r.Allocated)}
		})
	job("ran-without-processors", Fault, workload.ColAllocatedProcessors, "ran, or completed, on 0 processors", "", "%s", "1 or more",
		func(r *row) verdict {
			return when(r.Allocated == 0 && (r.Run > 0 || r.Status == workload.StatusCompleted), 0)
		})
	job("memory-over-requested", Oddity, workload.ColUsedMemory, "used more memory than requested", "", "%s", atMost,
		func(r *row) verdict { return over(r.UsedMemory, positive(r.Memory)) })
	job("memory-over-max", Oddity, workload.ColUsedMemory, "used more memory than the header's MaxMemory", "MaxMemory", "%s", atMost, nil)
	all = append(all, &check{Rule: Rule{"infinite", Fault, "", "values", "an infinite number"}})
	job("nodes-over-machine", Fault, workload.ColAllocatedNodes, "more nodes allocated than the header's MaxNodes", "MaxNodes", "%s", atMost, nil)
	job("nodes-over-processors", Fault, workload.ColAllocatedNodes, "more nodes allocated than processors", "", "%s", atMost,
		func(r *row) verdict { return over(number(r.AllocatedNodes), positive(number(r.Allocated))) })
	job("gpus-over-machine", Fault, workload.ColAllocatedGPUs, "more GPUs allocated than the header's MaxGPUs", workload.MaxGPUs, "%s", atMost, nil)
	job("requested-gpus-over-machine", Oddity, workload.ColRequestedGPUs, "more GPUs requested than the header's MaxGPUs", workload.MaxGPUs, "%s", atMost, nil)
	job("gpu-share-range", Fault, workload.ColGPUShare, "share of a GPU below 0 or above the whole", "", "%s", "0 to 1000",
		func(r *row) verdict { n := number(r.GPUShare); return when(n < 0 || n > 1000, n) })
	job("memory-over-node", Fault, workload.ColUsedMemoryTotal, "used more memory on a node than the header's MaxNodeMemory", workload.MaxNodeMemory, "%s", atMost,
		func(r *row) verdict { return over(r.UsedMemoryTotal/positive(number(r.TakesNodes)), r.bound) })
	job("requested-memory-over-node", Oddity, workload.ColRequestedMemoryTotal, "requested more memory on a node than the header's MaxNodeMemory", workload.MaxNodeMemory, "%s", atMost,
		func(r *row) verdict { return over(r.MemoryTotal/positive(number(r.Nodes)), r.bound) })
	job("total-memory-over-requested", Oddity, workload.ColUsedMemoryTotal, "used more memory in all than requested", "", "%s", atMost,
		func(r *row) verdict { return over(r.UsedMemoryTotal, positive(r.MemoryTotal)) })
	job("power-high", Oddity, workload.ColEnergy, "mean power above 20 kW a node (a processor if nodes are unknown)", "", "%s W", "%s W at most", power)
	job("power-low", Oddity, workload.ColEnergy, "ran for a minute or longer with a mean power below 1 W", "", "%s W", "1 W or more",
		func(r *row) verdict {
			return when(r.Run >= leastMeasured && r.Energy >= 0 && r.Energy < r.Run, r.Energy/r.Run)
		})
	job("eligible-before-submit", Oddity, workload.ColEligibleTime, "eligible before it was submitted", "", "%s", atLeast,
		func(r *row) verdict { return verdict{r.Eligible < r.Submit-rounding, r.Eligible, r.Submit} })
	job("eligible-after-start", Fault, workload.ColEligibleTime, "eligible after it started", "", "%s", atMost,
		func(r *row) verdict { return verdict{r.Eligible > r.Start()+rounding, r.Eligible, r.Start()} })
	job("job-unknown", Oddity, workload.ColJobID, "job id unknown", "", "nothing", "a number", nil)
	job("job-duplicate", Fault, workload.ColJobID, "job id of a job above (parts of a job, status 2 to 4, aside)", "", "%s", "a unique number", nil)
	job("status-unknown", Oddity, workload.ColStatus, "status unknown", "", "nothing", statuses, nil)
	job("status-range", Fault, workload.ColStatus, "status code that is not defined", "", "%s", statuses,
		func(r *row) verdict { n := number(r.Status); return when(n < 0 || n > 5, n) })
	job("status-part", Oddity, workload.ColStatus, "part of a job, though the header says Preemption: No", "", "%s (part of a job)", "0, 1 or 5 (failed, completed or cancelled)",
		func(r *row) verdict { return when(isPart(r.Status), float64(r.Status)) })
	job("cancelled-but-ran", Oddity, workload.ColStatus, "cancelled, and ran", "", "5 (cancelled) and a run time of %s", "a run time of 0, or none",
		func(r *row) verdict { return isStatus(r, workload.StatusCancelled, r.Run > 0) })
	job("completed-without-run", Oddity, workload.ColStatus, "completed, without a run time", "", "1 (completed) and no run time", "a run time",
		func(r *row) verdict { return isStatus(r, workload.StatusCompleted, math.IsNaN(r.Run)) })
	job("failed-at-start", Oddity, workload.ColStatus, "failed with a run time of 0", "", "0 (failed) and a run time of 0", "a run time above 0",
		func(r *row) verdict { return isStatus(r, workload.StatusFailed, r.Run == 0) })
	job("preceding-unknown", Oddity, workload.ColPrecedingJob, "preceding job is not in the log", "", "%s", "a job of the log", nil)
	job("preceding-later", Fault, workload.ColPrecedingJob, "preceding job is the job itself or stands below it", "", "%s", "a job above", nil)
	job("think-without-preceding", Oddity, workload.ColThinkTime, "think time without a preceding job", "", "%s", "none, or a preceding job",
		func(r *row) verdict { return when(r.Preceding == workload.Unknown && !math.IsNaN(r.Think), r.Think) })
	job("machine-over-full", Fault, workload.ColAllocatedProcessors, "more processors busy than the machine has", machine, "", "", nil)
	all[len(all)-1].Counts = "moments"
	job(workload.StartsRule, Oddity, workload.ColSubmitTime, "fits at once on a busy machine: submissions seem to be the starts", machine, "", "", nil)
	header := func(name string, s Severity, field, words string) {
		all = append(all, &check{Rule: Rule{name, s, field, "headers", words}})
	}
	header("header-jobs", Oddity, "MaxJobs", "MaxJobs is neither the number of jobs nor that of records")
	header("header-records", Oddity, "MaxRecords", "MaxRecords is not the number of records")
	header("header-nodes", Oddity, "MaxNodes", "more nodes than processors")
	header("header-queues", Oddity, "MaxQueues", "more queues occur than MaxQueues")
	header("header-partitions", Oddity, "MaxPartitions", "more partitions occur than MaxPartitions")
	header("header-start", Fault, "StartTime", "StartTime is not UnixStartTime")
	header("header-end", Fault, "EndTime", "EndTime is before the start")
	header("header-unreadable", Oddity, "", "a value that is not a number, or not a date")
	var zeros []*check
	for column, c := range workload.Columns() {
		words := columnWords(c.Name)
		dashed := strings.ReplaceAll(words, " ", "-")
		value := valueOf(column)
		// Minus one is the text formats' word for unknown, and never comes here.
		job("negative-"+dashed, Fault, column, "negative "+words, "", "%s", "0 or more", func(r *row) verdict { return under(value(r), 0) })
		if slices.Contains([]int{workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColRequestedProcessors, workload.ColRequestedTime}, column) {
			job("zero-"+dashed, Oddity, column, words+" of 0", "", "0", "more than 0", func(r *row) verdict { return when(value(r) == 0, 0) })
			zeros, all = append(zeros, all[len(all)-1]), all[:len(all)-1]
		}
	}
	return append(all, zeros...)
}

// valueOf returns the value of a column, NaN where unknown.
func valueOf(column int) func(*row) float64 {
	c := workload.ColumnAt(column)
	if c.Float() {
		return func(r *row) float64 { return c.Number(&r.Job) }
	}
	return func(r *row) float64 { return number(c.Int(&r.Job)) }
}

// isPart reports whether a record is a part of an execution.
func isPart(status int64) bool {
	return status >= workload.StatusPartial && status <= workload.StatusLastFailed
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
