package cli

import (
	"math"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// predictPredictionsSchema names the table of predictions and its version.
const predictPredictionsSchema = "loadstone.wait-predictions/1"

var predictPredictionColumns = []workload.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: workload.PlainInt},
	{Name: "waits", Meaning: "which wait is predicted: log, simulated-fcfs or simulated-fcfs-head", Kind: workload.PlainText},
	{Name: "predictor", Meaning: "the predictor", Kind: workload.PlainText},
	{Name: "group", Meaning: "the jobs that a bound is from and for; empty where there are no groups", Kind: workload.PlainText},
	{Name: "predicted_s", Unit: "s", Meaning: "predicted wait, or bound of it", Kind: workload.PlainFloat},
	{Name: "actual_s", Unit: "s", Meaning: "wait", Kind: workload.PlainFloat},
	{Name: "history_n", Meaning: "what the prediction rests on: past waits, running jobs for downey-..., queued jobs for simulated... and estimates", Kind: workload.PlainInt},
	{Name: "quantile", Meaning: "share of waits that a bound is to cover", Kind: workload.PlainFloat},
	{Name: "confidence", Meaning: "asked: the probability that it does", Kind: workload.PlainFloat},
	{Name: "confidence_achieved", Meaning: "that probability for independent waits, where the method says it", Kind: workload.PlainFloat},
}

// unbounded is a point prediction as a bound of which nothing was asked.
func unbounded(p workload.Prediction) predict.Bound {
	b := predict.NoBound()
	b.Seconds, b.Observations = p.Seconds, p.Observations
	return b
}

// write saves a prediction, where there is one and it is to be saved.
func (r *predictRun) write(id int64, waits, predictor string, b predict.Bound, actual float64) error {
	t := r.save
	if t == nil || math.IsNaN(b.Seconds) {
		return nil
	}
	t.Int(id)
	t.Text(waits)
	t.Text(predictor)
	t.Text(b.Group)
	t.Float(b.Seconds)
	t.Float(actual)
	t.Int(int64(b.Observations))
	t.Float(b.Quantile)
	t.Float(b.Confidence)
	t.Float(b.Achieved)
	return t.Err()
}
