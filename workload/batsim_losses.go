package workload

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
)

// batsimRefuses is the column on whose account Batsim would refuse the job,
// or "". It wants a time of submission, at least one resource and a delay
// above 0.
func batsimRefuses(j *Job) (column string) {
	switch {
	case math.IsNaN(j.Submit) || math.IsInf(j.Submit, 0):
		return ColumnAt(ColSubmitTime).Name
	case j.Size < 1 || j.Size > batsimMost: // Unknown is below
		return ColumnAt(ColRequestedProcessors).Name
	case !(j.Run > 0) || math.IsInf(j.Run, 1):
		return ColumnAt(ColRunTime).Name
	}
	return ""
}

// batsimWalltime returns the limit of a job's run time that Batsim gets, in
// seconds; ok is false where there is none. Batsim kills a job whose delay is
// not below its walltime (do_delay_task in its src/jobs_execution.cpp), and in
// a log that job ran as long as it did: its limit is raised to a second above
// the run time, the least that a scheduler that counts in seconds tells from
// it.
func batsimWalltime(j *Job) (limit float64, raised, ok bool) {
	switch {
	case !(j.Time > 0) || math.IsInf(j.Time, 1):
		return 0, false, false
	case j.Time > j.Run:
		return j.Time, false, true
	}
	// Beyond 2^53 a second more is the same number.
	return max(j.Run+1, math.Nextafter(j.Run, math.Inf(1))), true, true
}

// BatsimLosses says what the workload file of Batsim leaves out of a record:
// jobs that Batsim would refuse, counted under the column that is at fault,
// and, of the others, the known values of columns that it has not, limits of
// the run time that are not above 0 or not above the run time, and requests
// for another number of processors than the job got, which is the one written.
func BatsimLosses(rec arrow.Record) []Loss {
	v := NewView(rec)
	var refused [NumColumns]int64
	var lost [NumColumns]int64
	var raised int64
	for i := range v.Len() {
		j := v.Job(i, int64(i))
		if name := batsimRefuses(&j); name != "" {
			refused[ColumnIndex(name)]++
			continue
		}
		switch _, up, ok := batsimWalltime(&j); {
		case up:
			raised++
		case !ok && !math.IsNaN(j.Time):
			lost[ColRequestedTime]++
		}
		if j.Processors != Unknown && j.Processors != j.Size {
			lost[ColRequestedProcessors]++
		}
		if j.Allocated != Unknown && j.Allocated != j.Size {
			lost[ColAllocatedProcessors]++
		}
		for _, col := range batsimHasNot {
			if !v.IsNull(col, i) {
				lost[col]++
			}
		}
	}
	var losses []Loss
	for col := range NumColumns {
		name := ColumnAt(col).Name
		if n := refused[col]; n > 0 {
			losses = append(losses, Loss{name, batsimWants[col], n})
		}
		if n := lost[col]; n > 0 {
			why := "the format has no such field"
			if w, ok := batsimLost[col]; ok {
				why = w
			}
			losses = append(losses, Loss{name, why, n})
		}
		if col == ColRequestedTime && raised > 0 {
			losses = append(losses, Loss{name, "not above the run time, where Batsim kills the job: written as 1 s above it", raised})
		}
	}
	return losses
}

// batsimHasNot are the columns without a field.
var batsimHasNot = [...]int{
	ColWaitTime, ColCPUTime, ColUsedMemory, ColRequestedMemory, ColStatus, ColUser, ColGroup, ColApplication, ColQueue,
	ColPartition, ColPrecedingJob, ColThinkTime, ColSequentialTime, ColAverageParallelism, ColSigma,
}

// batsimWants is why jobs are left out.
var batsimWants = map[int]string{
	ColSubmitTime:          "jobs are left out whose submission is not known",
	ColRequestedProcessors: "jobs are left out whose size is not known, or not from 1 to 2147483647",
	ColRunTime:             "jobs are left out whose run time is not known, or not above 0",
}

// batsimLost is why values are left out of columns that have a field.
var batsimLost = map[int]string{
	ColRequestedTime:       "a walltime has to be above 0",
	ColRequestedProcessors: "the format has one size: the processors that the job got",
	ColAllocatedProcessors: "the format has one size: what was asked for, where nothing was allocated",
}
