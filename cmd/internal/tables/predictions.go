package tables

import (
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/study/allocate"
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/study/sweep"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// The tables of a row for each prediction, job or measure, whose rows say what their columns
// are.
var (
	RunTimePredictions = columnar.PlainForm[evaluate.RunTimePrediction]{Schema: "loadstone.runtime-predictions/1"}
	WaitPredictions    = columnar.PlainForm[evaluate.WaitPrediction]{Schema: "loadstone.wait-predictions/1"}
	Placements         = columnar.PlainForm[grid.PlacedJob]{Schema: "loadstone.grid-placements/1"}
	AllocatedJobs      = columnar.PlainForm[allocate.PlacedJob]{Schema: "loadstone.allocate-jobs/1"}
)

// SweepRuns returns the table with a row for each run of a study and each of its measures;
// it has the processors where the study varies them.
func SweepRuns(s *sweep.Study) columnar.PlainForm[sweep.Row] {
	form := columnar.PlainForm[sweep.Row]{Schema: "loadstone.sweep-table/1"}
	if s.Processors[0] == 0 {
		form.Without = []string{"processors"}
	}
	return form
}
