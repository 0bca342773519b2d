package cli

import (
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// runtimePredictionsSchema names the table of predictions and its version.
const runtimePredictionsSchema = "loadstone.runtime-predictions/1"

var runtimePredictionColumns = []columnar.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "classes", Meaning: "the way of sorting jobs into classes", Kind: columnar.PlainText},
	{Name: "predictor", Meaning: "the predictor", Kind: columnar.PlainText},
	{Name: "predicted_s", Unit: "s", Meaning: "predicted run time", Kind: columnar.PlainFloat},
	{Name: "actual_s", Unit: "s", Meaning: "run time", Kind: columnar.PlainFloat},
	{Name: "history_n", Meaning: "past jobs that the prediction rests on", Kind: columnar.PlainInt},
}

// saveRunTime writes one prediction's row.
func saveRunTime(t *columnar.PlainTable) func(evaluate.RunTimePrediction) error {
	return func(p evaluate.RunTimePrediction) error {
		t.Int(p.Job.ID)
		t.Text(p.Classes)
		t.Text(p.Predictor)
		t.Float(p.Seconds)
		t.Float(p.Job.Run)
		t.Int(int64(p.Observations))
		return t.Err()
	}
}
