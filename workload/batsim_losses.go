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
		return columns[ColSubmitTime].Name
	case j.Size < 1 || j.Size > batsimMost: // Unknown is below
		return columns[ColRequestedProcessors].Name
	case !(j.Run > 0) || math.IsInf(j.Run, 1):
		return columns[ColRunTime].Name
	}
	return ""
}

// batsimWalltime says whether a limit of the run time is one for Batsim.
func batsimWalltime(limit float64) bool { return limit > 0 && !math.IsInf(limit, 1) }

// BatsimLosses says what the workload file of Batsim leaves out of a record:
// jobs that Batsim would refuse, counted under the column that is at fault,
// and, of the others, the known values of columns that it has not, limits of
// the run time that are not above 0, and requests for another number of
// processors than the job got, which is the one written.
func BatsimLosses(rec arrow.Record) []Loss {
	v := NewView(rec)
	var refused [NumColumns]int64
	var lost [NumColumns]int64
	for i := range v.Len() {
		j := v.Job(i, int64(i))
		if name := batsimRefuses(&j); name != "" {
			refused[ColumnIndex(name)]++
			continue
		}
		if !math.IsNaN(j.Time) && !batsimWalltime(j.Time) {
			lost[ColRequestedTime]++
		}
		if j.Processors != Unknown && j.Processors != j.Size {
			lost[ColRequestedProcessors]++
		}
		if j.Allocated != Unknown && j.Allocated != j.Size {
			lost[ColAllocatedProcessors]++
		}
		for _, col := range batsimHasNot {
			if !v.nulls[col] || !v.cols[col].IsNull(i) {
				lost[col]++
			}
		}
	}
	var losses []Loss
	for col := range columns {
		name := columns[col].Name
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
