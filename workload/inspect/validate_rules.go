package inspect

import (
	"path"
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

// The rules by number. Negative values and zeros have a rule a column, behind
// these.
const (
	ruleSubmitUnknown = iota
	ruleSubmitBeyond
	ruleSubmitOrder
	ruleSubmitPastEnd
	ruleWaitUnknown
	ruleRunUnknown
	ruleRunPastEstimate
	ruleRunPastMax
	ruleEndPastEnd
	ruleCpuOverRun
	ruleSizeUnknown
	ruleAllocatedOverMachine
	ruleRequestedOverMachine
	ruleRequestedBelowAllocated
	ruleRanWithoutProcessors
	ruleMemoryOverRequested
	ruleMemoryOverMax
	ruleInfinite
	ruleNodesOverMachine
	ruleNodesOverProcessors
	ruleGPUsOverMachine
	ruleRequestedGPUsOverMachine
	ruleGPUShareRange
	ruleMemoryOverNode
	ruleRequestedMemoryOverNode
	ruleTotalMemoryOverRequested
	rulePowerHigh
	rulePowerLow
	ruleEligibleBeforeSubmit
	ruleEligibleAfterStart
	ruleJobUnknown
	ruleJobDuplicate
	ruleStatusUnknown
	ruleStatusRange
	ruleStatusPart
	ruleCancelledButRan
	ruleCompletedWithoutRun
	ruleFailedAtStart
	rulePrecedingUnknown
	rulePrecedingLater
	ruleThinkWithoutPreceding
	ruleMachineOverFull
	ruleSubmissionsAreStarts
	ruleHeaderJobs
	ruleHeaderRecords
	ruleHeaderNodes
	ruleHeaderQueues
	ruleHeaderPartitions
	ruleHeaderStart
	ruleHeaderEnd
	ruleHeaderUnreadable
	ruleNegative
	ruleZero = ruleNegative + workload.NumColumns
	numRules = ruleZero + workload.NumColumns
)

// zeros are the columns in which zero is odd.
var zeros = []int{
	workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColRequestedProcessors, workload.ColRequestedTime,
}

// rules are all of them, by number; those of columns that have none are empty.
var rules = func() (rs [numRules]Rule) {
	columns := workload.Columns()
	job := func(n int, name string, s Severity, col int, words string) {
		rs[n] = Rule{name, s, columns[col].Name, "jobs", words}
	}
	job(ruleSubmitUnknown, "submit-unknown", Fault, workload.ColSubmitTime, "submission unknown")
	job(ruleSubmitBeyond, "submit-beyond", Fault, workload.ColSubmitTime, "submitted beyond 1e15 s, which is 32 million years")
	job(ruleSubmitOrder, "submit-order", Fault, workload.ColSubmitTime, "submitted before the job above")
	job(ruleSubmitPastEnd, "submit-past-end", Fault, workload.ColSubmitTime, "submitted after the header's EndTime")
	job(ruleWaitUnknown, "wait-unknown", Oddity, workload.ColWaitTime, "wait unknown")
	job(ruleRunUnknown, "run-unknown", Oddity, workload.ColRunTime, "run time unknown")
	job(ruleRunPastEstimate, "run-past-estimate", Oddity, workload.ColRunTime, "ran longer than requested")
	job(ruleRunPastMax, "run-past-max", Oddity, workload.ColRunTime, "ran longer than the header's MaxRuntime")
	job(ruleEndPastEnd, "end-past-end", Oddity, workload.ColRunTime, "ended after the header's EndTime")
	job(ruleCpuOverRun, "cpu-over-run", Oddity, workload.ColCPUTime, "mean CPU time per processor exceeds the run time by more than 0.5 s")
	job(ruleSizeUnknown, "size-unknown", Oddity, workload.ColAllocatedProcessors, "no positive number of processors allocated or requested")
	job(ruleAllocatedOverMachine, "allocated-over-machine", Fault, workload.ColAllocatedProcessors, "more processors allocated than the machine has")
	job(ruleRequestedOverMachine, "requested-over-machine", Oddity, workload.ColRequestedProcessors, "more processors requested than the machine has")
	job(ruleRequestedBelowAllocated, "requested-below-allocated", Oddity, workload.ColRequestedProcessors, "more processors allocated than requested")
	job(ruleRanWithoutProcessors, "ran-without-processors", Fault, workload.ColAllocatedProcessors, "ran, or completed, on 0 processors")
	job(ruleMemoryOverRequested, "memory-over-requested", Oddity, workload.ColUsedMemory, "used more memory than requested")
	job(ruleMemoryOverMax, "memory-over-max", Oddity, workload.ColUsedMemory, "used more memory than the header's MaxMemory")
	rs[ruleInfinite] = Rule{"infinite", Fault, "", "values", "an infinite number"}
	job(ruleNodesOverMachine, "nodes-over-machine", Fault, workload.ColAllocatedNodes, "more nodes allocated than the header's MaxNodes")
	job(ruleNodesOverProcessors, "nodes-over-processors", Fault, workload.ColAllocatedNodes, "more nodes allocated than processors")
	job(ruleGPUsOverMachine, "gpus-over-machine", Fault, workload.ColAllocatedGPUs, "more GPUs allocated than the header's MaxGPUs")
	job(ruleRequestedGPUsOverMachine, "requested-gpus-over-machine", Oddity, workload.ColRequestedGPUs, "more GPUs requested than the header's MaxGPUs")
	job(ruleGPUShareRange, "gpu-share-range", Fault, workload.ColGPUShare, "share of a GPU below 0 or above the whole")
	job(ruleMemoryOverNode, "memory-over-node", Fault, workload.ColUsedMemoryTotal, "used more memory on a node than the header's MaxNodeMemory")
	job(ruleRequestedMemoryOverNode, "requested-memory-over-node", Oddity, workload.ColRequestedMemoryTotal, "requested more memory on a node than the header's MaxNodeMemory")
	job(ruleTotalMemoryOverRequested, "total-memory-over-requested", Oddity, workload.ColUsedMemoryTotal, "used more memory in all than requested")
	job(rulePowerHigh, "power-high", Oddity, workload.ColEnergy, "mean power above 20 kW a node (a processor if nodes are unknown)")
	job(rulePowerLow, "power-low", Oddity, workload.ColEnergy, "ran for a minute or longer with a mean power below 1 W")
	job(ruleEligibleBeforeSubmit, "eligible-before-submit", Oddity, workload.ColEligibleTime, "eligible before it was submitted")
	job(ruleEligibleAfterStart, "eligible-after-start", Fault, workload.ColEligibleTime, "eligible after it started")
	job(ruleJobUnknown, "job-unknown", Oddity, workload.ColJobID, "job id unknown")
	job(ruleJobDuplicate, "job-duplicate", Fault, workload.ColJobID, "job id of a job above (parts of a job, status 2 to 4, aside)")
	job(ruleStatusUnknown, "status-unknown", Oddity, workload.ColStatus, "status unknown")
	job(ruleStatusRange, "status-range", Fault, workload.ColStatus, "status code that is not defined")
	job(ruleStatusPart, "status-part", Oddity, workload.ColStatus, "part of a job, though the header says Preemption: No")
	job(ruleCancelledButRan, "cancelled-but-ran", Oddity, workload.ColStatus, "cancelled, and ran")
	job(ruleCompletedWithoutRun, "completed-without-run", Oddity, workload.ColStatus, "completed, without a run time")
	job(ruleFailedAtStart, "failed-at-start", Oddity, workload.ColStatus, "failed with a run time of 0")
	job(rulePrecedingUnknown, "preceding-unknown", Oddity, workload.ColPrecedingJob, "preceding job is not in the log")
	job(rulePrecedingLater, "preceding-later", Fault, workload.ColPrecedingJob, "preceding job is the job itself or stands below it")
	job(ruleThinkWithoutPreceding, "think-without-preceding", Oddity, workload.ColThinkTime, "think time without a preceding job")
	job(ruleSubmissionsAreStarts, workload.StartsRule, Oddity, workload.ColSubmitTime, "fits at once on a busy machine: submissions seem to be the starts")
	rs[ruleMachineOverFull] = Rule{"machine-over-full", Fault, workload.Columns()[workload.ColAllocatedProcessors].Name, "moments", "more processors busy than the machine has"}
	header := func(n int, name string, s Severity, field, words string) {
		rs[n] = Rule{name, s, field, "headers", words}
	}
	header(ruleHeaderJobs, "header-jobs", Oddity, "MaxJobs", "MaxJobs is neither the number of jobs nor that of records")
	header(ruleHeaderRecords, "header-records", Oddity, "MaxRecords", "MaxRecords is not the number of records")
	header(ruleHeaderNodes, "header-nodes", Oddity, "MaxNodes", "more nodes than processors")
	header(ruleHeaderQueues, "header-queues", Oddity, "MaxQueues", "more queues occur than MaxQueues")
	header(ruleHeaderPartitions, "header-partitions", Oddity, "MaxPartitions", "more partitions occur than MaxPartitions")
	header(ruleHeaderStart, "header-start", Fault, "StartTime", "StartTime is not UnixStartTime")
	header(ruleHeaderEnd, "header-end", Fault, "EndTime", "EndTime is before the start")
	header(ruleHeaderUnreadable, "header-unreadable", Oddity, "", "a value that is not a number, or not a date")
	for col, c := range columns {
		words := columnWords(c.Name)
		dashed := strings.ReplaceAll(words, " ", "-")
		job(ruleNegative+col, "negative-"+dashed, Fault, col, "negative "+words)
		for _, zero := range zeros {
			if zero == col {
				job(ruleZero+col, "zero-"+dashed, Oddity, col, words+" of 0")
			}
		}
	}
	return rs
}()

// orderedFormats are the formats, by name, whose jobs stand in the order of submission. Slurm's and
// the tables of other programs do not promise it.
var orderedFormats = map[string]bool{"swf": true, "gwf": true, "parquet": true, "arrow": true, "memory": true}

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
	var rs []Rule
	for _, r := range rules {
		if r.Name != "" {
			rs = append(rs, r)
		}
	}
	return rs
}

// checkRules returns a *workload.OptionError for the first of the patterns, which
// are as in path.Match, after a "!" or not, that matches no rule.
func checkRules(patterns []string) error {
	for _, p := range patterns {
		p = strings.TrimPrefix(p, "!")
		found := strings.HasPrefix(p, readerPrefix)
		for _, r := range rules {
			ok, err := path.Match(p, r.Name)
			if err != nil {
				return &workload.OptionError{Option: "rules", Saw: strconv.Quote(p), Want: "names of rules, or patterns such as header-*"}
			}
			found = found || ok && r.Name != ""
		}
		if !found {
			return &workload.OptionError{Option: "rules", Saw: strconv.Quote(p) + ", which matches no rule", Want: "names of rules, or patterns such as header-*"}
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
