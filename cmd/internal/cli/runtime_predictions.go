package cli

import (
	"math"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// runtimePredictionsSchema names the table of predictions and its version.
const runtimePredictionsSchema = "loadstone.runtime-predictions/1"

var runtimePredictionColumns = []workload.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: workload.PlainInt},
	{Name: "classes", Meaning: "the way of sorting jobs into classes", Kind: workload.PlainText},
	{Name: "predictor", Meaning: "the predictor", Kind: workload.PlainText},
	{Name: "predicted_s", Unit: "s", Meaning: "predicted run time", Kind: workload.PlainFloat},
	{Name: "actual_s", Unit: "s", Meaning: "run time", Kind: workload.PlainFloat},
	{Name: "history_n", Meaning: "past jobs that the prediction rests on", Kind: workload.PlainInt},
}

// withPredictions calls run with what saves a row's predictions: one row a job
// and predictor that predicted, in a file that appears when run is done.
func (r *runtimeRun) withPredictions(run func(save func(*runtime.Row) error) error) error {
	return r.a.savePredictions(r.o.predictions, runtimePredictionsSchema, runtimePredictionColumns, func(t *workload.PlainTable) error {
		if t == nil {
			return run(func(*runtime.Row) error { return nil })
		}
		return run(func(row *runtime.Row) error {
			for i, p := range row.Predictions {
				if math.IsNaN(p.Seconds) {
					continue
				}
				t.Int(row.Job.ID)
				t.Text(r.entries[i].Classes.Name)
				t.Text(r.entries[i].Predictor)
				t.Float(p.Seconds)
				t.Float(row.Job.Run)
				t.Int(int64(p.Observations))
			}
			return t.Err()
		})
	})
}
