package inspect

import (
	"math"
	"strconv"

	"github.com/loadstone-hpc/loadstone/workload"
)

// rounding is how much a run time in whole seconds may be off.
const rounding = 0.5

// job checks one job. A number compared with NaN is never over or under it, so
// that what is unknown breaks no rule but those about the unknown.
func (v *validator) job(j *workload.Job) {
	v.times(j)
	v.sizes(j)
	v.status(j)
	v.signs(j)
	if j.HasOptional() {
		v.optional(j)
	}
	v.identity(j)
	v.queues.add(j.Queue)
	v.partitions.add(j.Partition)
	if v.starts != nil {
		v.starts.Add(j.Submit, j.Wait, j.Run, j.Size)
	}
	if v.busy != nil {
		v.busy.add(j)
	}
}

func (v *validator) times(j *workload.Job) {
	switch {
	case math.IsNaN(j.Submit):
		if v.hit(ruleSubmitUnknown) {
			v.at(ruleSubmitUnknown, j, "nothing", "a time")
		}
	default:
		if math.Abs(j.Submit) > latestTime && v.hit(ruleSubmitBeyond) {
			v.at(ruleSubmitBeyond, j, plain(j.Submit), "1e15 at most, which still is a time to the second")
		}
		if j.Submit < v.submit && v.hit(ruleSubmitOrder) {
			v.at(ruleSubmitOrder, j, plain(j.Submit), atLeast(v.submit))
		}
		v.submit = j.Submit
		if j.Submit > v.limits.end && v.hit(ruleSubmitPastEnd) {
			v.at(ruleSubmitPastEnd, j, plain(j.Submit), atMost(v.limits.end))
		}
		if end := j.Submit + known(j.Wait) + known(j.Run); end > v.limits.end && v.hit(ruleEndPastEnd) {
			v.at(ruleEndPastEnd, j, "an end at "+plain(end), atMost(v.limits.end))
		}
	}
	if math.IsNaN(j.Wait) && v.hit(ruleWaitUnknown) {
		v.at(ruleWaitUnknown, j, "nothing", "a time")
	}
	if math.IsNaN(j.Run) && v.hit(ruleRunUnknown) {
		v.at(ruleRunUnknown, j, "nothing", "a time")
	}
	if j.Time > 0 && j.Run > j.Time && v.hit(ruleRunPastEstimate) {
		v.at(ruleRunPastEstimate, j, plain(j.Run), atMost(j.Time))
	}
	if j.Run > v.limits.run && v.hit(ruleRunPastMax) {
		v.at(ruleRunPastMax, j, plain(j.Run), atMost(v.limits.run))
	}
	if j.Run >= 0 && j.CPUTime > j.Run+rounding && v.hit(ruleCpuOverRun) {
		v.at(ruleCpuOverRun, j, plain(j.CPUTime), atMost(j.Run))
	}
}

func (v *validator) sizes(j *workload.Job) {
	if j.Size == workload.Unknown && v.hit(ruleSizeUnknown) {
		v.at(ruleSizeUnknown, j, "no positive number", "1 or more")
	}
	if most := v.limits.processors; most > 0 {
		if j.Allocated > most && v.hit(ruleAllocatedOverMachine) {
			v.at(ruleAllocatedOverMachine, j, whole(j.Allocated), whole(most)+" at most")
		}
		if j.Processors > most && v.hit(ruleRequestedOverMachine) {
			v.at(ruleRequestedOverMachine, j, whole(j.Processors), whole(most)+" at most")
		}
	}
	if j.Processors > 0 && j.Allocated > j.Processors && v.hit(ruleRequestedBelowAllocated) {
		v.at(ruleRequestedBelowAllocated, j, whole(j.Processors), whole(j.Allocated)+" or more, as allocated")
	}
	if j.Allocated == 0 && (j.Run > 0 || j.Status == workload.StatusCompleted) && v.hit(ruleRanWithoutProcessors) {
		v.at(ruleRanWithoutProcessors, j, "0", "1 or more")
	}
	if j.Memory > 0 && j.UsedMemory > j.Memory && v.hit(ruleMemoryOverRequested) {
		v.at(ruleMemoryOverRequested, j, plain(j.UsedMemory), atMost(j.Memory))
	}
	if j.UsedMemory > v.limits.memory && v.hit(ruleMemoryOverMax) {
		v.at(ruleMemoryOverMax, j, plain(j.UsedMemory), atMost(v.limits.memory))
	}
}

// status checks the status code, and what it says against the times.
func (v *validator) status(j *workload.Job) {
	code := j.Status
	switch {
	case code == workload.Unknown:
		if v.hit(ruleStatusUnknown) {
			v.at(ruleStatusUnknown, j, "nothing", "0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled)")
		}
	case code < workload.StatusFailed || code > workload.StatusCancelled:
		if v.hit(ruleStatusRange) {
			v.at(ruleStatusRange, j, whole(code), "0 to 5 (0 failed, 1 completed, 2 to 4 parts of a job, 5 cancelled)")
		}
	case code == workload.StatusCancelled:
		if j.Run > 0 && v.hit(ruleCancelledButRan) {
			v.at(ruleCancelledButRan, j, "5 (cancelled) and a run time of "+plain(j.Run), "a run time of 0, or none")
		}
	case code == workload.StatusCompleted:
		if math.IsNaN(j.Run) && v.hit(ruleCompletedWithoutRun) {
			v.at(ruleCompletedWithoutRun, j, "1 (completed) and no run time", "a run time")
		}
	case code == workload.StatusFailed:
		if j.Run == 0 && v.hit(ruleFailedAtStart) {
			v.at(ruleFailedAtStart, j, "0 (failed) and a run time of 0", "a run time above 0")
		}
	case v.limits.noParts && v.hit(ruleStatusPart):
		v.at(ruleStatusPart, j, whole(code)+" ("+workload.Status(code).Name()+")", "0, 1 or 5 (failed, completed or cancelled)")
	}
}

// signs checks each column for values that it cannot have.
func (v *validator) signs(j *workload.Job) {
	// Minus one is the text formats' word for unknown, and never comes here.
	v.float(j, workload.ColSubmitTime, j.Submit)
	v.float(j, workload.ColWaitTime, j.Wait)
	v.float(j, workload.ColRunTime, j.Run)
	v.int(j, workload.ColAllocatedProcessors, j.Allocated)
	v.float(j, workload.ColCPUTime, j.CPUTime)
	v.float(j, workload.ColUsedMemory, j.UsedMemory)
	v.int(j, workload.ColRequestedProcessors, j.Processors)
	v.float(j, workload.ColRequestedTime, j.Time)
	v.float(j, workload.ColRequestedMemory, j.Memory)
	v.int(j, workload.ColJobID, j.ID)
	v.int(j, workload.ColStatus, j.Status)
	v.int(j, workload.ColUser, j.User)
	v.int(j, workload.ColGroup, j.Group)
	v.int(j, workload.ColApplication, j.Application)
	v.int(j, workload.ColQueue, j.Queue)
	v.int(j, workload.ColPartition, j.Partition)
	v.int(j, workload.ColPrecedingJob, j.Preceding)
	v.float(j, workload.ColThinkTime, j.Think)
	v.float(j, workload.ColSequentialTime, j.SequentialTime)
	v.float(j, workload.ColAverageParallelism, j.AverageParallelism)
	v.float(j, workload.ColSigma, j.Sigma)
	if j.Run == 0 {
		v.zero(j, workload.ColRunTime)
	}
	if j.Allocated == 0 {
		v.zero(j, workload.ColAllocatedProcessors)
	}
	if j.Processors == 0 {
		v.zero(j, workload.ColRequestedProcessors)
	}
	if j.Time == 0 {
		v.zero(j, workload.ColRequestedTime)
	}
}

func (v *validator) float(j *workload.Job, col int, x float64) {
	if !(x < 0 || x > math.MaxFloat64) {
		return
	}
	if x < 0 && v.hit(ruleNegative+col) {
		v.at(ruleNegative+col, j, plain(x), "0 or more")
	}
	if math.IsInf(x, 0) && v.hit(ruleInfinite) {
		v.note(ruleInfinite, j.Row, v.log.Line(j.Row), j.ID, v.rules[ruleNegative+col].Field, plain(x), "a number")
	}
}

func (v *validator) int(j *workload.Job, col int, n int64) {
	if n < 0 && n != workload.Unknown && v.hit(ruleNegative+col) {
		v.at(ruleNegative+col, j, whole(n), "0 or more")
	}
}

func (v *validator) zero(j *workload.Job, col int) {
	if v.hit(ruleZero + col) {
		v.at(ruleZero+col, j, "0", "more than 0")
	}
}

// known is x, or 0 where x is negative or unknown.
func known(x float64) float64 {
	if x > 0 {
		return x
	}
	return 0
}

// plain writes a number in full, and with an exponent where that would take more
// digits than a 64-bit number has.
func plain(x float64) string {
	format := byte('f')
	if math.Abs(x) >= 1e20 {
		format = 'e'
	}
	return strconv.FormatFloat(x, format, -1, 64)
}

func whole(n int64) string     { return strconv.FormatInt(n, 10) }
func atMost(x float64) string  { return plain(x) + " at most" }
func atLeast(x float64) string { return plain(x) + " or more" }
