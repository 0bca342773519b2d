package tables

import (
	"github.com/loadstone-hpc/loadstone/study/grid"
	"github.com/loadstone-hpc/loadstone/workload/columnar"
)

// Placements has a row for each policy and job that it placed (AddPlacements).
var Placements = PlainFile{Schema: "loadstone.grid-placements/1", Columns: []columnar.PlainColumn{
	{Name: "policy", Meaning: "the policy", Kind: columnar.PlainText},
	{Name: "job_id", Meaning: "the log's number of the job", Kind: columnar.PlainInt},
	{Name: "partition_id", Meaning: "the job's site in the log", Kind: columnar.PlainInt},
	{Name: "size", Unit: "processors", Meaning: "processors", Kind: columnar.PlainInt},
	{Name: "submit_time_s", Unit: "s", Meaning: "submission, from the log's start", Kind: columnar.PlainFloat},
	{Name: "cluster", Meaning: "the cluster that it was sent to", Kind: columnar.PlainText},
	{Name: "wait_time_s", Unit: "s", Meaning: "from submission to start", Kind: columnar.PlainFloat},
	{Name: "run_time_s", Unit: "s", Meaning: "run time on the cluster", Kind: columnar.PlainFloat},
	{Name: "predicted_wait_s", Unit: "s", Meaning: "wait that was expected when it was sent", Kind: columnar.PlainFloat},
	{Name: "predicted_run_s", Unit: "s", Meaning: "run time that was expected there", Kind: columnar.PlainFloat},
}}

// AddPlacements adds the jobs that were placed, in the order of the log.
func AddPlacements(t *columnar.PlainTable, r *grid.Result) error {
	for _, o := range r.Outcomes {
		for i, p := range o.Placements {
			if p.Cluster < 0 || t.Err() != nil {
				continue
			}
			j := &r.Jobs[i]
			t.Text(o.Policy.Name())
			t.Int(j.ID)
			t.Int(j.Partition)
			t.Int(j.Size)
			t.Float(j.Submit)
			t.Text(r.Grid.Clusters[p.Cluster].Name)
			t.Float(p.Wait)
			t.Float(p.Run)
			t.Float(p.PredictedWait)
			t.Float(p.PredictedRun)
		}
	}
	return t.Err()
}
