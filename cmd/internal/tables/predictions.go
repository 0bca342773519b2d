package tables

import (
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// WaitPredictions has a row for each prediction of a wait.
var WaitPredictions = columnar.PlainForm[evaluate.WaitPrediction]{Schema: "loadstone.wait-predictions/1", Fields: []columnar.PlainField[evaluate.WaitPrediction]{
	columnar.IntField("job_id", "", "the log's number of the job", func(r *evaluate.WaitPrediction) int64 { return r.Request.ID }),
	columnar.TextField("waits", "which wait is predicted: log, simulated-fcfs or simulated-fcfs-head", func(r *evaluate.WaitPrediction) string { return r.Waits }),
	columnar.TextField("predictor", "the predictor", func(r *evaluate.WaitPrediction) string { return r.Predictor }),
	columnar.TextField("group", "the jobs that a bound is from and for; empty where there are no groups", func(r *evaluate.WaitPrediction) string { return r.Group }),
	columnar.FloatField("predicted_s", "s", "predicted wait, or bound of it", func(r *evaluate.WaitPrediction) float64 { return r.Seconds }),
	columnar.FloatField("actual_s", "s", "wait", func(r *evaluate.WaitPrediction) float64 { return r.Actual }),
	columnar.IntField("history_n", "", "what the prediction rests on: past waits, running jobs for downey-..., queued jobs for simulated... and estimates", func(r *evaluate.WaitPrediction) int64 { return int64(r.Observations) }),
	columnar.FloatField("quantile", "", "share of waits that a bound should cover", func(r *evaluate.WaitPrediction) float64 { return r.Quantile }),
	columnar.FloatField("confidence", "", "asked: the probability that it does", func(r *evaluate.WaitPrediction) float64 { return r.Confidence }),
	columnar.FloatField("confidence_achieved", "", "that probability for independent waits, where the method says it", func(r *evaluate.WaitPrediction) float64 { return r.Achieved }),
}}

// RunTimePredictions has a row for each prediction of a run time.
var RunTimePredictions = columnar.PlainForm[evaluate.RunTimePrediction]{Schema: "loadstone.runtime-predictions/1", Fields: []columnar.PlainField[evaluate.RunTimePrediction]{
	columnar.IntField("job_id", "", "the log's number of the job", func(r *evaluate.RunTimePrediction) int64 { return r.Job.ID }),
	columnar.TextField("classes", "the way of sorting jobs into classes", func(r *evaluate.RunTimePrediction) string { return r.Classes }),
	columnar.TextField("predictor", "the predictor", func(r *evaluate.RunTimePrediction) string { return r.Predictor }),
	columnar.FloatField("predicted_s", "s", "predicted run time", func(r *evaluate.RunTimePrediction) float64 { return r.Seconds }),
	columnar.FloatField("actual_s", "s", "run time", func(r *evaluate.RunTimePrediction) float64 { return r.Job.Run }),
	columnar.IntField("history_n", "", "past jobs that the prediction rests on", func(r *evaluate.RunTimePrediction) int64 { return int64(r.Observations) }),
}}
