package tables

import (
	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// PlainFile is a kind of table that a command writes beside its result.
type PlainFile struct {
	Schema  string // its name and version
	Columns []columnar.PlainColumn
}

// WaitPredictions has a row a prediction of a wait (AddWait).
var WaitPredictions = PlainFile{Schema: "loadstone.wait-predictions/1", Columns: []columnar.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "waits", Meaning: "which wait is predicted: log, simulated-fcfs or simulated-fcfs-head", Kind: columnar.PlainText},
	{Name: "predictor", Meaning: "the predictor", Kind: columnar.PlainText},
	{Name: "group", Meaning: "the jobs that a bound is from and for; empty where there are no groups", Kind: columnar.PlainText},
	{Name: "predicted_s", Unit: "s", Meaning: "predicted wait, or bound of it", Kind: columnar.PlainFloat},
	{Name: "actual_s", Unit: "s", Meaning: "wait", Kind: columnar.PlainFloat},
	{Name: "history_n", Meaning: "what the prediction rests on: past waits, running jobs for downey-..., queued jobs for simulated... and estimates", Kind: columnar.PlainInt},
	{Name: "quantile", Meaning: "share of waits that a bound is to cover", Kind: columnar.PlainFloat},
	{Name: "confidence", Meaning: "asked: the probability that it does", Kind: columnar.PlainFloat},
	{Name: "confidence_achieved", Meaning: "that probability for independent waits, where the method says it", Kind: columnar.PlainFloat},
}}

// AddWait writes one prediction's row.
func AddWait(t *columnar.PlainTable) func(evaluate.WaitPrediction) error {
	return func(p evaluate.WaitPrediction) error {
		t.Int(p.Request.ID)
		t.Text(p.Waits)
		t.Text(p.Predictor)
		t.Text(p.Group)
		t.Float(p.Seconds)
		t.Float(p.Actual)
		t.Int(int64(p.Observations))
		t.Float(p.Quantile)
		t.Float(p.Confidence)
		t.Float(p.Achieved)
		return t.Err()
	}
}

// RunTimePredictions has a row a prediction of a run time (AddRunTime).
var RunTimePredictions = PlainFile{Schema: "loadstone.runtime-predictions/1", Columns: []columnar.PlainColumn{
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "classes", Meaning: "the way of sorting jobs into classes", Kind: columnar.PlainText},
	{Name: "predictor", Meaning: "the predictor", Kind: columnar.PlainText},
	{Name: "predicted_s", Unit: "s", Meaning: "predicted run time", Kind: columnar.PlainFloat},
	{Name: "actual_s", Unit: "s", Meaning: "run time", Kind: columnar.PlainFloat},
	{Name: "history_n", Meaning: "past jobs that the prediction rests on", Kind: columnar.PlainInt},
}}

// AddRunTime writes one prediction's row.
func AddRunTime(t *columnar.PlainTable) func(evaluate.RunTimePrediction) error {
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
