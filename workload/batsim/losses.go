package batsim

import (
	"math"

	"github.com/loadstone-hpc/loadstone/workload"
)

// refuses returns the column because of which Batsim would reject the job, or -1. Batsim requires a
// submission time, at least one resource and a delay above 0.
func refuses(j *workload.Job) (column int) {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		return workload.ColSubmitTime
	case j.Size < 1 || j.Size > maxResources: // Unknown is below 1
		return workload.ColRequestedProcessors
	case !(j.Run > 0) || math.IsInf(j.Run, 1):
		return workload.ColRunTime
	}
	return -1
}

// walltime returns the limit of a job's run time for Batsim, in seconds; NaN for none. Batsim kills
// a job whose delay is not below its walltime (do_delay_task in its src/jobs_execution.cpp). In the
// log, the job ran to its end, so such a limit is raised to one second above the run time, the
// smallest difference for a scheduler that counts in seconds.
func walltime(j *workload.Job) float64 {
	switch {
	case !(j.Time > 0) || math.IsInf(j.Time, 1):
		return math.NaN()
	case j.Time > j.Run:
		return j.Time
	}
	// Above 2^53, adding a second may not change the number.
	return max(j.Run+1, math.Nextafter(j.Run, math.Inf(1)))
}

// reason is the kind of reason for which values of a column are lost.
type reason int

const (
	isRefused reason = iota // jobs are left out
	isLost                  // the value is not written
	isRaised                // another value is written
)

// why has the reasons for the columns that have a field in the file.
var why = [workload.NumColumns]map[reason]string{
	workload.ColSubmitTime: {isRefused: "jobs are left out whose submission is not known"},
	workload.ColRunTime:    {isRefused: "jobs are left out whose run time is not known, or not above 0"},
	workload.ColRequestedProcessors: {
		isRefused: "jobs are left out whose size is not known, or not from 1 to 2147483647",
		isLost:    "the format has one size: the processors that the job got",
	},
	workload.ColAllocatedProcessors: {isLost: "the format has one size: what was asked for, where nothing was allocated"},
	workload.ColRequestedTime: {
		isLost:   "a walltime has to be above 0",
		isRaised: "not above the run time, where Batsim kills the job: written as 1 s above it",
	},
	workload.ColJobID: {},
}

// Losses returns the losses of writing a batch to a Batsim workload file. Jobs that Batsim would
// reject are left out and counted under the column that is the reason. Of the other jobs it
// counts
//   - known values in columns that the file does not have,
//   - run time limits that are not above 0 or not above the run time,
//   - requests for a number of processors other than the number allocated, which is written.
func Losses(b *workload.Batch) []workload.Loss {
	var counts [workload.NumColumns][isRaised + 1]int64
	var without []int // columns that have values but no field
	for col := range counts {
		if why[col] == nil && b.Known(col) > 0 {
			without = append(without, col)
		}
	}
	for i := range b.Rows {
		j := b.Job(i, int64(i))
		if col := refuses(&j); col >= 0 {
			counts[col][isRefused]++
			continue
		}
		switch limit := walltime(&j); {
		case limit > j.Time:
			counts[workload.ColRequestedTime][isRaised]++
		case limit != limit && !math.IsNaN(j.Time):
			counts[workload.ColRequestedTime][isLost]++
		}
		if j.Processors != workload.Unknown && j.Processors != j.Size {
			counts[workload.ColRequestedProcessors][isLost]++
		}
		if j.Allocated != workload.Unknown && j.Allocated != j.Size {
			counts[workload.ColAllocatedProcessors][isLost]++
		}
		for _, col := range without {
			if workload.ColumnAt(col).Known(&j) {
				counts[col][isLost]++
			}
		}
	}
	var losses []workload.Loss
	for col := range counts {
		for r, n := range counts[col] {
			text, ok := why[col][reason(r)]
			if !ok {
				text = "the format has no such field"
			}
			if n > 0 {
				losses = append(losses, workload.Loss{Column: workload.ColumnAt(col).Name, Why: text, Values: n})
			}
		}
	}
	return losses
}
