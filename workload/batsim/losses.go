package batsim

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// refuses is the column on whose account Batsim would refuse the job,
// or "". It wants a time of submission, at least one resource and a delay
// above 0.
func refuses(j *workload.Job) (column string) {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		return workload.ColumnAt(workload.ColSubmitTime).Name
	case j.Size < 1 || j.Size > maxResources: // Unknown is below
		return workload.ColumnAt(workload.ColRequestedProcessors).Name
	case !(j.Run > 0) || math.IsInf(j.Run, 1):
		return workload.ColumnAt(workload.ColRunTime).Name
	}
	return ""
}

// walltime returns the limit of a job's run time that Batsim gets, in
// seconds; ok is false where there is none. Batsim kills a job whose delay is
// not below its walltime (do_delay_task in its src/jobs_execution.cpp), and in
// a log that job ran as long as it did: its limit is raised to a second above
// the run time, the least that a scheduler that counts in seconds tells from
// it.
func walltime(j *workload.Job) (limit float64, raised, ok bool) {
	switch {
	case !(j.Time > 0) || math.IsInf(j.Time, 1):
		return 0, false, false
	case j.Time > j.Run:
		return j.Time, false, true
	}
	// Beyond 2^53 a second more is the same number.
	return max(j.Run+1, math.Nextafter(j.Run, math.Inf(1))), true, true
}

// Losses returns what a Batsim workload file loses of a batch. Jobs that Batsim would
// refuse are left out and counted under the column that is the reason. Of the other jobs it
// counts
//   - known values in columns that the file does not have,
//   - run time limits that are not above 0 or not above the run time,
//   - requests for a number of processors other than the number allocated, which is written.
func Losses(b *workload.Batch) []workload.Loss {
	var refused [workload.NumColumns]int64
	var lost [workload.NumColumns]int64
	var raised int64
	var without []int // columns with values and without a field
	for col := range lost {
		if !hasField(col) && b.Known(col) > 0 {
			without = append(without, col)
		}
	}
	for i := range b.Rows {
		j := b.Job(i, int64(i))
		if name := refuses(&j); name != "" {
			refused[workload.ColumnIndex(name)]++
			continue
		}
		switch _, up, ok := walltime(&j); {
		case up:
			raised++
		case !ok && !math.IsNaN(j.Time):
			lost[workload.ColRequestedTime]++
		}
		if j.Processors != workload.Unknown && j.Processors != j.Size {
			lost[workload.ColRequestedProcessors]++
		}
		if j.Allocated != workload.Unknown && j.Allocated != j.Size {
			lost[workload.ColAllocatedProcessors]++
		}
		for _, col := range without {
			if workload.ColumnAt(col).Known(&j) {
				lost[col]++
			}
		}
	}
	var losses []workload.Loss
	for col := range workload.NumColumns {
		name := workload.ColumnAt(col).Name
		if n := refused[col]; n > 0 {
			losses = append(losses, workload.Loss{Column: name, Why: whyRefused[col], Values: n})
		}
		if n := lost[col]; n > 0 {
			why := "the format has no such field"
			if w, ok := whyLost[col]; ok {
				why = w
			}
			losses = append(losses, workload.Loss{Column: name, Why: why, Values: n})
		}
		if col == workload.ColRequestedTime && raised > 0 {
			losses = append(losses, workload.Loss{Column: name, Why: "not above the run time, where Batsim kills the job: written as 1 s above it", Values: raised})
		}
	}
	return losses
}

// hasField reports whether the format has a column, if not all of its values.
func hasField(col int) bool {
	switch col {
	case workload.ColJobID, workload.ColSubmitTime, workload.ColRunTime, workload.ColAllocatedProcessors, workload.ColRequestedProcessors, workload.ColRequestedTime:
		return true
	}
	return false
}

// whyRefused is why jobs are left out.
var whyRefused = map[int]string{
	workload.ColSubmitTime:          "jobs are left out whose submission is not known",
	workload.ColRequestedProcessors: "jobs are left out whose size is not known, or not from 1 to 2147483647",
	workload.ColRunTime:             "jobs are left out whose run time is not known, or not above 0",
}

// whyLost is why values are left out of columns that have a field.
var whyLost = map[int]string{
	workload.ColRequestedTime:       "a walltime has to be above 0",
	workload.ColRequestedProcessors: "the format has one size: the processors that the job got",
	workload.ColAllocatedProcessors: "the format has one size: what was asked for, where nothing was allocated",
}
